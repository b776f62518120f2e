// The map of one contact, enlarged: seen along its normal, with a scale of length and of pressure.
import * as THREE from 'three';
import {extentOf, facesOf, flatten, forceOf, withRim} from './maps.js';
import {magnitudeColour, magnitudeGradient} from './palette.js';
import {$, element, numberText, prefixed} from './ui.js';

const width = 200, height = 140, margin = 10;  // [px]

/** 1, 2 or 5 times a power of ten, at most `most`. */
export function roundLength(most) {
  const power = 10 ** Math.floor(Math.log10(most)), digit = most / power;
  return power * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}

function areaText(area) {
  const [factor, unit] = area < 1e-4 ? [1e6, 'mm²'] : area < 0.1 ? [1e4, 'cm²'] : [1, 'm²'];
  return `${numberText(factor * area, 4)} ${unit}`;
}

export class Magnifier {
  constructor(maps, clock) {
    Object.assign(this, {maps, clock, shown: false, chosen: ''});
    this.canvas = element('canvas', {width: 2 * width, height: 2 * height, 'aria-label': 'contact seen along its normal'});
    this.list = element('select', {'aria-label': 'contact'}, element('option', {value: ''}, 'strongest contact'), ...maps.objects.map((name) => element('option', {value: name}, name)));
    this.list.addEventListener('change', () => { this.chosen = this.list.value; this.update(); });
    this.facts = element('div', {class: 'facts'});
    this.scale = element('div', {class: 'row'});
    this.box = element('div', {id: 'magnifier', hidden: true}, this.list, this.canvas, this.scale, this.facts);
    $('stage').append(this.box);
    clock.onCalmChange(() => this.update());
  }

  show(on) {
    this.shown = on;
    this.box.hidden = !on;
    $('stage').classList.toggle('magnified', on);
    this.update();
  }

  /** The strongest contact of a body that was selected, from now on. */
  choose(body) {
    const pressing = this.strength(this.maps.at(this.clock.time)), named = (object) => object.slice(8, -1).split(',').includes(body);
    const own = this.maps.objects.filter(named).sort((a, b) => (pressing.get(b) ?? 0) - (pressing.get(a) ?? 0));
    this.chosen = body && own.length ? own[0] : '';
    this.list.value = this.chosen;
    this.update();
  }

  strength(now) {
    const forces = new Map();
    for (const map of now) forces.set(map.object, (forces.get(map.object) ?? 0) + forceOf(map));
    return forces;
  }

  update() {
    if (!this.shown) return;
    const now = this.maps.at(this.clock.time), {theme} = document.documentElement.dataset;
    if (this.drawn?.now === now && this.drawn.chosen === this.chosen && this.drawn.theme === theme) return;
    this.drawn = {now, chosen: this.chosen, theme};
    const forces = this.strength(now);
    const object = this.chosen || [...forces].sort((a, b) => b[1] - a[1])[0]?.[0];
    const own = now.filter((map) => map.object === object);
    this.draw(own);
    if (!own.length) {
      this.facts.replaceChildren(element('span', {class: 'hint'}, 'nothing presses here now'));
      this.scale.replaceChildren();
      return;
    }
    const {quantity, unit} = own[0], {value: most, isTop} = this.maps.scaleOf.get(object), isArea = quantity === 'pressure';
    let peak = 0, extent = 0;
    for (const map of own) {
      extent += extentOf(map);
      for (let i = 3; i < map.points.length; i += 5) peak = Math.max(peak, map.points[i]);
    }
    this.scale.replaceChildren(element('span', {}, '0'), element('i', {class: 'scale', style: `background:${magnitudeGradient}`}), element('span', {}, `${isTop ? '' : '≥ '}${prefixed(most, unit)}`));
    const rows = [['pair', object.slice(8, -1).replace(',', ', ')], ['force', `${numberText(forces.get(object), 4)} N`], ['peak', prefixed(peak, unit)], isArea ? ['area', areaText(extent)] : ['length', `${numberText(extent, 4)} m`]];
    this.facts.replaceChildren(element('table', {}, ...rows.map(([name, value]) => element('tr', {}, element('th', {scope: 'row'}, name), element('td', {}, value)))));
  }

  draw(own) {
    const context = this.canvas.getContext('2d');
    context.setTransform(2, 0, 0, 2, 0, 0);
    context.clearRect(0, 0, width, height);
    if (!own.length) return;
    const origin = new THREE.Vector3(...own[0].points.slice(0, 3)), isArea = own[0].quantity === 'pressure';
    const flat = own.map((map) => flatten({...map, normal: own[0].normal}, origin)).map((points, i) => ({map: own[i], points: isArea ? withRim(points) : points}));
    const all = flat.flatMap(({points}) => points), reach = (axis, pick) => all.reduce((most, p) => pick(most, p[axis]), all[0][axis]);
    const low = {x: reach('x', Math.min), y: reach('y', Math.min)}, high = {x: reach('x', Math.max), y: reach('y', Math.max)};
    const zoom = Math.min((width - 2 * margin) / Math.max(high.x - low.x, 1e-12), (height - 24 - 2 * margin) / Math.max(high.y - low.y, 1e-12));
    const at = ({x, y}) => [width / 2 + zoom * (x - (low.x + high.x) / 2), (height - 20) / 2 - zoom * (y - (low.y + high.y) / 2)];
    for (const {map, points} of flat) (isArea ? this.paintArea : this.paintCurve).call(this, context, map, points, at);
    this.paintCentre(context, all, at);
    this.paintBar(context, zoom);
  }

  shade(map, value) { return magnitudeColour(value / (this.maps.scaleOf.get(map.object).value || 1)); }

  paintArea(context, map, points, at) {
    // Each triangle in 16, so that colours run smoothly between the points.
    const parts = 4, mix = (t, i, j) => {
      const u = i / parts, v = j / parts, w = 1 - u - v, sum = (key) => u * points[t[0]][key] + v * points[t[1]][key] + w * points[t[2]][key];
      return {x: sum('x'), y: sum('y'), value: sum('value')};
    };
    for (const t of facesOf(points)) {
      for (let i = 0; i < parts; ++i) {
        for (let j = 0; i + j < parts; ++j) {
          this.paintFace(context, map, [mix(t, i, j), mix(t, i + 1, j), mix(t, i, j + 1)], at);
          if (i + j + 1 < parts) this.paintFace(context, map, [mix(t, i + 1, j), mix(t, i + 1, j + 1), mix(t, i, j + 1)], at);
        }
      }
    }
  }

  paintFace(context, map, corners, at) {
    context.fillStyle = context.strokeStyle = this.shade(map, corners.reduce((sum, {value}) => sum + value / 3, 0));
    context.lineWidth = 0.7;  // closes the seams
    context.beginPath();
    for (const corner of corners) context.lineTo(...at(corner));
    context.closePath();
    context.fill();
    context.stroke();
  }

  paintCurve(context, map, points, at) {
    context.lineWidth = 3;
    context.lineCap = 'round';
    for (let i = 0; i + 1 < points.length; ++i) {
      context.strokeStyle = this.shade(map, (points[i].value + points[i + 1].value) / 2);
      context.beginPath();
      context.moveTo(...at(points[i]));
      context.lineTo(...at(points[i + 1]));
      context.stroke();
    }
  }

  /** A cross at the centre of pressure. */
  paintCentre(context, all, at) {
    const force = all.reduce((sum, {value, share}) => sum + value * share, 0);
    if (!(force > 0)) return;
    const mean = (key) => all.reduce((sum, p) => sum + p.value * p.share * p[key], 0) / force, [x, y] = at({x: mean('x'), y: mean('y')});
    context.strokeStyle = '#d6336c';
    context.lineWidth = 1.6;
    context.beginPath();
    context.moveTo(x - 6, y); context.lineTo(x + 6, y); context.moveTo(x, y - 6); context.lineTo(x, y + 6);
    context.stroke();
  }

  paintBar(context, zoom) {
    const length = roundLength(70 / zoom), from = margin, y = height - 6;
    context.strokeStyle = context.fillStyle = getComputedStyle(this.box).color;
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(from, y - 4); context.lineTo(from, y); context.lineTo(from + zoom * length, y); context.lineTo(from + zoom * length, y - 4);
    context.stroke();
    context.font = '11px system-ui, sans-serif';
    const [text, unit] = length < 1e-3 ? [1e6 * length, 'µm'] : length < 1 ? [1e3 * length, 'mm'] : [length, 'm'];
    context.fillText(`${numberText(text, 2)} ${unit}`, from + zoom * length + 6, y);
  }
}

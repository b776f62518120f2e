// Where contacts press: pressures over areas, and circumferences of overlaps with the force per
// length along them, as the run recorded them (run.output.maps).
import * as THREE from 'three';
import {LineMaterial} from 'three/examples/jsm/lines/LineMaterial.js';
import {LineSegments2} from 'three/examples/jsm/lines/LineSegments2.js';
import {LineSegmentsGeometry} from 'three/examples/jsm/lines/LineSegmentsGeometry.js';
import {triangulate} from './delaunay.js';
import {magnitudeColour} from './palette.js';

const numbers = 5;  // of a point: x, y, z, value, share
const none = [];
const colour = new THREE.Color(), n = new THREE.Vector3(), e1 = new THREE.Vector3(), e2 = new THREE.Vector3();

/** Two directions across the normal of a map, in e1 and e2. */
function across(normal) {
  n.set(...normal).normalize();
  e1.set(Math.abs(n.x) > 0.9 ? 0 : 1, Math.abs(n.x) > 0.9 ? 1 : 0, 0);
  e1.addScaledVector(n, -e1.dot(n)).normalize();
  e2.crossVectors(n, e1);
}

/** A colour scale reaches to what nine of ten rows stay below: impacts would leave the rest dark. */
function reachOf(peaks) {
  const sorted = Float64Array.from(peaks).sort(), value = sorted[Math.floor(0.9 * (sorted.length - 1))] ?? 0;
  return {value, isTop: !(sorted[sorted.length - 1] > 1.01 * value)};
}

export class ContactMaps {
  constructor(run) {
    this.byRow = new Map();
    this.objects = [...new Set((run.maps ?? []).map(({object}) => object))].sort();
    this.stride = run.mapStride ?? 1;
    this.run = run;
    const peaks = new Map();  // of a quantity, and of an object -> those of its rows
    const note = (key, row, value, unit) => {
      if (!peaks.has(key)) peaks.set(key, {unit, rows: new Map()});
      const {rows} = peaks.get(key);
      rows.set(row, Math.max(rows.get(row) ?? 0, value));
    };
    for (const map of run.maps ?? []) {
      const from = run.mapsAt + 4 * numbers * map.first;
      map.points = new Float32Array(run.bytes.slice(from, from + 4 * numbers * map.count).buffer);
      let most = 0;
      for (let i = 3; i < map.points.length; i += numbers) most = Math.max(most, map.points[i]);
      note(map.quantity, map.row, most, map.unit);
      note(map.object, map.row, most, map.unit);
      if (!this.byRow.has(map.row)) this.byRow.set(map.row, []);
      this.byRow.get(map.row).push(map);
    }
    const scales = [...peaks].map(([key, {unit, rows}]) => [key, {unit, ...reachOf([...rows.values()])}]);
    this.quantities = new Map(scales.filter(([key]) => !key.startsWith('contact(')));
    this.scaleOf = new Map(scales.filter(([key]) => key.startsWith('contact(')));
  }

  get count() { return this.byRow.size; }

  /** Those of the row at or before an instant. */
  at(t) {
    const {row} = this.run.locate(t);
    return this.byRow.get(Math.floor(row / this.stride) * this.stride) ?? none;
  }
}

/** Value times share, summed: the normal force [N]. */
export function forceOf(map) {
  let sum = 0;
  for (let i = 0; i < map.points.length; i += numbers) sum += map.points[i + 3] * map.points[i + 4];
  return sum;
}

/** Length [m] of a curve, or area [m²]. */
export function extentOf(map) {
  let sum = 0;
  for (let i = 4; i < map.points.length; i += numbers) sum += map.points[i];
  return sum;
}

/** Points of a map in its plane, about an origin in space: [{x, y, value, share, p}]. */
export function flatten(map, origin) {
  across(map.normal);
  const out = [];
  for (let i = 0; i < map.points.length; i += numbers) {
    const p = new THREE.Vector3(map.points[i], map.points[i + 1], map.points[i + 2]), d = p.clone().sub(origin);
    out.push({x: d.dot(e1), y: d.dot(e2), value: map.points[i + 3], share: map.points[i + 4], p});
  }
  return out;
}

/** The outermost of some points, to the left around them. */
function hullOf(points) {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  const half = (list) => list.reduce((hull, p) => {
    const turns = () => { const [a, b] = hull.slice(-2); return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x); };
    while (hull.length > 1 && turns() <= 0) hull.pop();
    hull.push(p);
    return hull;
  }, []);
  return [...half(sorted).slice(0, -1), ...half(sorted.reverse()).slice(0, -1)];
}

/** The plane through values over x and y that fits them best, each by its share; a function of a point. */
function planeThrough(points, centre, average) {
  let xx = 0, xy = 0, yy = 0, xv = 0, yv = 0;
  for (const {x, y, value, share} of points) {
    const dx = x - centre.x, dy = y - centre.y;
    xx += share * dx * dx, xy += share * dx * dy, yy += share * dy * dy, xv += share * dx * value, yv += share * dy * value;
  }
  const det = xx * yy - xy * xy, [a, b] = det > 0 ? [(yy * xv - xy * yv) / det, (xx * yv - xy * xv) / det] : [0, 0];
  return ({x, y}) => average + a * (x - centre.x) + b * (y - centre.y);
}

/**
 * The points of an area and its rim, which lies outside of them: the outermost moved away from the
 * middle until they go around the whole area, with what their pressure comes to on that way.
 */
export function withRim(all) {
  // Where a face tilts a little, slivers of its sides count too. They say where the face ends, not how it presses.
  const thin = 1e-4 * Math.max(...all.map(({share}) => share)), points = all.filter(({share}) => share > thin);
  if (points.length < 3) return points;
  const whole = points.reduce((sum, {share}) => sum + share, 0), hull = hullOf(all);
  const inner = 0.5 * hull.reduce((sum, a, i) => { const b = hull[(i + 1) % hull.length]; return sum + a.x * b.y - a.y * b.x; }, 0);
  const stretch = Math.max(1, Math.sqrt(whole / inner));
  if (!(stretch < 3)) return points;
  const mean = (pick) => points.reduce((sum, point) => sum + point.share * pick(point), 0) / whole;
  const centre = {x: mean(({x}) => x), y: mean(({y}) => y)}, middle = new THREE.Vector3(mean(({p}) => p.x), mean(({p}) => p.y), mean(({p}) => p.z));
  const average = mean(({value}) => value), plane = planeThrough(points, centre, average);  // of the middle, where pressure is linear
  const rim = hull.map((point) => {
    const value = point.share > thin ? point.value : plane(point);
    return {
      x: centre.x + stretch * (point.x - centre.x), y: centre.y + stretch * (point.y - centre.y), share: 0,
      p: point.p.clone().sub(middle).multiplyScalar(stretch).add(middle), value: Math.max(0, value + (stretch - 1) * (value - average)),
    };
  });
  return [...points, ...rim];
}

/** [[i, j, k], …] of points that withRim gave. */
export const facesOf = (points) => triangulate(points.map(({x, y}) => [x, y]));

/** The maps of the instant in the scene. */
export class MapPicture {
  constructor(maps) {
    Object.assign(this, {maps, shown: true, group: new THREE.Group()});
    this.faces = new THREE.Mesh(new THREE.BufferGeometry(), new THREE.MeshBasicMaterial({vertexColors: true, side: THREE.DoubleSide, depthTest: false, transparent: true, opacity: 0.9}));
    this.curves = new LineSegments2(new LineSegmentsGeometry(), new LineMaterial({vertexColors: true, linewidth: 3.5, depthTest: false, transparent: true}));
    for (const [object, order] of [[this.faces, 2], [this.curves, 3]]) {
      object.frustumCulled = false;
      object.renderOrder = order;
      object.raycast = () => {};
      this.group.add(object);
    }
  }

  update(t) {
    this.group.visible = this.shown && this.maps.count > 0;
    if (!this.group.visible) return;
    const now = this.maps.at(t);
    if (now === this.drawn) return;
    this.drawn = now;
    this.drawAreas(now.filter(({quantity}) => quantity === 'pressure'));
    this.drawCurves(now.filter(({quantity}) => quantity === 'circumference'));
  }

  colourOf(map, value) { return colour.set(magnitudeColour(value / (this.maps.quantities.get(map.quantity).value || 1))); }

  drawAreas(areas) {
    const positions = [], colours = [];
    const corner = (p, {r, g, b}) => { positions.push(p.x, p.y, p.z); colours.push(r, g, b); };
    for (const map of areas) {
      const points = withRim(flatten(map, new THREE.Vector3(...map.points.slice(0, 3))));
      for (const triangle of facesOf(points)) for (const k of triangle) corner(points[k].p, this.colourOf(map, points[k].value));
    }
    this.faces.visible = positions.length > 0;
    this.faces.geometry.dispose();
    this.faces.geometry = new THREE.BufferGeometry()
      .setAttribute('position', new THREE.Float32BufferAttribute(positions, 3)).setAttribute('color', new THREE.Float32BufferAttribute(colours, 3));
  }

  drawCurves(curves) {
    const positions = [], colours = [];
    for (const map of curves) {
      const {points} = map;
      for (let i = 0; i + numbers < points.length; i += numbers) {
        for (const k of [i, i + numbers]) {
          positions.push(points[k], points[k + 1], points[k + 2]);
          const {r, g, b} = this.colourOf(map, points[k + 3]);
          colours.push(r, g, b);
        }
      }
    }
    this.curves.visible = positions.length > 0;
    if (!this.curves.visible) return;
    this.curves.geometry.dispose();
    this.curves.geometry = new LineSegmentsGeometry().setPositions(positions).setColors(colours);
  }
}

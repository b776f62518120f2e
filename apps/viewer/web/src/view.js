// The animated scene: all runs, what is drawn over them, picking, following, cutting.
import * as THREE from 'three';
import {Areas} from './areas.js';
import {Bodies} from './bodies.js';
import {Closest} from './closest.js';
import {Forces} from './forces.js';
import {ContactMaps, MapPicture} from './maps.js';
import {Motion} from './motion.js';
import {bodyColours, magnitudeGradient} from './palette.js';
import {Stage} from './stage.js';
import {Frames, Springs, Trails} from './trails.js';
import {$, element, numberText, prefixed} from './ui.js';

export class View {
  constructor(canvas, runs, clock, playing = false) {
    Object.assign(this, {runs, clock, selected: -1, following: -1, onSelect: () => {}});
    const crowd = runs.reduce((count, run) => count + run.bodies.reduce((n, body) => n + body.shapes.length, 0), 0);
    this.stage = new Stage(canvas, crowd, playing);
    this.stage.onLevel = (level) => { for (const {bodies} of this.layers) bodies.show(level); };
    this.stage.onDraw = (camera) => { for (const {bodies} of this.layers) bodies.prepare(camera); };
    const several = runs.length > 1;
    this.layers = runs.map((run, i) => this.makeLayer(run, several ? {tint: bodyColours[i % bodyColours.length], ghost: i > 0} : {}));
    this.frame();
    for (const layer of this.layers) this.addOverlays(layer);
    this.showLegend();
    this.plane = new THREE.Plane(new THREE.Vector3(0, -1, 0), 0);
    this.followed = new THREE.Vector3();
    this.listen(this.stage.canvas);
    clock.onChange(() => { this.stale = true; });
    this.update();
  }

  makeLayer(run, look) {
    const motion = new Motion(run), bodies = new Bodies(run, motion, this.stage.look, {...look, software: this.stage.software});
    this.stage.world.add(bodies.group);
    return {run, motion, bodies};
  }

  /** Finds where everything is, and places world, ground and camera. */
  frame() {
    const box = new THREE.Box3();
    for (const {bodies} of this.layers) box.union(bodies.sweptBox());
    if (box.isEmpty()) box.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
    const size = box.getSize(new THREE.Vector3()).length();
    if (!(size > 0)) box.expandByScalar(1);
    this.radius = box.getSize(new THREE.Vector3()).length() / 2;
    for (const {bodies} of this.layers) bodies.addGlyphs(0.03 * this.radius);
    this.stage.sights = this.layers[0].bodies.sights();
    this.stage.fit(box, this.runs[0].up, this.groundHeight(box));
    this.stage.shade.visible = this.runs[0].falls;
  }

  /** Along up: that of a half space if there is one, otherwise below everything. */
  groundHeight(box) {
    const up = new THREE.Vector3(...this.runs[0].up), run = this.runs[0];
    for (const body of run.bodies) {
      const shape = body.shapes.find((s) => s.kind === 'half_space');
      if (shape) return new THREE.Vector3(...body.pose.slice(0, 3)).add(new THREE.Vector3(...shape.pose.slice(0, 3))).dot(up);
    }
    let lowest = Infinity;
    for (let corner = 0; corner < 8; ++corner) {
      lowest = Math.min(lowest, new THREE.Vector3(corner & 1 ? box.max.x : box.min.x, corner & 2 ? box.max.y : box.min.y, corner & 4 ? box.max.z : box.min.z).dot(up));
    }
    const standing = run.bodies.some((b) => b.fixed && b.shapes.length);
    return lowest - (standing ? 0.002 : 0.06) * this.radius;
  }

  addOverlays(layer) {
    const {run, motion, bodies} = layer;
    layer.trails = new Trails(run, motion, bodies);
    layer.springs = new Springs(run, motion, this.radius);
    layer.forces = new Forces(run, motion, this.radius, bodies.sizes());
    layer.frames = new Frames(run, motion, this.radius);
    layer.closest = new Closest(run, this.radius);
    layer.areas = new Areas(run);
    layer.maps = new ContactMaps(run);
    layer.mapPicture = new MapPicture(layer.maps);
    for (const part of ['trails', 'springs', 'forces', 'frames', 'closest', 'areas', 'mapPicture']) this.stage.world.add(layer[part].group);
  }

  /** What lengths and colours mean. */
  showLegend() {
    const [{forces, maps, mapPicture}] = this.layers, scale = (largest) => [element('i', {class: 'scale', style: `background:${magnitudeGradient}`}), `${numberText(largest, 3)} N`];
    const peak = (most, shown) => (most > 1.01 * shown ? `, peak ${numberText(most, 4)} N` : '');
    const parts = [
      ...(this.stage.ground.visible ? [[`grid ${numberText(this.stage.gridSpacing)} m`]] : []),
      ...(forces.showContacts && forces.contactScale > 0 ? [['contact force 0 ', ...scale(forces.contactScale), peak(forces.contactPeak, forces.contactScale)]] : []),
      ...(mapPicture.shown ? [...maps.quantities] : []).map(([quantity, {value, unit, isTop}]) => [`${quantity === 'pressure' ? 'pressure' : 'force per length'} 0 `, element('i', {class: 'scale', style: `background:${magnitudeGradient}`}), `${isTop ? '' : '≥ '}${prefixed(value, unit)}`]),
      ...(forces.showReactions && forces.reactionScale > 0 ? [['reaction 0 ', ...scale(forces.reactionScale), peak(forces.reactionPeak, forces.reactionScale)]] : []),
    ];
    $('legend').replaceChildren(...parts.map((part) => element('span', {}, ...part)));
  }

  /** Brings everything to the clock's time. */
  update() {
    this.stale = false;
    const {time} = this.clock;
    for (const {motion, bodies, trails, springs, forces, frames, closest, areas, mapPicture} of this.layers) {
      motion.update(time);
      bodies.update();
      trails.update(time);
      springs.update();
      forces.update(time);
      frames.update();
      closest.update(time);
      areas.update(time);
      mapPicture.update(time);
    }
    if (this.following >= 0) this.moveAlong();
    this.stage.invalidate();
  }

  moveAlong() {
    const now = this.layers[0].motion.bodies[this.following].p.clone().applyMatrix4(this.stage.world.matrix);
    const moved = now.clone().sub(this.followed);
    this.stage.camera.position.add(moved);
    this.stage.controls.target.add(moved);
    this.stage.controls.update();
    this.followed.copy(now);
  }

  select(index) {
    this.selected = index;
    for (const {bodies, frames, trails} of this.layers) {
      bodies.select(index);
      frames.body = index;
      if (trails.visible) trails.show(true);
    }
    this.update();
    this.onSelect(index);
  }

  follow(on) {
    this.following = on ? this.selected : -1;
    if (this.following >= 0) {
      this.followed.copy(this.layers[0].motion.bodies[this.following].p).applyMatrix4(this.stage.world.matrix);
    }
    return this.following >= 0;
  }

  showTrails(on) { for (const {trails} of this.layers) trails.show(on); this.update(); }
  showContacts(on) { for (const {forces, areas, mapPicture} of this.layers) forces.showContacts = areas.shown = mapPicture.shown = on; this.showLegend(); this.update(); }
  showReactions(on) { for (const {forces} of this.layers) forces.showReactions = on; this.showLegend(); this.update(); }
  showClosest(on) { for (const {closest} of this.layers) closest.shown = on; this.update(); }
  showMarkers(on) { for (const {frames} of this.layers) frames.markers.visible = on; this.update(); }
  wireframe(on) { for (const {bodies} of this.layers) for (const material of bodies.materials) material.wireframe = on; this.stage.invalidate(); }

  /** Cuts away what lies in front of a plane; `place` is -1 … 1 over the scene. */
  section(on, axis = 'y', place = 0) {
    this.stage.renderer.localClippingEnabled = on;
    const size = this.stage.turned.getSize(new THREE.Vector3()), centre = this.stage.turned.getCenter(new THREE.Vector3());
    this.plane.normal.set(axis === 'x' ? -1 : 0, axis === 'y' ? 1 : 0, axis === 'z' ? -1 : 0);
    const point = centre.clone();
    point[axis] += 0.5 * place * size[axis];
    this.plane.constant = -this.plane.normal.dot(point);
    for (const material of this.layers.flatMap(({bodies}) => bodies.materials)) {
      material.clippingPlanes = on ? [this.plane] : null;
      material.clipShadows = on;
      material.side = on ? THREE.DoubleSide : THREE.FrontSide;
      material.needsUpdate = true;
    }
    this.stage.invalidate();
  }

  setTheme(name) {
    this.stage.setTheme(name);
    for (const {bodies} of this.layers) bodies.theme = name, bodies.recolour();
  }

  /** A click that is not a drag selects. */
  listen(canvas) {
    let down = null;
    canvas.addEventListener('pointerdown', (event) => { down = [event.clientX, event.clientY]; });
    canvas.addEventListener('pointerup', (event) => {
      if (down && Math.hypot(event.clientX - down[0], event.clientY - down[1]) < 6) this.select(this.pick(event.clientX, event.clientY));
      down = null;
    });
    this.stage.controls.addEventListener('start', () => { this.stage.moved = true; });
    canvas.addEventListener('dblclick', () => this.home());
  }

  home() {
    this.stage.moved = false;
    this.stage.home();
    if (this.following >= 0) this.follow(true);
  }

  pick(x, y) {
    const {left, top, width, height} = this.stage.canvas.getBoundingClientRect();
    const raycaster = new THREE.Raycaster();
    raycaster.setFromCamera(new THREE.Vector2(2 * (x - left) / width - 1, 1 - 2 * (y - top) / height), this.stage.camera);
    return this.layers[0].bodies.pick(raycaster);
  }

  /** Where body `index` is on the screen, in pixels of the page. */
  locate(index) {
    const {left, top, width, height} = this.stage.canvas.getBoundingClientRect();
    const {motion, run} = this.layers[0], p = motion.point(index, run.bodies[index].com).applyMatrix4(this.stage.world.matrix).project(this.stage.camera);
    return [left + (p.x + 1) / 2 * width, top + (1 - p.y) / 2 * height];
  }
}

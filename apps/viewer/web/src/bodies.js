// The bodies of a run: the places of one mesh are drawn at once, so that a thousand bodies are
// a few draw calls.
import * as THREE from 'three';
import {makeCopies} from './copies.js';
import {planGlyphs, rodPlaces} from './glyphs.js';
import {accent, bodyColours, themes} from './palette.js';

const half = new THREE.Matrix4(), worldPose = new THREE.Matrix4();

function geometryOf(run, mesh) {
  const {positions, normals, corners} = run.mesh(mesh);
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(positions, 3));
  geometry.setAttribute('normal', new THREE.BufferAttribute(normals, 3, true));
  geometry.setIndex(new THREE.BufferAttribute(corners, 1));
  geometry.computeBoundingSphere();
  geometry.computeBoundingBox();
  return geometry;
}

function matrixOf([x, y, z, qw, qx, qy, qz]) {
  return new THREE.Matrix4().compose(new THREE.Vector3(x, y, z), new THREE.Quaternion(qx, qy, qz, qw), new THREE.Vector3(1, 1, 1));
}

/**
 * Caps where bodies are cut: what is seen through the cut of a closed surface are its back
 * faces, and they cover exactly the area of the cut. They are drawn flat and hatched.
 */
function drawCaps(shader) {
  shader.fragmentShader = shader.fragmentShader.replace('#include <dithering_fragment>', `#include <dithering_fragment>
    if (!gl_FrontFacing) {
      float line = smoothstep(0.8, 0.0, abs(mod(gl_FragCoord.x + gl_FragCoord.y, 9.0) - 4.5) - 0.6);
      gl_FragColor = linearToOutputTexel(vec4(mix(0.55, 0.2, line) * diffuseColor.rgb, opacity));
    }`);
}

/** When the last contact ended, if none that began has lasted; otherwise null. */
function lastParting({events}) {
  const lasting = new Set();
  for (const {kind, subject} of events) {
    if (kind === 'contact_begin') lasting.add(subject);
    else if (kind === 'contact_end') lasting.delete(subject);
  }
  const last = events[events.length - 1];
  return last?.kind === 'contact_end' && !lasting.size ? last.time : null;
}

export class Bodies {
  /**
   * `tint`: one colour for all, where several runs are laid over each other; `software`: whether
   * there is no graphics card; `level`: see show().
   */
  constructor(run, motion, level, {tint = null, ghost = false, software = false} = {}) {
    Object.assign(this, {run, motion, level, tint, ghost, software, selected: -1, theme: 'light'});
    this.group = new THREE.Group();
    this.looks = {instances: this.makeLook(false), written: this.makeLook(true)};
    this.materials = Object.values(this.looks).flatMap(({full, plain}) => [full, plain]);
    this.parts = [];  // {places: [{body, matrix}], fine, coarse: geometries, copies: what is shown, made: all so far}
    this.boxes = run.bodies.map(() => new THREE.Box3());
    this.shapeBoxes = [];  // {body, box}, in the axes of the body
    this.collect();
    this.show(level);
  }

  /** Materials with and without reflections; those without are for machines without a graphics card. */
  makeLook(vertexColors) {
    const common = {vertexColors, transparent: this.ghost, opacity: this.ghost ? 0.55 : 1};
    const look = {full: new THREE.MeshStandardMaterial({...common, roughness: 0.55, metalness: 0.05}), plain: new THREE.MeshLambertMaterial(common)};
    look.full.onBeforeCompile = look.plain.onBeforeCompile = drawCaps;
    return look;
  }

  collect() {
    const places = this.run.meshes.map(() => []), shapeless = [];
    this.run.bodies.forEach((body, index) => {
      let drawn = 0;
      for (const shape of body.shapes) {
        if (shape.mesh < 0) continue;
        if (this.run.meshes[shape.mesh].triangles === 0) continue;
        places[shape.mesh].push({body: index, matrix: matrixOf(shape.pose)});
        ++drawn;
      }
      if (!drawn && !body.shapes.some((s) => s.mesh < 0)) shapeless.push(index);
    });
    places.forEach((list, mesh) => {
      if (!list.length) return;
      const geometry = geometryOf(this.run, this.run.meshes[mesh]), coarse = this.run.coarse[mesh];
      for (const {body, matrix} of list) {
        const box = geometry.boundingBox.clone().applyMatrix4(matrix);
        this.boxes[body].union(box);
        this.shapeBoxes.push({body, box});
      }
      this.add(list, geometry, coarse && geometryOf(this.run, coarse));
    });
    this.glyphs = planGlyphs(this.run, this.boxes, shapeless);
    for (const {body, from, to} of this.glyphs.rods) this.boxes[body].expandByPoint(from).expandByPoint(to);
  }

  /** Draws what stands for things without a shape; `radius` [m] is that of a ball. Without anchors where there are many. */
  addGlyphs(radius) {
    const {balls, rods, anchors} = this.glyphs, count = balls.length + rods.length + anchors.length, many = count > 300;
    const ball = (around) => new THREE.SphereGeometry(radius, around, Math.ceil(0.6 * around));
    const bar = (sides) => new THREE.CylinderGeometry(1, 1, 1, sides, 1, many).translate(0, 0.5, 0);
    const add = (places, make, fine, coarse) => { if (places.length) this.add(places, make(fine), count > 30 && make(coarse)); };
    add(balls.map(({body, at}) => ({body, matrix: new THREE.Matrix4().makeTranslation(at)})), ball, many ? 12 : 24, many ? 6 : 10);
    add(rodPlaces(rods, 0.3 * radius), bar, many ? 8 : 16, many ? 3 : 6);
    const small = new THREE.Vector3().setScalar(0.55);
    if (!many) add(anchors.map((at) => ({body: -1, matrix: new THREE.Matrix4().makeTranslation(at).scale(small)})), ball, 24, 8);
    this.show(this.level);
  }

  add(places, fine, coarse = null) { this.parts.push({places, fine, coarse: coarse || fine, made: new Map()}); }

  makeCopies(geometry, count) {
    const copies = makeCopies(geometry, count, this.looks, this.software), {object} = copies;
    object.castShadow = object.receiveShadow = !this.ghost;
    object.frustumCulled = false;
    this.group.add(object);
    return copies;
  }

  /** `plain`: without reflections; `coarse`: with fewer triangles, where there are many bodies. */
  show(level) {
    this.level = level;
    for (const part of this.parts) {
      const geometry = level.coarse ? part.coarse : part.fine;
      if (!part.made.has(geometry)) part.made.set(geometry, this.makeCopies(geometry, part.places.length));
      part.copies = part.made.get(geometry);
      for (const copies of part.made.values()) copies.object.visible = copies === part.copies;
      const {object, looks} = part.copies;
      object.material = level.plain ? looks.plain : looks.full;
    }
    this.recolour();
    this.update();
  }

  colourOf(index) {
    if (index >= 0 && index === this.selected) return accent;
    if (this.tint) return this.tint;
    return this.run.bodies[index]?.fixed ?? true ? themes[this.theme].fixed : bodyColours[this.movingIndex(index) % bodyColours.length];
  }

  movingIndex(index) {
    let count = 0;
    for (let i = 0; i < index; ++i) if (!this.run.bodies[i].fixed) ++count;
    return count;
  }

  recolour() {
    const colour = new THREE.Color(), colours = this.run.bodies.map((_, i) => this.colourOf(i));
    for (const {copies, places} of this.parts) {
      places.forEach(({body}, i) => copies.colour(i, colour.set(colours[body] ?? this.colourOf(body))));
      copies.recoloured();
    }
  }

  /** Takes over the poses of the motion. */
  update() {
    for (const {copies, places} of this.parts) {
      for (let i = 0; i < places.length; ++i) {
        copies.place(i, half.multiplyMatrices(this.motion.bodies[places[i].body]?.matrix ?? worldPose, places[i].matrix));
      }
      copies.placed();
    }
  }

  /** Before each picture: `camera` is its place in the world. Cuts and wires show what faces away, too. */
  prepare(camera) {
    const {wireframe, clippingPlanes} = this.materials[0], backs = !this.level.coarse || wireframe || clippingPlanes;
    for (const {copies} of this.parts) copies.leaveOutBacks(backs ? null : camera);
  }

  /** The body under the ray, or -1. */
  pick(raycaster) {
    const [hit] = raycaster.intersectObjects(this.parts.map(({copies}) => copies.object), false);
    if (!hit) return -1;
    const {copies, places} = this.parts.find((part) => part.copies.object === hit.object);
    return places[copies.copyOf(hit)].body;
  }

  select(index) {
    this.selected = index;
    this.recolour();
  }

  /** Of each body [m]; infinite where nothing is drawn. */
  sizes() { return this.boxes.map((box) => (box.isEmpty() ? Infinity : box.getSize(new THREE.Vector3()).length())); }

  /** Box of all bodies that move (or stand) over the rows up to `last`. */
  sweep(last, fixed = false) {
    const samples = fixed ? 1 : Math.min(last + 1, Math.max(12, Math.min(80, Math.round(20000 / this.run.bodies.length))));
    const out = new THREE.Box3(), box = new THREE.Box3(), chosen = this.run.bodies.map((_, i) => i).filter((i) => this.run.bodies[i].fixed === fixed);
    for (let s = 0; s < Math.max(1, samples); ++s) {
      const row = samples > 1 ? Math.round(s * last / (samples - 1)) : 0;
      for (const i of chosen) {
        const body = this.motion.bodies[i];
        if (this.run.rows) this.motion.place(body, row, 0);
        if (this.boxes[i].isEmpty()) box.makeEmpty().expandByPoint(new THREE.Vector3(...this.run.bodies[i].com));
        else box.copy(this.boxes[i]);
        out.union(box.applyMatrix4(body.matrix));
      }
    }
    return out;
  }

  /** What the moving bodies sweep, and the standing ones as far as they are near. */
  sweptBox() {
    const {run} = this, extent = (box) => box.getSize(new THREE.Vector3()).length();
    let moving = this.sweep(run.rows - 1);
    const standing = this.sweep(0, true);
    if (moving.isEmpty()) return standing;
    for (const anchor of this.glyphs.anchors) moving.expandByPoint(anchor);
    const parted = lastParting(run);
    if (parted !== null) {  // what flies away in the end does not make the rest small
      const eventful = this.sweep(run.locate(parted).row);
      if (!eventful.isEmpty() && extent(eventful) < 0.5 * extent(moving)) moving = eventful;
    }
    if (standing.isEmpty()) return moving;
    const reach = extent(moving) || extent(standing);
    if (extent(standing) < 6 * reach) return moving.union(standing);
    return moving.clone().union(standing.intersect(moving.clone().expandByScalar(0.5 * reach)));
  }

  /** Boxes of standing shapes, and where moving bodies are during the run, in the world. */
  sights() {
    const blockers = this.shapeBoxes.filter(({body}) => this.run.bodies[body].fixed)
      .map(({body, box}) => box.clone().applyMatrix4(this.motion.bodies[body].matrix));
    const moving = this.motion.bodies.filter((body) => body.position).slice(0, 50), points = [], {rows} = this.run;
    for (let s = 0; s < Math.min(rows, 20); ++s) {
      for (const body of moving) {
        this.motion.place(body, Math.floor(s * rows / Math.min(rows, 20)), 0);
        points.push(body.p.clone());
      }
    }
    return {blockers, points};
  }
}

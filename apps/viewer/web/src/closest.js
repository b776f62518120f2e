// Closest points of watched pairs, apart or in overlap: a dot on each body, the line between
// them, and the frame of the contact at both (red and green: tangents; blue: the normal from
// the first body to the second).
//
// Read from contact(a,b).closest_a, .closest_b and .normal.
import * as THREE from 'three';
import {interpolate} from './forces.js';

const axisColours = [[0.85, 0.2, 0.2], [0.15, 0.6, 0.25], [0.2, 0.4, 0.95]];
const a = new THREE.Vector3(), b = new THREE.Vector3(), axes = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];

export function findPairs(run) {
  return run.columns.map(({name}) => /^(contact\(.*\)\S*)\.closest_a\.x$/.exec(name)?.[1]).filter(Boolean).map((name) => ({
    name, a: run.vector(`${name}.closest_a`), b: run.vector(`${name}.closest_b`), normal: run.vector(`${name}.normal`),
  })).filter((pair) => pair.a && pair.b);
}

/** Fills `axes` with tangents and normal; the first tangent is level where it can be. */
function frameOf(normal) {
  const [x, y, z] = axes;
  z.copy(normal).normalize();
  x.set(-z.y, z.x, 0);
  if (x.lengthSq() < 1e-8) x.set(1, 0, 0);
  x.normalize();
  y.crossVectors(z, x);
}

export class Closest {
  /** `radius`: half the extent of the scene [m]. */
  constructor(run, radius) {
    Object.assign(this, {run, radius, pairs: findPairs(run), shown: false, count: 0});
    const most = Math.max(1, this.pairs.length);
    this.dots = new THREE.InstancedMesh(new THREE.SphereGeometry(0.011 * radius, 12, 8),
      new THREE.MeshBasicMaterial({color: '#6741d9', depthTest: false, transparent: true}), 2 * most);
    // Seven lines for each pair: from point to point, and three axes at both.
    const geometry = new THREE.BufferGeometry();
    for (const name of ['position', 'color']) geometry.setAttribute(name, new THREE.BufferAttribute(new Float32Array(3 * 2 * 7 * most), 3));
    this.lines = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({vertexColors: true, depthTest: false, transparent: true}));
    this.group = new THREE.Group();
    for (const object of [this.lines, this.dots]) {
      object.frustumCulled = false;
      object.renderOrder = 3;
      object.raycast = () => {};
      this.group.add(object);
    }
    this.matrix = new THREE.Matrix4();
    this.normal = new THREE.Vector3();
  }

  update(t) {
    this.group.visible = this.shown && this.pairs.length > 0;
    if (!this.group.visible || !this.run.rows) return;
    const where = this.run.locate(t);
    this.vertex = this.count = 0;
    for (const pair of this.pairs) {
      if (!interpolate(pair.a, where, a) || !interpolate(pair.b, where, b)) continue;
      this.add(pair, where);
    }
    this.dots.count = 2 * this.count;
    this.dots.instanceMatrix.needsUpdate = true;
    const {attributes} = this.lines.geometry;
    attributes.position.needsUpdate = attributes.color.needsUpdate = true;
    this.lines.geometry.setDrawRange(0, this.vertex);
  }

  add(pair, where) {
    for (const [k, point] of [a, b].entries()) this.dots.setMatrixAt(2 * this.count + k, this.matrix.makeTranslation(point));
    ++this.count;
    this.line(a, b, [0.4, 0.25, 0.85]);
    if (!pair.normal || !interpolate(pair.normal, where, this.normal) || this.normal.lengthSq() < 0.25) return;
    frameOf(this.normal);
    const end = new THREE.Vector3();
    for (const point of [a, b]) axes.forEach((axis, k) => this.line(point, end.copy(point).addScaledVector(axis, 0.09 * this.radius), axisColours[k]));
  }

  line(from, to, colour) {
    const {position, color} = this.lines.geometry.attributes;
    for (const point of [from, to]) {
      position.setXYZ(this.vertex, point.x, point.y, point.z);
      color.setXYZ(this.vertex++, ...colour);
    }
  }
}

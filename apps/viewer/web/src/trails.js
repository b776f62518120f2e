// Where points have been: lines up to the cursor. And springs between their ends.
import * as THREE from 'three';
import {Line2} from 'three/examples/jsm/lines/Line2.js';
import {LineGeometry} from 'three/examples/jsm/lines/LineGeometry.js';
import {LineMaterial} from 'three/examples/jsm/lines/LineMaterial.js';

const mostLivePoints = 3000;

export class Trails {
  constructor(run, motion, bodies) {
    Object.assign(this, {run, motion, bodies, lines: new Map(), visible: false});
    this.group = new THREE.Group();
    const marked = new Set(run.markers.map((m) => m.body));
    // Markers say which points matter; bodies without one leave the trail of their centre.
    this.points = [
      ...run.markers.filter((m) => motion.moves(m.body)).map((m) => ({key: m.name, body: m.body, at: m.at})),
      ...run.bodies.map((b, i) => ({key: b.name, body: i, at: b.com})).filter((p) => motion.moves(p.body) && !marked.has(p.body)),
    ];
  }

  show(visible) {
    this.visible = visible;
    this.group.visible = visible;
    if (!visible) return;
    const most = 24, chosen = this.points.length <= most ? this.points : this.points.filter((p) => p.body === this.bodies.selected);
    for (const [key, line] of this.lines) line.visible = chosen.some((p) => p.key === key);
    for (const point of chosen) if (!this.lines.has(point.key)) this.add(point);
  }

  add(point) {
    if (this.run.rows < 2) return;
    const material = new LineMaterial({color: this.bodies.colourOf(point.body), linewidth: 2, transparent: true, opacity: 0.65});
    const line = new Line2(this.geometryOf(point), material);
    line.point = point;
    line.frustumCulled = false;
    line.raycast = () => {};
    this.lines.set(point.key, line);
    this.group.add(line);
  }

  /** Live runs grow, and their lines are made anew: some thousand points are enough for that. */
  geometryOf(point) {
    this.stride = this.run.capacity ? Math.max(1, Math.ceil(this.run.rows / mostLivePoints)) : 1;
    return new LineGeometry().setPositions(this.motion.path(point.body, point.at, this.stride));
  }

  /** Takes over rows that have come since. */
  refresh() {
    if (!this.visible || this.run.rows < 2) return;
    this.show(true);  // those that had no rows yet
    for (const line of this.lines.values()) {
      line.geometry.dispose();
      line.geometry = this.geometryOf(line.point);
    }
  }

  update(t) {
    if (!this.visible) return;
    const {row} = this.run.locate(t);
    for (const line of this.lines.values()) line.geometry.instanceCount = Math.floor(row / this.stride);
  }
}

const windings = 9, perWinding = 14, along = new THREE.Vector3(), turn = new THREE.Quaternion(), axis = new THREE.Vector3(0, 0, 1);

/** Coils between the ends of spring elements. */
export class Springs {
  constructor(run, motion, radius) {
    Object.assign(this, {run, motion, radius});
    this.group = new THREE.Group();
    this.material = new LineMaterial({color: '#8b96a3', linewidth: 2});
    this.lines = run.springs.map(() => {
      const line = new Line2(new LineGeometry(), this.material);
      line.frustumCulled = false;
      line.raycast = () => {};
      this.group.add(line);
      return line;
    });
    this.points = new Float32Array(3 * (windings * perWinding + 3));
  }

  update() {
    const p = new THREE.Vector3(), from = new THREE.Vector3(), to = new THREE.Vector3();
    this.run.springs.forEach((spring, i) => {
      this.motion.point(spring.from.body, spring.from.at, from);
      this.motion.point(spring.to.body, spring.to.at, to);
      const length = along.subVectors(to, from).length(), coil = Math.min(0.035 * this.radius, 0.15 * length || 1);
      turn.setFromUnitVectors(axis, length > 0 ? along.divideScalar(length) : axis);
      const put = (index, x, y, z) => p.set(x, y, z).applyQuaternion(turn).add(from).toArray(this.points, 3 * index);
      const steps = windings * perWinding;
      put(0, 0, 0, 0);
      for (let k = 0; k <= steps; ++k) {
        const angle = 2 * Math.PI * k / perWinding;
        put(k + 1, coil * Math.cos(angle), coil * Math.sin(angle), length * (0.08 + 0.84 * k / steps));
      }
      put(steps + 2, 0, 0, length);
      this.lines[i].geometry.setPositions(this.points);
    });
  }
}

/** Axes (red x, green y, blue z) of one body, and crosses at markers. */
export class Frames {
  constructor(run, motion, radius) {
    Object.assign(this, {run, motion});
    this.axes = new THREE.AxesHelper(0.28 * radius);
    this.axes.material.depthTest = false;
    this.axes.renderOrder = 4;
    this.axes.matrixAutoUpdate = false;
    this.axes.visible = false;
    this.axes.raycast = () => {};
    this.markers = new THREE.InstancedMesh(
      new THREE.OctahedronGeometry(0.016 * radius), new THREE.MeshBasicMaterial({color: '#7b6fd0'}), Math.max(1, run.markers.length));
    this.markers.frustumCulled = false;
    this.markers.visible = false;
    this.markers.raycast = () => {};
    this.group = new THREE.Group();
    this.group.add(this.axes, this.markers);
    this.body = -1;
  }

  update() {
    this.axes.visible = this.body >= 0;
    if (this.body >= 0) this.axes.matrix.copy(this.motion.bodies[this.body].matrix);
    this.axes.matrixWorldNeedsUpdate = true;
    if (!this.markers.visible) return;
    const p = new THREE.Vector3(), matrix = new THREE.Matrix4();
    this.run.markers.forEach((m, i) => {
      this.motion.point(m.body, m.at, p);
      this.markers.setMatrixAt(i, matrix.makeTranslation(p.x, p.y, p.z));
    });
    this.markers.count = this.run.markers.length;
    this.markers.instanceMatrix.needsUpdate = true;
  }
}

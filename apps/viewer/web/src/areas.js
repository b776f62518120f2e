// Contact areas, where a run records several points of a contact (idealised surfaces): the
// points that touch, joined in their order around the middle. Three and more bound a face, two
// a line.
//
// Read from contact(a,b).1.point, contact(a,b).2.point … and their .phi.
import * as THREE from 'three';
import {interpolate} from './forces.js';

const middle = new THREE.Vector3(), normal = new THREE.Vector3(), u = new THREE.Vector3(), v = new THREE.Vector3();

/** [{name, points: [{point, phi}]}] of all contacts with numbered points. */
export function findAreas(run) {
  const areas = new Map();
  for (const {name} of run.columns) {
    const match = /^(contact\(.*\))\.(\d+)\.point\.x$/.exec(name);
    if (!match) continue;
    const prefix = `${match[1]}.${match[2]}`;
    if (!areas.has(match[1])) areas.set(match[1], []);
    areas.get(match[1]).push({point: run.vector(`${prefix}.point`), phi: run.column(`${prefix}.phi`)});
  }
  return [...areas].map(([name, points]) => ({name, points})).filter(({points}) => points.length > 1);
}

/** Orders points of a plane around their middle; two and fewer stay as they are. */
export function around(points) {
  if (points.length < 3) return points;
  middle.set(0, 0, 0);
  for (const p of points) middle.addScaledVector(p, 1 / points.length);
  u.subVectors(points[0], middle);
  normal.set(0, 0, 0);
  for (const p of points) {  // the largest of the cross products: the others may be all but parallel
    v.subVectors(p, middle).cross(u);
    if (v.lengthSq() > normal.lengthSq()) normal.copy(v);
  }
  if (!(normal.lengthSq() > 0)) return points;
  v.crossVectors(normal.normalize(), u);
  const angle = (p) => Math.atan2(p.clone().sub(middle).dot(v) / v.lengthSq(), p.clone().sub(middle).dot(u) / u.lengthSq());
  return points.map((p) => ({p, at: angle(p)})).sort((a, b) => a.at - b.at).map(({p}) => p);
}

export class Areas {
  constructor(run) {
    Object.assign(this, {run, areas: findAreas(run), shown: true});
    const most = Math.max(1, this.areas.reduce((count, {points}) => count + points.length, 0));
    const buffer = (vertices) => new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(new Float32Array(3 * vertices), 3));
    this.faces = new THREE.Mesh(buffer(3 * most), new THREE.MeshBasicMaterial({color: '#d6336c', transparent: true, opacity: 0.35, side: THREE.DoubleSide, depthTest: false}));
    this.rims = new THREE.LineSegments(buffer(2 * most), new THREE.LineBasicMaterial({color: '#d6336c', depthTest: false, transparent: true}));
    this.group = new THREE.Group();
    for (const object of [this.faces, this.rims]) {
      object.frustumCulled = false;
      object.renderOrder = 2;
      object.raycast = () => {};
      this.group.add(object);
    }
  }

  update(t) {
    this.group.visible = this.shown && this.areas.length > 0;
    if (!this.group.visible || !this.run.rows) return;
    const where = this.run.locate(t);
    this.corners = this.ends = 0;
    for (const {points} of this.areas) {
      const touching = points.filter(({phi}) => !phi || phi[where.row] <= 0).map(({point}) => ({point, p: new THREE.Vector3()}))
        .filter(({point, p}) => interpolate(point, where, p)).map(({p}) => p);
      if (touching.length > 1) this.add(around(touching));
    }
    for (const [object, count] of [[this.faces, this.corners], [this.rims, this.ends]]) {
      object.geometry.setDrawRange(0, count);
      object.geometry.attributes.position.needsUpdate = true;
    }
  }

  add(points) {
    const faces = this.faces.geometry.attributes.position, rims = this.rims.geometry.attributes.position;
    const put = (attribute, index, p) => attribute.setXYZ(index, p.x, p.y, p.z);
    for (let i = 1; i + 1 < points.length; ++i) for (const p of [points[0], points[i], points[i + 1]]) put(faces, this.corners++, p);
    for (let i = 0; i < (points.length > 2 ? points.length : 1); ++i) for (const p of [points[i], points[(i + 1) % points.length]]) put(rims, this.ends++, p);
  }
}

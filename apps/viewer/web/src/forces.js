// Contacts and forces: points, normals and arrows at the cursor.
//
// Contacts are found by their channels' names: contact(a,b).point.x|y|z, .normal.x|y|z,
// .force.x|y|z. Joints show their reaction on the child, <joint>.reaction_force.
import * as THREE from 'three';
import {Arrows} from './arrows.js';

const at = new THREE.Vector3(), vector = new THREE.Vector3();

/** The value of three columns between rows, in `out`; false where it is not a number. */
export function interpolate(columns, {row, share}, out) {
  const next = share > 0 ? row + 1 : row;
  const value = (c) => (Number.isFinite(c[next]) ? c[row] + share * (c[next] - c[row]) : c[row]);
  out.set(value(columns[0]), value(columns[1]), value(columns[2]));
  return Number.isFinite(out.x + out.y + out.z);
}

/** The largest length that a vector has over the run. */
function largest([x, y, z]) {
  let most = 0;
  for (let i = 0; i < x.length; ++i) {
    const size = x[i] * x[i] + y[i] * y[i] + z[i] * z[i];
    if (size > most) most = size;
  }
  return Math.sqrt(most);
}

/** The largest that a vector has between rows. */
function largestPeak(run, name) {
  const [x, y, z] = ['x', 'y', 'z'].map((axis) => run.peaksOf(`${name}.${axis}`));
  return Math.max(0, ...x.map(([, v], i) => Math.hypot(v, y[i]?.[1] ?? 0, z[i]?.[1] ?? 0)));
}

/**
 * How large the marks of a contact are: those of bodies that are small in the scene are smaller,
 * so that they do not hide them. `sizes`: of the bodies [m]; contacts of named surfaces count as
 * those of the smallest body that moves.
 */
function markSize(run, name, sizes, radius) {
  const parts = /^contact\(([^,]*),([^)]*)\)/.exec(name)?.slice(1) ?? [];
  const touching = run.bodies.flatMap((b, i) => (parts.some((part) => part === b.name || part.startsWith(`${b.name}.`)) ? [sizes[i]] : []));
  const smallest = Math.min(...(touching.length ? touching : sizes.filter((_, i) => !run.bodies[i].fixed)));
  return Math.min(1, Math.max(0.3, smallest / (0.22 * radius)));
}

export function findContacts(run) {
  const contacts = [];
  for (const {name} of run.columns) {
    const match = /^(contact\(.*\)\S*)\.point\.x$/.exec(name);
    if (!match) continue;
    const prefix = match[1];
    contacts.push({
      name: prefix, point: run.vector(`${prefix}.point`), normal: run.vector(`${prefix}.normal`),
      force: run.vector(`${prefix}.force`), phi: run.column(`${prefix}.phi`),
    });
  }
  // Where the points of a contact are recorded one by one, they are drawn in place of their sum.
  const named = new Set(contacts.map(({name}) => name));
  return contacts.filter(({name, point}) => point && !named.has(`${name}.1`));
}

export class Forces {
  /** `radius`: half the extent of the scene; `sizes`: of the bodies [m]. */
  constructor(run, motion, radius, sizes) {
    Object.assign(this, {run, motion, radius, showContacts: true, showReactions: false});
    this.contacts = findContacts(run);
    for (const contact of this.contacts) contact.size = markSize(run, contact.name, sizes, radius);
    this.reactions = run.joints
      .map((joint) => ({joint, force: run.vector(`${joint.name}.reaction_force`)}))
      .filter(({joint, force}) => force && joint.child >= 0);
    this.contactScale = Math.max(0, ...this.contacts.filter((c) => c.force).map((c) => largest(c.force)));
    this.reactionScale = Math.max(0, ...this.reactions.map((r) => largest(r.force)));
    this.contactPeak = Math.max(0, ...this.contacts.map((c) => largestPeak(run, `${c.name}.force`)));
    this.reactionPeak = Math.max(0, ...this.reactions.map((r) => largestPeak(run, `${r.joint.name}.reaction_force`)));
    this.arrows = new Arrows(2 * this.contacts.length + this.reactions.length, 0.009 * radius);
    this.dots = new THREE.InstancedMesh(
      new THREE.SphereGeometry(0.014 * radius, 12, 8),
      new THREE.MeshBasicMaterial({color: '#d6336c', depthTest: false, transparent: true}), Math.max(1, this.contacts.length));
    this.dots.frustumCulled = false;
    this.dots.renderOrder = 3;
    this.dots.raycast = () => {};
    this.group = new THREE.Group();
    this.group.add(this.arrows.group, this.dots);
    this.matrix = new THREE.Matrix4();
  }

  update(t) {
    const where = this.run.locate(t);
    this.arrows.clear();
    let dots = 0;
    if (this.showContacts && this.run.rows) {
      for (const contact of this.contacts) dots += this.addContact(contact, where, dots);
    }
    if (this.showReactions && this.run.rows) {
      for (const {joint, force} of this.reactions) {
        if (!interpolate(force, where, vector)) continue;
        this.motion.point(joint.child, joint.at, at);
        this.addForce(this.reactionScale);
      }
    }
    this.arrows.finish();
    this.dots.count = dots;
    this.dots.visible = dots > 0;
    this.dots.instanceMatrix.needsUpdate = true;
  }

  /** 1 if the contact is closed at this instant and was drawn, otherwise 0. */
  addContact(contact, where, index) {
    if (!interpolate(contact.point, where, at)) return 0;
    const touching = contact.phi ? contact.phi[where.row] <= 0 : true;
    const pushing = contact.force && interpolate(contact.force, where, vector) && vector.lengthSq() > 0;
    if (!touching && !pushing) return 0;
    const {size} = contact;
    this.dots.setMatrixAt(index, this.matrix.makeScale(size, size, size).setPosition(at));
    if (pushing) this.addForce(this.contactScale, size);
    if (contact.normal && interpolate(contact.normal, where, vector)) {
      this.arrows.add(at, vector.multiplyScalar(0.12 * size * this.radius), 0, '#8a94a0', 0.8 * size);
    }
    return 1;
  }

  addForce(scale, size = 1) {
    const share = vector.length() / (scale || 1);
    this.arrows.add(at, vector.multiplyScalar(0.4 * this.radius / (scale || 1)), share, null, size);
  }
}

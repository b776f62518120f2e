// The bodies of a run: one InstancedMesh per mesh, so that a thousand bodies are a few
// draw calls.
import * as THREE from 'three';
import {accent, bodyColours, themes} from './palette.js';

const half = new THREE.Matrix4();

function geometryOf(run, index) {
  const {positions, normals, corners} = run.mesh(index);
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

export class Bodies {
  /** `tint`: one colour for all, where several runs are laid over each other. */
  constructor(run, motion, {tint = null, ghost = false} = {}) {
    Object.assign(this, {run, motion, tint, ghost, selected: -1, hovered: -1, theme: 'light'});
    this.group = new THREE.Group();
    this.material = new THREE.MeshStandardMaterial({
      roughness: 0.55, metalness: 0.05, transparent: ghost, opacity: ghost ? 0.55 : 1,
    });
    this.plain = new THREE.MeshLambertMaterial({transparent: ghost, opacity: ghost ? 0.55 : 1});
    this.materials = [this.material, this.plain];
    this.parts = [];  // {object, places: [{body, matrix}]}
    this.boxes = run.bodies.map(() => new THREE.Box3());
    this.collect();
    this.recolour();
  }

  collect() {
    const places = this.run.meshes.map(() => []);
    this.glyphs = [];
    this.run.bodies.forEach((body, index) => {
      let drawn = 0;
      for (const shape of body.shapes) {
        if (shape.mesh < 0) continue;
        if (this.run.meshes[shape.mesh].triangles === 0) continue;
        places[shape.mesh].push({body: index, matrix: matrixOf(shape.pose)});
        ++drawn;
      }
      if (!drawn && !body.shapes.some((s) => s.mesh < 0)) this.glyphs.push(index);
    });
    places.forEach((list, mesh) => {
      if (!list.length) return;
      const geometry = geometryOf(this.run, mesh);
      for (const {body, matrix} of list) this.boxes[body].union(geometry.boundingBox.clone().applyMatrix4(matrix));
      this.add(geometry, list);
    });
  }

  /**
   * Bodies without a shape: a ball of `radius` [m] at the centre of mass, and rods from it
   * to the joints.
   */
  addGlyphs(radius) {
    if (!this.glyphs.length) return;
    const balls = [], rods = [], along = new THREE.Vector3(), turn = new THREE.Quaternion(), axis = new THREE.Vector3(0, 1, 0);
    for (const body of this.glyphs) {
      const com = new THREE.Vector3(...this.run.bodies[body].com);
      balls.push({body, matrix: new THREE.Matrix4().makeTranslation(com.x, com.y, com.z)});
      for (const joint of this.run.joints) {
        const end = joint.child === body ? joint.at : joint.parent === body ? joint.parentAt : null;
        if (!end) continue;
        const length = along.set(...end).sub(com).length();
        if (length < radius) continue;
        turn.setFromUnitVectors(axis, along.divideScalar(length));
        rods.push({body, matrix: new THREE.Matrix4().compose(com, turn, new THREE.Vector3(0.4 * radius, length, 0.4 * radius))});
      }
    }
    this.add(new THREE.SphereGeometry(radius, 24, 16), balls);
    if (rods.length) this.add(new THREE.CylinderGeometry(1, 1, 1, 16).translate(0, 0.5, 0), rods);
    this.recolour();
  }

  add(geometry, places) {
    const object = new THREE.InstancedMesh(geometry, this.material, places.length);
    object.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    object.castShadow = !this.ghost;
    object.receiveShadow = !this.ghost;
    object.frustumCulled = false;
    this.parts.push({object, places});
    this.group.add(object);
  }

  /** Without reflections, for machines without a graphics card. */
  usePlain(plain) {
    for (const {object} of this.parts) object.material = plain ? this.plain : this.material;
  }

  colourOf(index) {
    if (index === this.selected) return accent;
    if (this.tint) return this.tint;
    return this.run.bodies[index].fixed ? themes[this.theme].fixed : bodyColours[this.movingIndex(index) % bodyColours.length];
  }

  movingIndex(index) {
    let count = 0;
    for (let i = 0; i < index; ++i) if (!this.run.bodies[i].fixed) ++count;
    return count;
  }

  recolour() {
    const colour = new THREE.Color(), colours = this.run.bodies.map((_, i) => this.colourOf(i));
    for (const {object, places} of this.parts) {
      places.forEach(({body}, i) => object.setColorAt(i, colour.set(colours[body])));
      if (object.instanceColor) object.instanceColor.needsUpdate = true;
    }
  }

  /** Takes over the poses of the motion. */
  update() {
    for (const {object, places} of this.parts) {
      places.forEach(({body, matrix}, i) => {
        object.setMatrixAt(i, half.multiplyMatrices(this.motion.bodies[body].matrix, matrix));
      });
      object.instanceMatrix.needsUpdate = true;
      object.boundingSphere = null;  // picking asks for it anew
    }
  }

  /** The body under the ray, or -1. */
  pick(raycaster) {
    const hits = raycaster.intersectObjects(this.parts.map((part) => part.object), false);
    if (!hits.length) return -1;
    const part = this.parts.find(({object}) => object === hits[0].object);
    return part.places[hits[0].instanceId].body;
  }

  select(index) {
    this.selected = index;
    this.recolour();
  }

  /** What the moving bodies sweep, and the standing ones as far as they are near. */
  sweptBox() {
    const moving = new THREE.Box3(), standing = new THREE.Box3(), rows = this.run.rows;
    const samples = Math.min(rows, 80), corner = new THREE.Box3();
    for (let s = 0; s < Math.max(1, samples); ++s) {
      const row = samples > 1 ? Math.round(s * (rows - 1) / (samples - 1)) : 0;
      if (rows) for (const body of this.motion.bodies) this.motion.place(body, row, 0);
      this.run.bodies.forEach((body, i) => {
        const box = this.boxes[i].isEmpty() ? corner.set(new THREE.Vector3(...body.com), new THREE.Vector3(...body.com)) : corner.copy(this.boxes[i]);
        (body.fixed ? standing : moving).union(box.applyMatrix4(this.motion.bodies[i].matrix));
      });
    }
    if (moving.isEmpty()) return standing;
    if (standing.isEmpty()) return moving;
    const reach = moving.getSize(new THREE.Vector3()).length() || standing.getSize(new THREE.Vector3()).length();
    return moving.clone().union(standing.intersect(moving.clone().expandByScalar(0.6 * reach)));
  }
}

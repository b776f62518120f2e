// Arrows, drawn all at once: shafts and heads are two instanced meshes.
import * as THREE from 'three';
import {magnitudeColour} from './palette.js';

const axis = new THREE.Vector3(0, 1, 0), turn = new THREE.Quaternion(), matrix = new THREE.Matrix4();
const place = new THREE.Vector3(), size = new THREE.Vector3(), direction = new THREE.Vector3(), colour = new THREE.Color();

export class Arrows {
  /** `width` is the shaft's radius [m]. */
  constructor(capacity, width) {
    this.width = width;
    this.material = new THREE.MeshLambertMaterial();
    const shaft = new THREE.CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0);
    const head = new THREE.ConeGeometry(1, 1, 16).translate(0, 0.5, 0);
    this.parts = [shaft, head].map((geometry) => {
      const mesh = new THREE.InstancedMesh(geometry, this.material, Math.max(1, capacity));
      mesh.frustumCulled = false;
      mesh.castShadow = true;
      mesh.raycast = () => {};
      mesh.setColorAt(0, colour.set('#fff'));
      return mesh;
    });
    this.group = new THREE.Group();
    this.group.add(...this.parts);
    this.clear();
  }

  clear() { this.count = 0; }

  /** From `at` along `vector` (a Vector3 of the wished length [m]); `share` 0…1 colours it, `thick` scales its width. */
  add(at, vector, share, fixedColour = null, thick = 1) {
    const length = vector.length();
    if (!(length > 0.2 * this.width)) return;
    const head = Math.min(0.5 * length, 5.5 * thick * this.width), slim = Math.min(thick, length / (6 * this.width));
    turn.setFromUnitVectors(axis, direction.copy(vector).divideScalar(length));
    this.parts[0].setMatrixAt(this.count, matrix.compose(at, turn, size.set(this.width * slim, length - head, this.width * slim)));
    place.copy(at).addScaledVector(direction, length - head);
    this.parts[1].setMatrixAt(this.count, matrix.compose(place, turn, size.set(2.6 * this.width * slim, head, 2.6 * this.width * slim)));
    colour.set(fixedColour ?? magnitudeColour(share));
    for (const part of this.parts) part.setColorAt(this.count, colour);
    ++this.count;
  }

  finish() {
    for (const part of this.parts) {
      part.count = this.count;
      part.visible = this.count > 0;
      part.instanceMatrix.needsUpdate = true;
      part.instanceColor.needsUpdate = true;
    }
  }
}

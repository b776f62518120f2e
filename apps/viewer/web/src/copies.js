// Many places of one mesh, drawn at once. Two ways that look the same:
//
// Instances: the graphics card places the copies; one matrix each goes to it per picture.
// Written: the vertices of all copies are placed here. A renderer in software begins anew for
// every instance (some 50 microseconds with SwiftShader, however small the mesh), so there a
// thousand small bodies are drawn several times faster as one large mesh.
import * as THREE from 'three';

const mostWritten = 400000;  // vertices that are placed here for each picture, at most

export class Instances {
  constructor(geometry, count, looks) {
    this.looks = looks.instances;
    this.object = new THREE.InstancedMesh(geometry, this.looks.full, count);
    this.object.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
  }

  place(index, matrix) { matrix.toArray(this.object.instanceMatrix.array, 16 * index); }
  colour(index, colour) { this.object.setColorAt(index, colour); }
  recoloured() { if (this.object.instanceColor) this.object.instanceColor.needsUpdate = true; }

  placed() {
    this.object.instanceMatrix.needsUpdate = true;
    this.object.boundingSphere = null;  // picking asks for it anew
  }

  copyOf(hit) { return hit.instanceId; }
}

/** `values` of all vertices, once for each of `count` copies. */
function repeat(values, count, add = 0) {
  const out = new (add ? Uint32Array : Float32Array)(values.length * count);
  for (let copy = 0; copy < count; ++copy) {
    for (let i = 0, at = copy * values.length; i < values.length; ++i) out[at + i] = values[i] + copy * add;
  }
  return out;
}

export class Written {
  constructor(geometry, count, looks) {
    const {position, normal} = geometry.attributes, vertices = position.count;
    Object.assign(this, {looks: looks.written, vertices, triangles: geometry.index.count / 3});
    this.points = Float32Array.from(position.array);
    this.normals = Float32Array.from({length: 3 * vertices}, (_, i) => normal.getComponent(Math.floor(i / 3), i % 3));
    const all = new THREE.BufferGeometry(), attribute = (array) => new THREE.BufferAttribute(array, 3).setUsage(THREE.DynamicDrawUsage);
    all.setAttribute('position', attribute(repeat(this.points, count)));
    all.setAttribute('normal', attribute(repeat(this.normals, count)));
    all.setAttribute('color', new THREE.BufferAttribute(new Float32Array(3 * vertices * count), 3));
    all.setIndex(new THREE.BufferAttribute(repeat(geometry.index.array, count, vertices), 1));
    this.object = new THREE.Mesh(all, this.looks.full);
  }

  /** Points by the matrix; normals by its inverse transpose, column k over its length squared. */
  place(index, {elements: m}) {
    const {points, normals, vertices} = this, {position, normal} = this.object.geometry.attributes;
    const p = position.array, n = normal.array, end = 3 * vertices, at = index * end;
    const a = 1 / (m[0] * m[0] + m[1] * m[1] + m[2] * m[2]), b = 1 / (m[4] * m[4] + m[5] * m[5] + m[6] * m[6]);
    const c = 1 / (m[8] * m[8] + m[9] * m[9] + m[10] * m[10]);
    const [m0, m1, m2, , m4, m5, m6, , m8, m9, m10, , m12, m13, m14] = m;
    for (let i = 0; i < end; i += 3) {
      const x = points[i], y = points[i + 1], z = points[i + 2], j = at + i;
      p[j] = m0 * x + m4 * y + m8 * z + m12;
      p[j + 1] = m1 * x + m5 * y + m9 * z + m13;
      p[j + 2] = m2 * x + m6 * y + m10 * z + m14;
      const u = a * normals[i], v = b * normals[i + 1], w = c * normals[i + 2];
      n[j] = m0 * u + m4 * v + m8 * w;
      n[j + 1] = m1 * u + m5 * v + m9 * w;
      n[j + 2] = m2 * u + m6 * v + m10 * w;
    }
  }

  colour(index, {r, g, b}) {
    const {array} = this.object.geometry.attributes.color;
    for (let i = 0, at = 3 * this.vertices * index; i < this.vertices; ++i, at += 3) array[at] = r, array[at + 1] = g, array[at + 2] = b;
  }

  recoloured() { this.object.geometry.attributes.color.needsUpdate = true; }

  placed() {
    const {geometry} = this.object;
    geometry.attributes.position.needsUpdate = geometry.attributes.normal.needsUpdate = true;
    geometry.boundingSphere = geometry.boundingBox = null;  // picking asks for them anew
  }

  copyOf(hit) { return Math.floor(hit.faceIndex / this.triangles); }
}

/** The faster of the two ways; `looks` has a full and a plain material for each. */
export function makeCopies(geometry, count, looks, software) {
  const few = count < 8 || count * geometry.attributes.position.count > mostWritten;
  return new (software && !few ? Written : Instances)(geometry, count, looks);
}

// Many places of one mesh, drawn at once. Two ways that look the same:
//
// Instances: the graphics card places the copies; one matrix each goes to it per picture.
// Written: the vertices of all copies are placed here. A renderer in software begins anew for
// every instance (some 50 microseconds with SwiftShader, however small the mesh), so there a
// thousand small bodies are drawn several times faster as one large mesh. Its time goes with
// the triangles, so those that face away may be left out here as well.
import * as THREE from 'three';

const mostWritten = 400000;  // vertices that are placed here for each picture, at most
const inverse = new THREE.Matrix4(), eye = new THREE.Vector3();

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

  leaveOutBacks() {}  // the graphics card does
  copyOf(hit) { return hit.instanceId; }
}

/** Of each triangle the plane a x + b y + c z = d, whose normal points out of the body. */
function planesOf({attributes: {position}, index}) {
  const out = new Float32Array(4 * index.count / 3), corner = [0, 1, 2].map(() => new THREE.Vector3()), normal = new THREE.Vector3();
  for (let t = 0; 3 * t < index.count; ++t) {
    corner.forEach((p, k) => p.fromBufferAttribute(position, index.getX(3 * t + k)));
    const [a, b, c] = corner;
    normal.subVectors(b, a).cross(c.sub(a)).normalize().toArray(out, 4 * t);
    out[4 * t + 3] = normal.dot(a);
  }
  return out;
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
    this.matrices = new Float64Array(16 * count);
    this.corners = geometry.index.array;
    this.allCorners = all.index.array.slice();
    this.planes = planesOf(geometry);
  }

  /** Points by the matrix; normals by its inverse transpose, column k over its length squared. */
  place(index, {elements: m}) {
    this.matrices.set(m, 16 * index);
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

  /** Draws only triangles that face `camera` (in the axes of the places); all of them where it is null. */
  leaveOutBacks(camera) {
    const {geometry} = this.object, {index} = geometry;
    if (!camera && !this.partial) return;
    this.partial = Boolean(camera);
    if (camera) geometry.setDrawRange(0, this.writeFronts(camera, index.array));
    else index.array.set(this.allCorners), geometry.setDrawRange(0, Infinity);
    index.needsUpdate = true;
  }

  /** How many corners it wrote. Triangles seen edge-on to a thousandth are the renderer's to judge. */
  writeFronts(camera, out) {
    const {planes, corners, triangles, vertices, matrices} = this;
    let at = 0;
    for (let copy = 0; 16 * copy < matrices.length; ++copy) {
      const {x, y, z} = eye.copy(camera).applyMatrix4(inverse.fromArray(matrices, 16 * copy).invert()), shift = copy * vertices;
      const slack = 1e-3 * Math.hypot(x, y, z);
      for (let t = 0; t < triangles; ++t) {
        if (planes[4 * t] * x + planes[4 * t + 1] * y + planes[4 * t + 2] * z + slack < planes[4 * t + 3]) continue;
        for (let k = 3 * t; k < 3 * t + 3; ++k) out[at++] = corners[k] + shift;
      }
    }
    return at;
  }

  copyOf(hit) { return Math.floor(this.object.geometry.index.array[3 * hit.faceIndex] / this.vertices); }
}

/** The faster of the two ways; `looks` has a full and a plain material for each. */
export function makeCopies(geometry, count, looks, software) {
  const few = count < 8 || count * geometry.attributes.position.count > mostWritten;
  return new (software && !few ? Written : Instances)(geometry, count, looks);
}

// A picture of the view, and the scene at the cursor as GLB.
import * as THREE from 'three';
import {download, notify} from './ui.js';

export function saveScreenshot(stage, name) {
  stage.render(true);
  return new Promise((resolve) => {
    stage.canvas.toBlob((blob) => {
      download(`${name}.png`, blob);
      notify(`Saved ${name}.png`);
      resolve(blob.size);
    }, 'image/png');
  });
}

/**
 * Bodies as nodes with their names, in metres; glTF's up is y. Where the run moves, the
 * bodies carry an animation.
 */
export async function saveGlb(run, motion, bodies, clock, name) {
  const {GLTFExporter} = await import('three/examples/jsm/exporters/GLTFExporter.js');
  const root = new THREE.Group();
  root.name = run.name || name;
  root.quaternion.setFromUnitVectors(new THREE.Vector3(...run.up), new THREE.Vector3(0, 1, 0));
  const nodes = run.bodies.map((body, i) => {
    const node = new THREE.Group();
    node.name = body.name;
    motion.bodies[i].matrix.decompose(node.position, node.quaternion, node.scale);
    root.add(node);
    return node;
  });
  for (const {fine, places} of bodies.parts) {
    for (const {body, matrix} of places) {
      const mesh = new THREE.Mesh(fine, new THREE.MeshStandardMaterial({color: bodies.colourOf(body), roughness: 0.6}));
      matrix.decompose(mesh.position, mesh.quaternion, mesh.scale);
      (nodes[body] ?? root).add(mesh);
    }
  }
  const animations = run.rows > 1 ? [animationOf(run, motion, nodes)] : [];
  const data = await new GLTFExporter().parseAsync(root, {binary: true, animations, onlyVisible: false});
  clock.changed();  // the poses of the cursor are back
  download(`${name}.glb`, new Blob([data], {type: 'model/gltf-binary'}));
  notify(`Saved ${name}.glb`);
  return data.byteLength;
}

const mostFrames = 600;

function animationOf(run, motion, nodes) {
  const stride = Math.max(1, Math.ceil(run.rows / mostFrames)), rows = [];
  for (let row = 0; row < run.rows; row += stride) rows.push(row);
  const times = rows.map((row) => run.time[row] - run.start), tracks = [];
  motion.bodies.forEach((body, i) => {
    if (!body.position) return;
    const positions = [], turns = [];
    for (const row of rows) {
      motion.place(body, row, 0);
      positions.push(...body.p.toArray());
      turns.push(...body.q.toArray());
    }
    tracks.push(new THREE.VectorKeyframeTrack(`${nodes[i].uuid}.position`, times, positions),
      new THREE.QuaternionKeyframeTrack(`${nodes[i].uuid}.quaternion`, times, turns));
  });
  return new THREE.AnimationClip(run.name || 'run', -1, tracks);
}

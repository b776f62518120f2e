// What stands for things that have no shape of their own: a ball for a body without one, a
// rod from a body to a joint that lies outside of it, a small ball where a joint is held by
// the world.
import * as THREE from 'three';

const turning = ['revolute', 'universal', 'spherical'];

/** Both ends of every joint: {body, end}, `end` in the axes of the body. */
function ends(run) {
  return run.joints.flatMap((joint) => [{body: joint.child, end: joint.at}, {body: joint.parent, end: joint.parentAt}])
    .filter(({body}) => body >= 0).map(({body, end}) => ({body, end: new THREE.Vector3(...end)}));
}

/**
 * {balls: [{body, at}], rods: [{body, from, to}], anchors: [at]}. `boxes` are those of the
 * bodies' shapes, empty where there are none; `shapeless` lists the bodies to draw as balls.
 */
export function planGlyphs(run, boxes, shapeless) {
  const balls = shapeless.map((body) => ({body, at: new THREE.Vector3(...run.bodies[body].com)})), rods = [];
  const size = new THREE.Vector3();
  for (const {body, end} of ends(run)) {
    const box = boxes[body], ball = balls.find((b) => b.body === body);
    if (box.isEmpty() && !ball) continue;
    const from = ball ? ball.at : box.clampPoint(end, new THREE.Vector3());
    if (ball || from.distanceTo(end) > 0.1 * box.getSize(size).length()) rods.push({body, from, to: end});
  }
  const anchors = run.joints.filter((joint) => joint.parent < 0 && turning.includes(joint.kind)).map((joint) => new THREE.Vector3(...joint.parentAt));
  return {balls, rods, anchors};
}

/** Where the rods are, as matrices for a cylinder of radius 1 and length 1 along y from the origin. */
export function rodPlaces(rods, radius) {
  const axis = new THREE.Vector3(0, 1, 0), along = new THREE.Vector3(), turn = new THREE.Quaternion();
  return rods.map(({body, from, to}) => ({body, from, length: along.subVectors(to, from).length(), turn: turn.setFromUnitVectors(axis, along.normalize()).clone()}))
    .filter(({length}) => length > radius)
    .map(({body, from, length, turn: q}) => ({body, matrix: new THREE.Matrix4().compose(from, q, new THREE.Vector3(radius, length, radius))}));
}

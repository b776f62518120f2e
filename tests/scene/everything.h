// A scene that uses every part of the grammar.
#pragma once

namespace carom {

inline constexpr const char* kEverything = R"yaml(carom: 1
name: "Everything: \"quoted\""
description: |
  Two lines,
  and a colon: here.
gravity: [0.1, 0, -9.81]
values: {r: 0.05, k: "=1e3*r", third: "=1/3"}
materials:
  oak_board: {density: 700.5, youngs_modulus: 1.1e10, poissons_ratio: 0.37, yield_strength: 4e7, surface: {c: 3e5, d: 2.5, d_w: 0.001, mu: 0.4, v_min: 0.02, w_min: 0.03}, source: "measured"}
bodies:
  table: {fixed: true, material: dry_wood, shapes: [{box: {size: [1, 0.6, 0.02]}, at: [0, 0, -0.01]}], position: [0, 0, 0.7], rotation: [0.1, 0.2, 0.3]}
  ball: {material: steel, shapes: [{sphere: {radius: $r}, name: skin, contact: off}], position: [0.2, 0, 0.4], orientation: [0.5, 0.5, 0.5, 0.5], velocity: [-1.2, 0, 0], angular_velocity: [0, 1, $third]}
  arm:
    mass: 2
    com: [0.2, 0, 0]
    inertia: [0.01, 0.02, 0.025, 1e-3, 0, -1e-3]
    shapes:
      - {cylinder: {radius: 0.02, length: 0.4}, at: [0.2, 0, 0], axis: [1, 2, $third], material: oak_board, density: 500, mass: off, edge_radius: 1e-4}
      - {box: {size: 0.1}, rotation: [0.3, 0, 1.1], scale: [1, 2, 0.5]}
      - {hull: {points: [[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1], [0.1, 0.1, 0.1]]}, at: [0, 0, 1]}
      - {half_space: {}, contact: off}
      - {parametric: {x: "a*cos(u)*cos(v)", y: "a*sin(u)*cos(v)", z: "sin(v)", u: [-3.141592653589793, 3.141592653589793], v: [-1, 1], with: {a: $third}}, contact: off, mass: off}
      - {superquadric: {radii: [0.1, 0.2, 0.1], exponents: [3, 4]}, contact: off, mass: off}
      - {graph: {z: "A*cos(3*x) + y", x: [-1, 2], y: ["=-2*third", 1], with: {A: $third}}, contact: off, mass: off}
    markers: {tip: [0.4, 0, 0], tool: {at: [0.4, 0, 0], rotation: [0, 1.57, 0]}, flip: {rotation: [0, 1, 0, 0]}}
    joint: {revolute: {parent: table, axis: -y, at: [0.4, 0, 0.3]}, name: pivot, q: 0.3, v: 0.1, damping: 0.01}
  forearm: {material: abs, shapes: [{capsule: {radius: 0.02, length: 0.3}}]}
  hand: {mass: 0.5, inertia: [0.001, 0.001, 0.001], shapes: [{sphere: {radius: 0.03}, mass: off}], position: [1, 2, 3], velocity: [0, 0, 1]}
  finger: {mass: 0.1, shapes: [{sphere: {radius: 0.01}}], joint: {fixed: {parent: hand, at: [0.1, 0, 0], rotation: [0.1, 0, 0]}}}
  nut: {mass: 0.2, shapes: [{sphere: {radius: 0.02}}]}
  disc: {mass: 0.3, shapes: [{cylinder: {radius: 0.1, length: 0.01}, axis: z}]}
  puck: {mass: 0.4, shapes: [{cylinder: {radius: 0.1, length: 0.02}, axis: z}]}
joints:
  elbow:
    revolute: {parent: arm.tool, child: forearm, at: [0.1, 0, 0], child_at: [0, 0.01, 0], rotation: [0.5, 0.1, 0], axis: [1, 1, 1]}
    spring: {stiffness: 10, rest: 0.1}
    damping: 0.1
    friction: {coulomb: 0.5, static: 0.7}
    limits: {lower: -1, upper: 2}
    rotor: {inertia: 1e-5, ratio: 100}
    drive: {position: {table: [[0, 0], [1, 0.5]]}, stiffness: 200, damping: 5, integral: 1, rate_feedforward: off, limit: 50}
    collide: true
  wrist: {free: {parent: forearm, child: hand}}
  lead: {screw: {parent: table, child: nut, pitch: 0.002}, drive: {velocity: {sine: {amplitude: 2, frequency: 3, phase: 0.1, offset: 1, start: 0.2}}, damping: 3, integral: 2}}
  spin: {cylindrical: {parent: nut, child: disc}, q: [0.1, 0.2], friction: {coulomb: [0.5, 0]}, limits: {upper: [null, 0.3], stiffness: [100, 200]}, drive: [{force: "=2*t"}, null], spring: {stiffness: [0, 5]}}
  ice: {planar: {child: puck, at: [0, 0, 1]}, motion: [{formula: {formula: "0.1*sin(t)", rate: "0.1*cos(t)", acceleration: "-0.1*sin(t)"}}, null, {ramp: {before: 0, after: 1, start: 0.5, duration: 2}}]}
  closing: {spherical: {parent: forearm, child: table, at: [0.15, 0, 0]}, loop: true, active: {from: 0, until: 5}}
couplings:
  mesh: {gear: {joints: [pivot, elbow], ratio: -2}}
  r1: {rack: {joints: [spin.displacement, pivot], radius: 0.02}}
  c: {ratio: {joints: [ice.x, spin.angle], ratio: 2, offset: 0.25}}
forces:
  s1: {spring: {from: {body: arm.tip, at: [0, 0.1, 0]}, to: ball, stiffness: 100, damping: 1, length: 0.2, law: "=k*x+1e4*x^3+0.1*v"}}
  s2: {spring: {to: nut, stiffness: $k, law: 5}}
  b1: {bushing: {from: world, to: hand, stiffness: [1, 2, 3], damping: 0.5, rotational_stiffness: 7, large_angles: false, laws: [null, "=2*x", null, null, null, "=v"]}}
  push: {force: {body: ball, at: [0, 0, 0.1], value: [0, "=k", "=10*sin(t)"], frame: body}}
  twist: {torque: {body: arm.tool, value: [ref, 0, {step: {start: 1, after: 2}}]}}
contact:
  law: {modia3d: {damping_max: 900}}
  friction: {lugre: {stiffness: 2e5, mu_s: 0.6, passive: off, per_load: off}}
  resistance: modia3d
  restitution: {power: {value: 0.8, reference: 2, exponent: 0.2}}
  mu_k: 0.4
  mu_s: 0.5
  mu_r: 0.002
  youngs_modulus: 1e9
  poissons_ratio: 0.25
  v_small: 1e-3
  w_small: 2e-3
  spin_radius: 3e-3
  k_red: 1e-2
  restitution_min: 1e-2
  damping_max: 1500
  rigid: {impact: {law: poisson, resolution: sequential}, landing: {height: 1e-6}, slip_regularisation: 1e-4}
  enabled: on
  neighbours: on
  deepest_start: 0.1
  segments: 24
  material_pairs: [{between: [steel, oak_board], restitution: {table: [[0, 1], [1, 0.8], [5, 0.5]]}, mu_k: 0.3}]
  groups: {tools: [hand, finger], things: [ball]}
  pairs:
    - {between: [tools, ball], restitution: {regularised: {value: 0.6}}, law: exact, friction: none, resistance: none, area: {pressure: foundation, layer: 2e-3, accuracy: 1e-4}, triangles: {depth: memory, normals: first}}
    - {between: [ball.skin, table], enabled: off, law: {formula: {force: "=kh*d^1.5*(1 + (1 - e)*v/(v0 + r)) + k*d"}}, friction: {formula: {mu: "0.3*tanh(s/0.01)"}}, restitution: 0.5}
  exclude: [[hand, table], [tools, things]]
  watch: [[ball, table]]
surfaces:
  face: {body: table, rectangle: {length: 0.2, width: 0.1}, at: [0, 0, 0.1], normal: -x, axis: z, material: steel}
  hide: {body: ball, shape: skin}
  tube: {body: hand, cylinder: {radius: 0.01, length: 0.1}, axis: y, material: steel}
  knob: {body: world, sphere: {radius: 0.1}, rotation: [0, 0.1, 0]}
  lid: {circle: {radius: 0.1}}
contacts:
  - {between: [hide, face], law: {c: 1e5, d: 10, n: 1.5, m: 1, t: 5e-3}, friction: {mu_s: 0.1, mu_k: 0.05, v_e1: 1e-3, v_e2: 1e-2, k_v: 0.1, library_rule: on, per_axis: on}, beyond: release, filter: on, frequency: 5e3}
  - {between: [tube, face], law: auto, speed: 0.5, friction: coulomb, mu_k: 0.3}
  - {between: [tube, knob], law: {kelvin_voigt: {stiffness: 1e4}, t: 2e-3}, friction: {stribeck: {}}}
  - {between: [hide, lid]}
signals:
  ref: {sine: {amplitude: 1, frequency: 2}}
  hold: {table: {times: [0, 1, 2], values: [1, 2, 1], interpolation: hold, periodic: true}}
  u: "=2*ref - 0.1*pivot.v + r"
  fixed_value: 3
states: {integral: {rate: "=ref - pivot.q", initial: 0.5}, copy: {rate: ref}}
events:
  hit: {when: "pivot.q - 0.5", direction: rising, do: stop}
  soften: {when: "=t - 2", do: {set: {joints.pivot.damping: 0.5, forces.s1.stiffness: "=2*k"}}}
  note: {when: "ball.position.z", direction: falling}
controls: {fixed_value: {keys: [left, x], axis: 3, least: -2, most: 3.5}}
initial: {assemble: {keep: [pivot]}}
run: {start: -1, until: 3, tolerance: 1e-9, integrator: auto, step: 1e-3, max_step: 0.1, max_steps: 1000, max_cpu: 3600, checkpoint: 0.5, output: {step: 0.001, channels: [bodies, joints, "ball.position.z"], maps: on}}
)yaml";

}  // namespace carom

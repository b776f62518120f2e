"""The scenes whose pictures stand in the documentation, beside the demos.

Each is text as a user would write it. Laws are shown by what a run of them records: an
impact for normal laws, a belt under a ball for friction, a turning plate for resistances.
"""

# Demos: the share of the run at which the picture is taken, and how near the camera comes.
DEMOS = {
    "ball_table_wall": (0.16, 1), "billiards_16": (0.35, 1), "billiards_4": (0.5, 1),
    "bouncing_ball": (0.5, 1), "box_stack": (0.5, 1), "bushing": (0.15, 1.3),
    "controlled_arm": (0.4, 1.1), "double_pendulum": (0.32, 1), "engine_mount": (0.5, 0.8),
    "five_flying": (0.3, 1.2), "four_bar": (0.3, 1), "free_top": (0.034, 1.4), "gear_train": (0.5, 1.1),
    "gripper": (0.7, 1), "gripper_area": (0.5, 1), "bowling": (0.5, 1.3), "dice": (0.28, 1), "kepler": (0.5, 1), "mobile": (0.5, 1), "newtons_cradle": (0.45, 1),
    "pendulum": (0.5, 1), "pick_and_place": (0.5, 1), "pyramid_edge": (0.56, 1),
    "cosine": (0.1, 1), "bowl": (0.2, 1.1), "rings": (0.5, 1), "rattleback": (0.3, 1.2), "robot_arm": (0.5, 1.1), "slider_crank": (0.5, 1),
    "spinning_ellipsoid": (0.6, 1.3), "spinning_top": (0.3, 1.8), "bottle": (0.25, 1),
    "idealised_1": (0.7, 1), "idealised_1_figure": (0.7, 1), "idealised_2": (0.5, 1),
    "idealised_3": (0.5, 1), "latch": (0.5, 1), "sorter": (0.5, 1),
    "rigid_bouncing_ellipsoid": (0.2, 1.1), "rigid_rising_ellipsoid": (0.5, 1.2),
    "cube_towers": (0.85, 1), "odds_in_a_box": (0.95, 1.1), "hollow_bodies": (0.95, 1.2), "snagging_cubes": (0.5, 1.2), "friction_of_two_normals": (0.55, 1.1), "bucket": (0.62, 1.2), "bore_and_teeth": (0.15, 1.2),
    "rigid_stick_slip": (0.3, 1.1), "rigid_cradle": (0.5, 1), "rocking_block": (0.3, 1),
    "five_ways": (0.32, 1.1), "cam": (0.4, 1.2), "idealised_1_solid": (0.7, 1),
    "idealised_2_solid": (0.5, 1), "idealised_3_solid": (0.5, 1),
    "rigid_heap": (0.9, 1.1), "brick_arch": (0.9, 1.1),
    "rigid_billiards": (0.4, 1.1), "rigid_rack": (0.2, 1.1), "rigid_cradle_3": (0.5, 1),
    "box_on_corner": (0.25, 1), "dominoes": (0.35, 1), "tippe_top": (0.9, 1),
    "passive_walker": (0.5, 1), "card_house": (0.9, 1), "jammed_gripper": (0.9, 1),
    "impulse_or_force": (0.5, 1),
}

# Scenes of the tutorial: the same.
TUTORIAL = [0.45, 0.3, 0.27, 0.55, 0.9, 0.95]

SHAPES = {
    "sphere": "{sphere: {radius: 0.1}}",
    "graph": "{graph: {z: \"0.02*cos(20*x)*cos(20*y)\", x: [-0.3, 0.3], y: [-0.3, 0.3]}}",
    "superquadric": "{superquadric: {radii: [0.1, 0.1, 0.1], exponents: [6, 6]}}",
    "parametric": "{parametric: {x: \"(0.1 + 0.03*cos(v))*cos(u)\", y: \"(0.1 + 0.03*cos(v))*sin(u)\", z: \"0.03*sin(v) + 0.03*sin(3*u)\", u: [-pi, pi], v: [-pi, pi]}}",
    "torus": "{torus: {radius: 0.1, tube_radius: 0.035}}",
    "paraboloid": "{paraboloid: {radius_x: 0.2, radius_y: 0.15, half_x: 0.15, half_y: 0.15}}",
    "implicit": "{implicit: {h: \"x^4 + y^4 + z^4 - 0.02*(x^2 + y^2 + z^2) + 8e-5\", within: [[-0.2, -0.2, -0.2], [0.2, 0.2, 0.2]]}}",
    "ellipsoid": "{ellipsoid: {radii: [0.14, 0.09, 0.07]}}",
    "box": "{box: {size: [0.2, 0.14, 0.1]}, edge_radius: 0.012}",
    "cylinder": "{cylinder: {radius: 0.06, length: 0.2}, edge_radius: 0.008}",
    "cone": "{cone: {radius: 0.08, length: 0.16, top_radius: 0.03}, axis: z, edge_radius: 0.006}",
    "capsule": "{capsule: {radius: 0.05, length: 0.16}}",
    "beam": "{beam: {length: 0.2, width: 0.08, thickness: 0.04}, edge_radius: 0.006}",
    "pipe": "{pipe: {outer_radius: 0.07, inner_radius: 0.05, length: 0.18}}",
    "gearwheel": "{gearwheel: {radius: 0.1, width: 0.04, teeth: 24, hole_radius: 0.03}, axis: z}",
    "spring": "{spring: {coil_radius: 0.05, wire_radius: 0.008, length: 0.2, windings: 6}, axis: z}",
    "point": "{point: {}, edge_radius: 0.02}",
    "segment": "{segment: {start: [-0.1, 0, 0], end: [0.1, 0, 0.05]}, edge_radius: 0.01}",
    "triangle": "{triangle: {a: [-0.1, -0.06, 0], b: [0.1, -0.06, 0], c: [0, 0.1, 0.06]}, edge_radius: 0.005}",
    "polygon": "{polygon: {points: [[0.1, 0, 0], [0.03, 0.095, 0], [-0.08, 0.06, 0], [-0.08, -0.06, 0], [0.03, -0.095, 0]]}, edge_radius: 0.006}",
    "tetrahedron": "{tetrahedron: {a: [0.02, -0.12, 0], b: [0.1, 0.08, 0], c: [-0.12, 0.04, 0], d: [0, 0, 0.16]}}",
    "hull": "{hull: {points: [[0.1, 0.05, 0], [-0.1, 0.06, 0], [-0.08, -0.07, 0], [0.09, -0.05, 0], [0.05, 0.05, 0.1], [-0.06, 0, 0.14], [0.04, -0.05, 0.09]]}, edge_radius: 0.004}",
    "mesh": "{mesh: {file: meshes/pyramid.dxf, scale: 0.2}}",
    "triangle_mesh": "{triangle_mesh: {file: meshes/pyramid.dxf, scale: 0.2}, edge_radius: 0.003}",
    "convex_pieces": "{convex_pieces: {file: meshes/cylinder.dxf, scale: [0.2, 0.1, 0.1]}}",
}

SHAPE_SCENE = """carom: 1
bodies:
  shape: {{material: steel, mass: 1, inertia: [1, 1, 1], shapes: [{shape}], joint: {{prismatic: {{axis: z}}, motion: 0}}}}
run: {{until: 0.01, output: {{step: 0.005}}}}
"""

HALF_SPACE_SCENE = """carom: 1
bodies:
  ground: {fixed: true, material: dry_wood, shapes: [{half_space: {}}]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.05}}], position: [-0.2, 0, 0.2], velocity: [0.6, 0, 0]}
run: {until: 0.7, output: {step: 0.005}}
"""

# Joints: the joint, the shapes of the child, its marker, the box of the parent.
ROD = "{cylinder: {radius: 0.02, length: 0.3}, at: [0.15, 0, 0]}, {box: {size: 0.06}, at: [0.3, 0, 0]}"
CARRIAGE = "{box: {size: [0.14, 0.1, 0.06]}, at: [0, 0, 0.03]}"
PISTON = "{cylinder: {radius: 0.025, length: 0.4}, axis: z, at: [0, 0, 0.1]}, {box: {size: [0.16, 0.05, 0.04]}, at: [0.06, 0, 0.3]}"
BLOCK, RAIL, PLATE = "size: [0.1, 0.1, 0.08]", "size: [0.7, 0.06, 0.08]", "size: [0.6, 0.5, 0.08]"
JOINTS = {
    "revolute": ("revolute: {parent: base, axis: y}, motion: \"=0.8 - 2*t\"", ROD, "[0.3, 0, 0]", BLOCK),
    "prismatic": ("prismatic: {parent: base, at: [0, 0, 0.04], axis: x}, motion: \"=-0.2 + 0.5*t\"", CARRIAGE, "[0, 0, 0.06]", RAIL),
    "screw": ("screw: {parent: base, axis: z, pitch: 0.12}, motion: \"=12*t\"", PISTON, "[0.14, 0, 0.3]", BLOCK),
    "cylindrical": ("cylindrical: {parent: base, axis: z}, v: [5, 0.15]", PISTON, "[0.14, 0, 0.3]", BLOCK),
    "universal": ("universal: {parent: base}, v: [-2, -1.2], q: [0.9, 0.2]", ROD, "[0.3, 0, 0]", BLOCK),
    "planar": ("planar: {parent: base, at: [0, 0, 0.04], axis: z}, q: [-0.15, -0.1, 0], v: [0.35, 0.25, 4]", CARRIAGE, "[0.07, 0, 0.03]", PLATE),
    "spherical": ("spherical: {parent: base}, v: [1, -1.4, 2.2]", ROD, "[0.3, 0, 0]", BLOCK),
    "free": ("free: {parent: base}, v: [2, 3, 4, 0.25, 0.1, 0.25]", CARRIAGE, "[0.07, 0, 0.03]", BLOCK),
    "fixed": ("fixed: {parent: base}", ROD, "[0.3, 0, 0]", BLOCK),
}

JOINT_SCENE = """carom: 1
gravity: {gravity}
bodies:
  base: {{fixed: true, shapes: [{{box: {{{base}}}}}]}}
  child: {{material: aluminium, shapes: [{shapes}], markers: {{tip: {tip}}}, joint: {{{joint}}}}}
run: {{until: 1, output: {{step: 0.01}}}}
"""

NORMAL_SCENE = """carom: 1
name: "{name}"
gravity: off
bodies:
  plate: {{fixed: true, material: steel, shapes: [{{box: {{size: [0.2, 0.2, 0.05]}}, at: [0, 0, -0.025]}}]}}
  ball: {{material: steel, shapes: [{{sphere: {{radius: 0.02}}}}], position: [0, 0, 0.02001], velocity: [0, 0, -1]}}
contact: {{law: {law}, friction: none, resistance: none, k_red: 1e-3, restitution: {restitution}, watch: [[plate, ball]]}}
events: {{apart: {{when: "ball.position.z - 0.02002", direction: rising, do: stop}}}}
run: {{until: 0.02, tolerance: 1e-9, output: {{step: {step}}}}}
"""

# Laws with restitution are drawn for three of it; those with constants of their own for three
# dampers.
BY_RESTITUTION = ["exact", "flores", "hunt_crossley", "lankarani_nikravesh", "modia3d", "modia3d_0_12"]
NORMAL = {
    **{law: [(f"e = {e}", law, e) for e in (0.9, 0.5, 0.2)] for law in BY_RESTITUTION},
    "circumference": [(f"Lr = {r}", f"{{circumference: {{Lr: {r}}}}}", 0.5) for r in (1, 0.6002, 0.5)],
    "hertz": [("hertz", "hertz", 1)],
    "hertz_viscous": [(f"C = {c}", f"{{hertz_viscous: {{damping: {c}}}}}", 1) for c in (10, 50, 150)],
    "kelvin_voigt": [(f"c = {c}", f"{{kelvin_voigt: {{stiffness: 2e6, damping: {c}}}}}", 1) for c in (20, 200, 600)],
    "otter": [(f"d = {c}", f"{{otter: {{stiffness: 4e6, damping: {c}}}}}", 1) for c in (20, 200, 600)],
    "otter_series": [(f"d = {c}", f"{{otter_series: {{stiffness: 4e6, damping: {c}}}}}", 1) for c in (100, 1000, 4000)],
    "power": [(f"n = {n}", f"{{power: {{stiffness: {k}, exponent: {n}, damping: {d}}}}}", 1)
              for n, k, d in ((1, "2e6", "1e6"), (1.5, "1e8", "5e7"), (2, "5e9", "2e9"))],
    "formula": [("formula", '{formula: {force: "kh*d^1.5*(1 + 0.4*v)"}}', 1)],
}

FRICTION_SCENE = """carom: 1
name: "{name}"
bodies:
  belt: {{material: steel, mass: 1, shapes: [{{box: {{size: [2, 0.4, 0.02]}}, at: [0, 0, -0.01]}}], joint: {{prismatic: {{axis: x}}, name: drive, motion: "=0.05*sin(2*pi*t)/(2*pi)"}}}}
  block: {{material: steel, mass: 1, shapes: [{{sphere: {{radius: 0.02}}}}], joint: {{prismatic: {{axis: z}}, name: guide, q: 0.0199999}}}}
contact: {{friction: {law}, resistance: none, k_red: 1e-2, mu_k: 0.3, mu_s: 0.45, v_small: 0.004, watch: [[belt, block]]}}
run: {{until: 2, tolerance: 1e-7, output: {{step: 2e-3}}}}
"""

FRICTION = {
    "none": "none", "coulomb": "coulomb", "coulomb_otter": "coulomb_otter", "stribeck": "stribeck",
    "makkar": "makkar", "lugre": "{lugre: {stiffness: 2000, damping: 5}}",
    "elasto_plastic": "{elasto_plastic: {stiffness: 2000, damping: 5}}", "formula": '{formula: {mu: "0.3*tanh(s/0.004)"}}',
    "mindlin": "{mindlin: {ratio: 2e-4}}",
}

RESISTANCE_SCENE = """carom: 1
name: "{name}"
bodies:
  plate: {{material: steel, mass: 1, inertia: [1, 1, 1], shapes: [{{box: {{size: [1, 1, 0.02]}}, at: [0, 0, -0.01]}}], joint: {{revolute: {{axis: z}}, name: drive, motion: "=0.05*sin(2*pi*t)/(2*pi)"}}}}
  ball: {{material: steel, mass: 1, shapes: [{{sphere: {{radius: 0.02}}}}], joint: {{prismatic: {{axis: z}}, name: guide, q: 0.0199999}}}}
contact: {{friction: none, resistance: {law}, k_red: 1e-2, mu_r: 0.01, w_small: 0.01, watch: [[plate, ball]]}}
run: {{until: 2, tolerance: 1e-7, output: {{step: 2e-3}}}}
"""

RESISTANCE = {
    "none": "none", "modia3d": "modia3d", "otter": "{otter: {d_w: 2e-4, w_min: 0.01}}",
    "coulomb": "{coulomb: {spinning: 2e-4}}",
}

# Where contacts press: a page each, with maps.
MAPS = {
    "page_pressure": """carom: 1
name: Pressure on rubber
materials: {rubber: {density: 1100, youngs_modulus: 1e6, poissons_ratio: 0.45}}
bodies:
  mat: {fixed: true, material: rubber, shapes: [{half_space: {}}]}
  ball: {material: rubber, shapes: [{sphere: {radius: 0.09}}], position: [-0.25, 0, 0.09]}
  egg: {material: rubber, shapes: [{ellipsoid: {radii: [0.13, 0.07, 0.06]}}], position: [0.02, 0.12, 0.06]}
  block: {material: rubber, shapes: [{box: {size: [0.16, 0.12, 0.1]}}], position: [0.3, 0, 0.05]}
forces:
  press: {force: {body: block, at: [0.02, 0.01, 0], value: [0, 0, -200]}}
  lean: {force: {body: ball, value: [0, 0, -100]}}
  push: {force: {body: egg, value: [0, 0, -100]}}
contact: {area: {pressure: foundation, layer: 2e-2}, restitution: 0.1}
run: {until: 0.5, tolerance: 1e-5, output: {step: 0.02, maps: on}}
""",
    "page_circumference": """carom: 1
name: Circumferences
materials: {soft: {density: 1000, youngs_modulus: 5e5, poissons_ratio: 0.3}}
bodies:
  floor: {fixed: true, material: soft, shapes: [{half_space: {}}]}
  ring: {material: soft, shapes: [{pipe: {outer_radius: 0.12, inner_radius: 0.08, length: 0.06}, axis: z}], position: [0, 0, 0.03]}
  ball: {material: soft, shapes: [{sphere: {radius: 0.1}}], position: [0, 0, 0.125]}
  cube: {material: soft, shapes: [{box: {size: [0.12, 0.12, 0.12]}}], position: [0.24, 0.05, 0.06], rotation: [0, 0, 0.4]}
contact: {method: triangles, restitution: 0.1}
run: {until: 0.6, integrator: implicit_contact, step: 2e-3, output: {step: 0.02, maps: on}}
""",
}

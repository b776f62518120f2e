"""Tables of the scenes with contact and of free motion, from the CSVs of benchmarks/run_scenes.py.
Used by bench_report.py."""
import csv

COMMAND = "make bench SCENES=\"{}\""


def read(path):
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows] + [""]


def value(row, figure):
    """The figure as a number; what an engine could not reach is infinitely bad."""
    return float(row[figure]) if row.get(figure) not in (None, "") else float("inf")


def short(number, digits=2):
    if number == float("inf"):
        return "lost"
    return "0" if number == 0 else f"{number:.{digits}g}"


def milliseconds(text):
    time = 1e3 * float(text)
    return f"{time:.0f}" if time >= 1000.0 else f"{time:.3g}"


# Scene file, variant, merit (smaller is better), title, what is judged and by which referees,
# other columns.
SECTIONS = [
    ("s1_hard_bounce", "elastic", "error", "S1 hard bounce of a steel ball, no loss, 2 s",
     "Error: of the height of the first rebound. Referees: it is that of the fall (energy); the "
     "height does not depend on the stiffness, so that rigid and elastic contact have the same "
     "answer. Rigid engines solve an easier task: they need not resolve the contact.", []),
    ("s1_hard_bounce", "restitution", "error", "S1 with restitution 0.7",
     "Error: against 0.49 of the fall, which is the answer of rigid contact. Gravity during an "
     "elastic contact of 0.6 ms takes 7.9e-4 of it; that is the model, not an error, and no "
     "elastic engine can get below.", []),
    ("s2_spheres", "", "cpu_per_second", "S2 heap of 1000 spheres, 2 s",
     "CPU seconds per simulated second. It counts while no overlap exceeds 5 % of a radius "
     "(referee: all pairs, computed from the positions every 10 ms); second referee: the mean "
     "height of the heap. Runs that reached their limit of CPU time say how far they came: what "
     "they miss is the dense, expensive part. The shortest contact is that of the hardest impact of "
     "the run after its law, as `carom materials` tells it. An engine without a row did not finish a sample, or "
     "(MuJoCo 2.2.2) could not allocate the scene.",
     [("overlap_percent", "largest overlap [% of radius]"), ("mean_height", "mean height [m]"),
      ("lost", "lost spheres"), ("steps_per_contact", "steps in the shortest contact")]),
    ("s3_stacks", "exact", "drift_mm", "S3 stack of ten cubes, 60 s",
     "Largest horizontal drift of a cube from the start, and from 1 s on. Referees: statics "
     "(nothing moves), and the height of the stack (sinking is elasticity or error).",
     [("drift_after_1s_mm", "from 1 s on [mm]"), ("sunk_mm", "sunk [mm]"),
      ("toppled_at", "toppled at [s]"), ("cpu_per_second", "CPU s per s")]),
    ("s3_stacks", "leaning", "drift_mm", "S3 leaning stack, 60 s",
     "The same, each cube 15 mm further out than the one below: the stack must stand.",
     [("drift_after_1s_mm", "from 1 s on [mm]"), ("sunk_mm", "sunk [mm]"),
      ("toppled_at", "toppled at [s]"), ("cpu_per_second", "CPU s per s")]),
    ("s4_meshes", "", "cpu_per_second", "S4 mesh on mesh: a torus of 5184 triangles on 5000, 5 s",
     "CPU seconds per simulated second. Referees: the deepest vertex of the torus below the formula "
     "of the ground, from the pose every 20 ms, layers that cover a surface added; the speed at the "
     "end, which must be none. Carom treats each triangle as a body of its own, fixed steps only; "
     "runs that reached their limit of CPU time say how far they came. MuJoCo "
     "makes the torus convex, which is an easier task.",
     [("deepest_mm", "deepest [mm]"), ("depth_at_end_mm", "depth at the end [mm]"),
      ("speed_at_end", "speed at the end [m/s]"), ("height_at_end", "height at the end [m]")]),
    ("s5_gripper", "", "slip_mm", "S5 gripped cube, 60 s",
     "Slip from 10 s to 60 s, at a fifth of what friction can carry. Referees: statics (none), "
     "symmetry (no tilt).",
     [("slip_first_second_mm", "in the first second [mm]"), ("tilt_deg", "tilt [deg]")]),
    ("s6_cradle", "touching", "error", "S6 five touching balls",
     "Largest error of a speed [m/s] against an independent integration of the Hertzian chain "
     "(-0.071, -0.030, -0.014, 0.127, 0.989). Second referee: energy stays 1.",
     [("v5", "last ball [m/s]"), ("energy_minus_1", "energy - 1")]),
    ("s6_cradle", "gap", "error", "S6 five balls 1 mm apart",
     "Largest error of a speed [m/s]: the last ball leaves alone at 1 m/s. Second referee: "
     "energy stays 1.",
     [("v5", "last ball [m/s]"), ("energy_minus_1", "energy - 1")]),
    ("s7_ellipsoid", "", "energy_gain", "S7 spinning ellipsoid, friction 0.1, 20 s",
     "It must rise, from 1.01 m, and its energy must not grow. Referees: energy; agreement of "
     "error-controlled engines, and of Carom with itself at another tolerance (there is no closed "
     "form; stiffness and regularisation differ between engines).",
     [("highest", "highest [m]"), ("height_at_end", "at the end [m]"),
      ("energy_at_end", "energy at the end / start")]),
    ("s8_free_motion", "free_top", "momentum_error", "S8 free asymmetric top, 100 s",
     "Error of the vector of angular momentum. Second referee: energy.",
     [("energy_error", "energy error")]),
    ("s8_free_motion", "double_pendulum", "energy_error", "S8 double pendulum, 100 s",
     "Error of the energy, relative to the range of the potential energy.", []),
]


# Tables without a winner: rigid and elastic contact have different answers, or none is known.
UNRANKED = ("S1 with restitution 0.7", "S7 spinning ellipsoid, friction 0.1, 20 s")
MERITS = {"slip_mm": "slip [mm]", "drift_mm": "drift [mm]",
          "cpu_per_second": "CPU s per simulated s"}


def rows_of(folder, scene, variant):
    name = f"{scene}/{variant}" if variant else scene
    return [r for r in read(folder / f"{scene}.csv") if r["scene"] == name]


def is_carom(row):
    return row["engine"].startswith("Carom")


def at_equal_merit(row, carom, merit):
    """CPU time over that of the fastest Carom row that is at least as good."""
    good = [float(c["cpu_median"]) / float(c["simulated"]) for c in carom
            if value(c, merit) <= value(row, merit)]
    if not good:
        return None
    return float(row["cpu_median"]) / float(row["simulated"]) / min(good)


def comparison(row, carom, merit, ranked):
    if is_carom(row):
        return "-"
    if not ranked:
        ratio = float(row["cpu_median"]) / min(float(c["cpu_median"]) for c in carom)
        return f"{ratio:.3g}" if ratio >= 1.0 else f"**{ratio:.2g} (faster)**"
    if value(row, merit) == float("inf"):
        return "no answer"
    ratio = at_equal_merit(row, carom, merit)
    if ratio is None:
        return "**better than Carom**"
    return f"{ratio:.3g}" if ratio >= 1.0 else f"**{ratio:.2g} (faster)**"


def section(folder, scene, variant, merit, title, text, columns):
    rows = rows_of(folder, scene, variant)
    if not rows:
        return []
    carom = [r for r in rows if is_carom(r)]
    rows = sorted(rows, key=lambda r: (value(r, merit), float(r["cpu_median"])))
    lines = [f"### {title}", "", f"{text} `{COMMAND.format(scene.split('_')[0])}`", ""]
    label = MERITS.get(merit, merit.replace("_", " "))
    if len({r["simulated"] for r in rows}) > 1:
        columns = [("simulated", "simulated [s]"), *columns]
    body = []
    for r in rows:
        spread = f"{milliseconds(r['cpu_least'])} to {milliseconds(r['cpu_largest'])}"
        body.append([r["engine"], r["setting"], short(value(r, merit))]
                    + [short(value(r, c), 4) for c, _ in columns]
                    + [milliseconds(r["cpu_median"]), spread, r["evaluations"],
                       comparison(r, carom, merit, title not in UNRANKED)])
    ratio = "fastest" if title in UNRANKED else "at this figure or better"
    lines += table(["engine", "setting", label] + [name for _, name in columns]
                   + ["CPU [ms]", "least to largest", "evaluations or steps",
                      f"CPU / Carom's {ratio}"], body)
    return lines


def standing(rows, merit):
    """The best row, by merit and then by CPU time; of heaps only those that overlap little."""
    able = [r for r in rows if value(r, merit) < float("inf")
            and value({"o": r.get("overlap_percent", "0")}, "o") <= 5.0
            and r.get("lost", "0") in ("", "0")]
    return min(able, key=lambda r: (value(r, merit), float(r["cpu_median"])), default=None)


def summary(folder):
    """One line per scene: Carom and the peer with the best figure."""
    body = []
    for scene, variant, merit, title, _, _ in SECTIONS:
        rows = rows_of(folder, scene, variant)
        own = standing([r for r in rows if is_carom(r)], merit)
        peer = standing([r for r in rows if not is_carom(r)], merit)
        longest = max((float(r["simulated"]) for r in rows), default=0.0)
        if title in UNRANKED or own is None or peer is None:
            continue
        entries = [short(value(r, merit)) + ("" if merit == "cpu_per_second" else
                                             f" in {milliseconds(r['cpu_median'])} ms")
                   + ("" if float(r["simulated"]) >= longest else
                      f" (stopped at {float(r['simulated']):.2g} s)") for r in (own, peer)]
        better = value(peer, merit) < value(own, merit)
        body.append([title, MERITS.get(merit, merit.replace("_", " ")), entries[0],
                     f"{peer['engine']}: {entries[1]}", "the peer" if better else "Carom"])
    return table(["scene", "figure", "Carom, its best", "the peer with the best figure",
                  "better figure"], body) if body else []


def settings(folder):
    """What stiffness and tolerance cost in Carom."""
    lines = []
    rows = read(folder / "stiffness.csv")
    if rows:
        lines += ["### Softer contact", "",
                  "A steel ball bounces, slides and rolls on steel for 5 s, with the stiffness of "
                  "steel (`k_red` 1) and less: `carom run benchmarks/scenes/stiffness/throw.yaml "
                  "--tolerance T --set contact.k_red=K`. The motion stays nearly the same; contacts "
                  "become longer, which matters for fixed steps. Under error control what is saved "
                  "is small: steel itself is affordable.", ""]
        lines += table(["tolerance", "k_red", "status", "first contact [s]", "way after 5 s [m]",
                        "events", "evaluations", "CPU [ms]"],
                       [[r["tolerance"], r["k_red"], r["status"], r["contact_seconds"], r["x"],
                         r["events"], r["evaluations"], milliseconds(r["cpu_seconds"])]
                        for r in rows])
    rows = read(folder / "tolerances.csv")
    if rows:
        lines += ["### Evaluations over the tolerance", "",
                  "Steel on steel without loss: `carom run "
                  "benchmarks/scenes/s1_hard_bounce/elastic.yaml --tolerance T`.", ""]
        lines += table(["tolerance", "method", "steps", "evaluations", "error of the height"],
                       [[r["tolerance"], r["integrator"], r["steps"], r["evaluations"],
                         r["error"]] for r in rows])
    rows = read(folder / "demos.csv")
    if rows:
        lines += ["### Demos at a hundredth of their tolerance", "",
                  "Largest differences of any body at any sample: `carom demo NAME --error`.", ""]
        lines += table(["demo", "status", "method", "evaluations", "CPU [ms]", "compared with",
                        "position [m]", "orientation [rad]", "velocity [m/s]"],
                       [[r["demo"], r["status"], r["integrator"], r["evaluations"],
                         milliseconds(r["cpu_seconds"]), r["reference_tolerance"], r["position"],
                         r["orientation"], r["velocity"]] for r in rows])
    return lines


def stalls(folder):
    rows = read(folder / "stalls.csv")
    if not rows:
        return []
    lines = ["### Scenes in which a method can get stuck", "",
             "`benchmarks/stalls.py`: one run each with the settings of the scene; what takes more than "
             "the limit is cut off.", ""]
    return lines + table(
        ["case", "status", "reached [s]", "method", "CPU [s]", "evaluations", "events", "goal"],
        [[r["case"], r["status"], r["reached_s"], r["method"],
          f"{float(r['cpu_s']):.3g}" if r["cpu_s"] else "-", r["evaluations"] or "-", r["events"] or "-",
          r["goal_s"] or "an end"] for r in rows])


# Where a run takes more than a tenth more instructions than in 0.1.0.
DEARER = {
    "billiards, 4 balls": "peaks of contact forces are looked for (14 %); a fifth more evaluations",
    "billiards, 16 balls": "peaks of contact forces are looked for (14 %); a twelfth more evaluations",
}


def instructions(folder):
    rows = read(folder / "run_instructions.csv")
    if not rows:
        return []
    lines = ["### Instructions of whole runs, beside 0.1.0", "",
             "`benchmarks/instructions.py`: the command from its start to its end under callgrind, reading the "
             "scene included.", ""]
    body = []
    for r in rows:
        ratio = float(r["instructions"]) / float(r["instructions_0_1_0"])
        body.append([r["run"], f"{float(r['instructions_0_1_0']) / 1e6:.1f}", f"{float(r['instructions']) / 1e6:.1f}",
                     f"{ratio:.2f}", r["evaluations_0_1_0"], r["evaluations"],
                     DEARER.get(r["run"], "") if ratio > 1.1 else ""])
    return lines + table(["run", "0.1.0 [million]", "now [million]", "ratio", "evaluations in 0.1.0",
                          "evaluations now", "why"], body)


def scenes(folder):
    lines = []
    if standings := summary(folder):
        lines += ["### Scenes at a glance", ""] + standings
    for entry in SECTIONS:
        lines += section(folder, *entry)
    return lines + settings(folder) + stalls(folder) + instructions(folder)

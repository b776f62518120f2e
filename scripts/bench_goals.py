"""The goals of the benchmarks and whether they are reached, from the CSVs of benchmarks/results.
Used by bench_report.py."""
from bench_scenes import at_equal_merit, is_carom, read, rows_of, table, value


def best(rows, merit, limit, key):
    """The least `key` among rows whose merit is within the limit."""
    return min((float(r[key]) for r in rows if value(r, merit) <= limit), default=float("inf"))


def bounce_goals(folder):
    rows = rows_of(folder, "s1_hard_bounce", "elastic")
    own = [r for r in rows if is_carom(r)]
    # Rigid impacts have no contact to resolve: goals of elastic contact are not theirs.
    carom = [r for r in own if "rigid" not in r["setting"]]
    simbody = [r for r in rows if r["engine"].startswith("Simbody")]
    if not carom:
        return
    for error, limit in ((1e-6, 500), (1e-9, 1500)):
        count = best(carom, "error", error, "evaluations")
        yield (f"S1: height to {error:g} in at most {limit} evaluations", f"{count:g}",
               count <= limit)
    ratios = [at_equal_merit(r, carom, "error") for r in simbody]
    ratios = [r for r in ratios if r is not None]
    if ratios:
        yield ("S1: 10 times less CPU time than Simbody at equal error",
               f"{min(ratios):.3g} to {max(ratios):.3g} times", min(ratios) >= 10.0)
    for r in own:
        if "rigid" in r["setting"]:
            error, time = value(r, "error"), 1e3 * float(r["cpu_median"])
            yield ("S1, rigid: 1e-12 in at most 0.1 ms", f"{error:.2g} in {time:.2g} ms",
                   error <= 1e-12 and time <= 0.1)


def heap_goals(folder):
    own = [r for r in rows_of(folder, "s2_spheres", "") if is_carom(r)]
    for r in own[:1]:
        cost, overlap = value(r, "cpu_per_second"), value(r, "overlap_percent")
        yield ("S2: at most 6 CPU s per simulated s", f"{cost:.3g} (of {float(r['simulated']):g} s)",
               cost <= 6.0 and float(r["simulated"]) >= 2.0)
        yield "S2: overlap below 5 % of the radius", f"{overlap:.3g} %", overlap < 5.0
        steps = value(r, "steps_per_contact")
        yield ("S2: at least 20 fixed steps in the shortest contact", f"{steps:.3g}", steps >= 20.0)
    for words, method, limit in ((("rigid",), "rigid time steps", 0.8),
                                 (("implicit", "steel"), "implicit steps", 2.2)):
        found = [r for r in own if any(word in r["setting"] for word in words) and
                 value(r, "overlap_percent") < 5.0]
        for r in sorted(found, key=lambda r: value(r, "cpu_per_second"))[:1]:
            cost = value(r, "cpu_per_second")
            yield (f"S2: {method} in at most {limit} CPU s per simulated s",
                   f"{cost:.3g} (of {float(r['simulated']):g} s)", cost <= limit)
    pair = [r for r in read(folder / "s2_spheres.csv") if r["scene"] == "s2_spheres_100"]
    if len(pair) == 2 and abs(float(pair[0]["simulated"]) / float(pair[1]["simulated"]) - 1) > 1e-6:
        late = min(pair, key=lambda r: float(r["simulated"]))
        yield ("S2: 100 spheres, fixed step and error control agree in energy and height to 1 %",
               f"not known: {late['setting']} reached {float(late['simulated']):.2g} s in "
               f"{float(late['cpu_median']):.2g} CPU s", False)
    elif len(pair) == 2:
        for figure in ("energy", "mean_height"):
            fixed, controlled = (value(r, figure) for r in pair)
            difference = abs(fixed / controlled - 1.0)
            yield (f"S2: 100 spheres, fixed step and error control agree in {figure.replace('_', ' ')} to 1 %",
                   f"{100 * difference:.2g} %", difference <= 0.01)


def stack_goals(folder):
    for variant, limit in (("exact", 1e-3), ("leaning", 1e-2)):
        own = [r for r in rows_of(folder, "s3_stacks", variant) if is_carom(r)]
        if own:
            drift = max(value(r, "drift_mm") for r in own)
            yield (f"S3: {variant} stack drifts at most {limit:g} mm in 60 s, at every tolerance shown",
                   f"{drift:.2g} mm", drift <= limit)


def other_goals(folder):
    own = [r for r in rows_of(folder, "s7_ellipsoid", "") if is_carom(r)]
    if own:
        height = min(value(r, "highest") for r in own)
        yield "S7: the ellipsoid rises", f"to {height:.4g} m", height > 1.2
    fine = [r for r in rows_of(folder, "billiards", "") if "1e-08" in r["setting"]]
    for r in fine:
        time = float(r["cpu_median"])
        yield ("16-ball billiards, 5 s at tolerance 1e-8, in 5 CPU s",
               f"{time:.3g} s, {float(r['events']):g} events", time <= 5.0 and r["completed"] == "1")


def contact_goals(folder):
    grip = [r for r in rows_of(folder, "s5_gripper", "") if is_carom(r)]
    if grip:
        slip = min(value(r, "slip_mm") for r in grip)
        yield "S5: slip at most 1e-6 mm from 10 s to 60 s", f"{slip:.2g} mm", slip <= 1e-6
    touching = [r for r in rows_of(folder, "s6_cradle", "touching") if is_carom(r)]
    if touching:
        error = min(value(r, "error") for r in touching)
        yield "S6: the Hertz chain to 1e-6", f"{error:.2g}", error <= 1e-6
        gain = max(value(r, "energy_minus_1") for r in touching)
        yield ("S6: energy never above 1 (beyond the tolerance)", f"{gain:.2g} above at most",
               gain <= 1e-9)


def mesh_goals(folder):
    own = [r for r in rows_of(folder, "s4_meshes", "") if is_carom(r)]
    if own:
        fastest = min(own, key=lambda r: value(r, "cpu_per_second"))
        yield ("S4: soft mesh contact in at most 0.3 CPU s per simulated s",
               f"{value(fastest, 'cpu_per_second'):.3g} (of {float(fastest['simulated']):.2g} s)",
               value(fastest, "cpu_per_second") <= 0.3)


def free_motion_goals(folder):
    top = rows_of(folder, "s8_free_motion", "free_top")
    carom = [r for r in top if is_carom(r)]
    rk4 = [float(r["cpu_median"]) for r in top
           if r["engine"].startswith("MuJoCo") and value(r, "momentum_error") <= 6e-5]
    good = [r for r in carom if value(r, "energy_error") <= 1e-9]
    time = best(good, "momentum_error", 1e-9, "cpu_median")
    if carom and rk4:
        yield ("S8: free top to 1e-9 in the time of MuJoCo's RK4 at 5e-5",
               f"{1e3 * time:.3g} ms, MuJoCo {1e3 * min(rk4):.3g} ms", time <= min(rk4))
    rows = rows_of(folder, "s8_free_motion", "double_pendulum")
    carom = [r for r in rows if is_carom(r)]
    if not carom:
        return
    time = best(carom, "energy_error", 1e-8, "cpu_median")
    for peer, share, limit in (("MuJoCo", 2.0, 2e-8), ("Simbody", 10.0, 1e-8)):
        own = [r for r in rows if r["engine"].startswith(peer)]
        other = best(own, "energy_error", limit, "cpu_median")
        if own:
            yield (f"S8: double pendulum to 1e-8, {share:g} times less CPU time than {peer}",
                   f"{other / time:.3g} times", other / time >= share)


def dynamics_goals(folder):
    rows = read(folder / "forward_dynamics.csv")
    for model in dict.fromkeys(r["model"] for r in rows):
        peers = [r for r in rows if r["model"] == model and r["engine"] != "Carom"]
        if peers:
            ratio = min(float(r["ratio_to_carom"]) for r in peers)
            yield (f"Forward dynamics, {model}: ahead of MuJoCo, Simbody and DART",
                   f"{ratio:.3g} times the fastest", ratio > 1.0)
    for r in read(folder / "instructions.csv"):
        if r["model"] == "one of free_bodies":
            count = float(r["instructions"])
            yield "One body: an evaluation in 3,000 instructions", f"{count:g}", count < 3000


def distance_goals(folder):
    ratios = [float(r["ratio"]) for r in read(folder / "distance.csv") if r["ratio"]]
    if ratios:
        fast = sum(r >= 2.0 for r in ratios)
        yield ("Distances: twice as fast as the fastest correct peer, in each cell",
               f"{fast} of {len(ratios)} cells, {min(ratios):.3g} times at least",
               fast == len(ratios))
    each = [float(r["ns_each_step"]) for r in read(folder / "broad_phase.csv")]
    if each:
        yield ("Broad phase: at most 150 ns per sphere and step to 100,000 spheres",
               f"{max(each):.4g} ns at most", max(each) <= 150.0)


def surface_goals(folder):
    limits = {"idealised_1": 10.0, "idealised_2": 50.0, "idealised_3": 50.0}
    for r in read(folder / "idealised.csv"):
        if r["experiment"] in limits:
            time, limit = 1e3 * float(r["median_s"]), limits[r["experiment"]]
            yield (f"Experiment {r['experiment'][-1]} on idealised surfaces: 1 s at rtol 1e-8 in "
                   f"{limit:g} ms", f"{time:.3g} ms", time <= limit)


def goals(folder):
    kinds = (bounce_goals, heap_goals, stack_goals, contact_goals, mesh_goals, other_goals,
             free_motion_goals, dynamics_goals, distance_goals, surface_goals)
    found = [goal for kind in kinds for goal in kind(folder)]
    if not found:
        return []
    return ["### Goals", ""] + table(
        ["goal", "measured", "reached"],
        [[goal, measured, "yes" if reached else "**no**"] for goal, measured, reached in found])

"""carom sweep: every point once, the same bytes whoever computed it, and failure as a row."""

import csv
import random
import signal
import time
import unittest

from harness import FAILED, INVALID_SCENE, PENDULUM, WRONG_USAGE, Case

SCENE = PENDULUM.replace("name: Point pendulum", "name: Pendulum\nvalues: {l: 1, d: 0}").replace(
    "com: [0, 0, -1]", 'com: [0, 0, "=-l"]').replace("q: 0.5", 'q: 0.5, damping: "=d"')
STUDY = """carom_study: 1
name: Pendulums
scene: scene.yaml
vary:
  values.l: {uniform: [0.5, 2]}
  bodies.bob.joint.q: {normal: {mean: 0.5, sd: 0.1}}
design: {sobol: %d, seed: 3}
record: {q: pivot.q@end, fastest: max(pivot.v), when: time@max(pivot.v), steps: statistics.steps, swing: "=values.l*q"}
%s
"""


class Sweep(Case):
    def study(self, count=40, more="", scene=SCENE):
        self.write(scene)
        return self.write(STUDY % (count, more), "study.yaml")

    def table(self, name="study"):
        return (self.folder / f"{name}.h5").read_bytes(), (self.folder / f"{name}.csv").read_bytes()

    def rows(self, name="study"):
        with open(self.folder / f"{name}.csv", newline="") as file:
            return list(csv.DictReader(file))

    def reference(self, study):
        """The table of one thread in one go, from rows that are then forgotten."""
        self.carom("sweep", study, "-j", 1, "-o", "reference.h5")
        (self.folder / "study.sweep").rename(self.folder / f"old-{random.random()}")
        return self.table("reference")

    def forget(self):
        (self.folder / "study.sweep").rename(self.folder / f"old-{random.random()}")


class Tables(Sweep):
    def test_any_number_of_threads_gives_the_same_bytes(self):
        study = self.study()
        expected = self.reference(study)
        for threads in (2, 5):
            self.carom("sweep", study, "-j", threads)
            self.assertEqual(expected, self.table())
            self.forget()

    def test_a_row_is_what_the_run_itself_gives(self):
        study = self.study(4)
        self.carom("sweep", study)
        for row in self.rows():
            alone = self.carom_json("run", "scene.yaml", "--no-output", "--set",
                                    f"values.l={row['values.l']}", "--set",
                                    f"bodies.bob.joint.q={row['bodies.bob.joint.q']}")
            self.assertEqual(alone["final"]["joints"]["pivot"]["q"][0], float(row["q [rad]"]))
            self.assertEqual(alone["statistics"]["steps"], float(row["steps"]))
            self.assertEqual(float(row["swing"]), float(row["values.l"]) * float(row["q [rad]"]))
            self.assertEqual("completed", row["status"])

    def test_a_second_start_does_nothing_and_a_grown_one_what_is_new(self):
        study = self.study(20)
        self.assertEqual(20, self.carom_json("sweep", study)["run"])
        first = self.table()
        self.assertEqual(0, self.carom_json("sweep", study)["run"])
        self.assertEqual(first, self.table())
        self.study(50)
        self.assertEqual(30, self.carom_json("sweep", study)["run"])
        grown = self.table()
        self.assertEqual(self.reference(study), grown)

    def test_shards_merge_to_the_same_bytes(self):
        study = self.study(30)
        expected = self.reference(study)
        for k in (3, 1):
            self.carom("sweep", study, "--shard", f"{k}/3")
        missing = self.carom("sweep", study, "--merge", code=FAILED)
        self.assertIn("10 rows are missing", missing.stderr)
        self.assertFalse((self.folder / "study.h5").exists())
        self.carom("sweep", study, "--shard", "2/3")
        self.carom("sweep", study, "--merge")
        self.assertEqual(expected, self.table())
        self.carom("sweep", study, "--shard", "4/3", code=WRONG_USAGE)

    def test_a_truncated_shard_is_noticed_and_done_again(self):
        study = self.study(30)
        expected = self.reference(study)
        self.carom("sweep", study, "--shard", "1/2", "-j", 1)
        self.carom("sweep", study, "--shard", "2/2", "-j", 1)
        file = max((self.folder / "study.sweep").rglob("*.rows"), key=lambda p: p.stat().st_size)
        file.write_bytes(file.read_bytes()[:-7])
        cut = self.carom("sweep", study, "--merge", code=FAILED)
        self.assertIn("not whole", cut.stderr)
        self.assertIn("1 rows are missing", cut.stderr)
        self.assertEqual(1, self.carom_json("sweep", study)["run"])
        self.assertEqual(expected, self.table())

    def test_kills_at_any_moment_cost_no_row_twice_and_change_no_byte(self):
        study = self.study(120, "per_run: {until: 20}")
        expected = self.reference(study)
        random.seed(5)
        for _ in range(8):
            process = self.start("sweep", study, "-j", 2)
            time.sleep(random.uniform(0.01, 0.12))
            process.send_signal(random.choice([signal.SIGKILL, signal.SIGINT]))
            process.communicate()
        before = self.carom_json("sweep", study)
        self.assertEqual(120, before["done"])
        self.assertEqual(expected, self.table())


class Failures(Sweep):
    def test_a_failure_is_a_row_and_the_rest_goes_on(self):
        self.write(SCENE)
        self.write("""carom_study: 1
scene: scene.yaml
vary: {run.max_steps: [2, 100000], run.tolerance: [1e-8, 7]}
design: {grid: 2}
record: {q: pivot.q@end}
""", "study.yaml")
        report = self.carom_json("sweep", "study.yaml")
        self.assertEqual([4, 3], [report["done"], report["failed"]])
        rows = self.rows()
        self.assertEqual(["failed", "invalid", "completed", "invalid"], [r["status"] for r in rows])
        self.assertIn("more than 2 steps", rows[0]["reason"])
        self.assertLess(float(rows[0]["time [s]"]), 2)
        self.assertIn("tolerance is 7", rows[1]["reason"])
        self.assertEqual("nan", rows[1]["q [rad]"])
        table = self.table()
        self.assertEqual(0, self.carom_json("sweep", "study.yaml")["run"])
        self.assertEqual(3, self.carom_json("sweep", "study.yaml", "--retry", "failed")["run"])
        self.assertEqual(table, self.table())

    def test_a_run_beyond_its_limit_is_stopped_and_recorded(self):
        study = self.study(2, "per_run: {max_cpu: 0.05, until: 1e6}")
        report = self.carom_json("sweep", study)
        self.assertEqual(2, report["failed"])
        row = self.rows()[0]
        self.assertEqual("limit", row["status"])
        self.assertIn("0.05 s of CPU", row["reason"])
        self.assertGreater(float(row["time [s]"]), 0)


class BadInput(Sweep):
    def test_findings_have_places(self):
        study = self.study(4).read_text()
        self.write(study.replace("values.l:", "values.length:"), "typo.yaml")
        found = self.carom("sweep", "typo.yaml", code=INVALID_SCENE)
        self.assertIn("typo.yaml:5:3: error: 'length' is not known in values", found.stderr)
        self.write(study.replace("[0.5, 2]", "[2, 0.5]"), "turned.yaml")
        self.assertIn("turned.yaml:5:", self.carom("check", "turned.yaml", code=INVALID_SCENE).stderr)
        self.write(study.replace("sobol: 4", "sobol: 0"), "empty.yaml")
        self.assertIn("at least", self.carom("sweep", "empty.yaml", code=INVALID_SCENE).stderr)
        self.write(study.replace("scene.yaml", "nowhere.yaml"), "lost.yaml")
        self.assertIn("does not exist", self.carom("sweep", "lost.yaml", code=INVALID_SCENE).stderr)

    def test_lists_are_read_and_checked(self):
        self.write(SCENE)
        self.write("carom_study: 1\nscene: scene.yaml\ndesign: {list: points.csv}\n"
                   "record: {q: pivot.q@end}\n", "study.yaml")
        self.write("values.l,run.integrator\n1,erk8\n2,auto\n", "points.csv")
        self.carom("sweep", "study.yaml")
        self.assertEqual(["erk8", "auto"], [r["run.integrator"] for r in self.rows()])
        self.write("values.l,run.integrator\n1,erk8\n2\n", "points.csv")
        self.assertIn("points.csv:3:1", self.carom("sweep", "study.yaml", code=INVALID_SCENE).stderr)
        self.write("values.l\n", "points.csv")
        self.assertIn("no points", self.carom("sweep", "study.yaml", code=INVALID_SCENE).stderr)

    def test_an_edited_scene_gets_new_keys_and_says_so(self):
        study = self.study(5)
        self.carom("sweep", study)
        before = self.table()
        self.write(SCENE.replace("mass: 1", "mass: 2"))
        again = self.carom("sweep", study)
        self.assertIn("every run has a new key", again.stderr)
        self.assertNotEqual(before, self.table())
        self.write(SCENE)
        back = self.carom_json("sweep", study)
        self.assertEqual(0, back["run"])
        self.assertEqual(before, self.table())

    def test_a_scene_edited_while_it_runs_does_not_mix(self):
        study = self.study(60, "per_run: {until: 30}")
        expected = self.reference(study)
        process = self.start("sweep", study, "-j", 1)
        while not list(self.folder.glob("study.sweep/rows/*/*.rows")):
            time.sleep(0.005)
        self.write(SCENE.replace("mass: 1", "mass: 2"))
        _, talk = process.communicate()
        self.assertEqual(expected[1], self.table()[1])
        if process.returncode == 0 and "was edited" not in talk:
            self.fail(talk)

    def test_the_second_of_two_at_once_refuses(self):
        study = self.study(60, "per_run: {until: 2000}")
        process = self.start("sweep", study, "-j", 1)
        while not list(self.folder.glob("study.sweep/rows/*/*.rows")):
            time.sleep(0.005)
        second = self.carom("sweep", study, "--wait", 0, code=FAILED)
        self.assertIn(f"another sweep is at work on this study (process {process.pid}", second.stderr)
        process.send_signal(signal.SIGINT)
        process.communicate()
        self.assertEqual(130, process.returncode)


class Check(Sweep):
    def test_says_how_many_runs_how_long_and_which(self):
        study = self.study(16)
        found = self.carom_json("check", study)
        self.assertEqual(16, found["runs"])
        self.assertGreater(found["cpu_seconds"], 0)
        self.assertEqual(["q", "fastest", "when", "steps", "swing"], found["columns"])
        self.assertEqual(5, len(found["points"]))
        self.assertEqual(1.25, found["points"][0]["values"]["values.l"])
        self.assertIn("16 runs (sobol)", self.carom("check", study).stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)

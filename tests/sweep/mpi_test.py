"""Real MPI on several hosts: a study survives kills, a dead link and a full disk, byte for byte.

    python3 mpi_test.py <carom> [--full]

Three network namespaces on a bridge stand for hosts. The sample of the tests has 160 runs and
3 kills of mpirun; --full has 2,000 runs and 20 kills. Where namespaces are refused this fails and
says so.
"""

import csv
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from hosts import ENVIRONMENT, Hosts, NotAllowed, call  # noqa: E402

CAROM = pathlib.Path(sys.argv.pop(1)).resolve()
FULL = "--full" in sys.argv
if FULL:
    sys.argv.remove("--full")
RUNS, KILLS, RANKS = (2000, 20, 4) if FULL else (160, 3, 4)

SCENE = """carom: 1
name: Double pendulum
values: {a: 1}
bodies:
  upper: {mass: 1, com: [0, 0, -0.5], inertia: [0.1, 0.1, 0.1], joint: {revolute: {axis: y}, name: first, q: "=a"}}
  lower: {mass: 1, com: [0, 0, -0.5], inertia: [0.1, 0.1, 0.1], joint: {revolute: {parent: upper, axis: y, at: [0, 0, -1]}, name: second, q: 2}}
run: {until: 120, tolerance: 1e-9, output: {step: 1}}
"""
STUDY = """carom_study: 1
scene: scene.yaml
vary: {values.a: {uniform: [0.5, 2.5]}, joints.second.damping: {uniform: [0, 0.02]}}
design: {sobol: %d}
record: {q: second.q@end, fastest: max(second.v), steps: statistics.steps}
""" % RUNS


class SeveralHosts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.hosts = None
        cls.seed = random.randrange(1 << 30)
        print("seed", cls.seed)
        random.seed(cls.seed)
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="carom-mpi-"))
        (cls.folder / "scene.yaml").write_text(SCENE)
        (cls.folder / "study.yaml").write_text(STUDY)
        try:
            cls.hosts = Hosts(3).__enter__()
        except (NotAllowed, FileNotFoundError) as refusal:
            shutil.rmtree(cls.folder)
            raise AssertionError(f"this machine does not let the test make hosts: {refusal}")
        subprocess.run([CAROM, "sweep", "study.yaml", "-q", "-o", "reference.h5"], cwd=cls.folder,
                       check=True)
        cls.reference = [(cls.folder / f"reference.{end}").read_bytes() for end in ("h5", "csv")]
        shutil.rmtree(cls.folder / "study.sweep")

    @classmethod
    def tearDownClass(cls):
        if cls.hosts:
            cls.hosts.__exit__()
            shutil.rmtree(cls.folder, ignore_errors=True)

    def setUp(self):
        for name in ("study.h5", "study.csv"):
            (self.folder / name).unlink(missing_ok=True)
        shutil.rmtree(self.folder / "study.sweep", ignore_errors=True)

    def start(self, recovery=True):
        return self.hosts.mpirun(RANKS, [CAROM, "sweep", "study.yaml", "--wait", 60], recovery,
                                 cwd=self.folder)

    def rows_on_disk(self):
        return sum(f.stat().st_size for f in (self.folder / "study.sweep").rglob("*.rows"))

    def wait_for_rows(self, process, part):
        """Until about this part of the rows is on disk."""
        enough = part * RUNS * 100
        while process.poll() is None and self.rows_on_disk() < enough:
            time.sleep(0.01)

    def finish(self, process):
        talk, _ = process.communicate(timeout=900)
        return process.returncode, talk

    def end_of(self, process):
        """The table is there; mpirun of OpenMPI 4.1 itself waits for its lost daemon for ever."""
        try:
            process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
        return process.communicate()[0]

    def expect_the_table(self, talk=""):
        self.assertTrue((self.folder / "study.h5").exists(), talk)
        for end, expected in zip(("h5", "csv"), self.reference):
            self.assertEqual(expected, (self.folder / f"study.{end}").read_bytes(), talk)
        with open(self.folder / "study.csv", newline="") as file:
            keys = [row["key"] for row in csv.DictReader(file)]
        self.assertEqual(RUNS, len(set(keys)))

    def expect_no_orphans(self):
        end = time.monotonic() + 60
        while time.monotonic() < end:
            left = self.hosts.processes("study.yaml") + self.hosts.processes("orted")
            if not left:
                return
            time.sleep(0.2)
        self.fail(f"processes are left behind: {left}")

    def until_done(self, starts=5):
        for _ in range(starts):
            code, talk = self.finish(self.start())
            if code == 0 and (self.folder / "study.h5").exists():
                return talk
        self.fail(talk)

    def test_gives_the_bytes_of_one_process(self):
        code, talk = self.finish(self.start())
        self.assertEqual(0, code, talk)
        self.expect_the_table(talk)
        hosts = {f.parent.name for f in (self.folder / "study.sweep").rglob("*.rows")}
        self.assertEqual(set(self.hosts.names), hosts, "every host has computed")
        self.expect_no_orphans()

    def ranks(self):
        """Processes of the command itself, in the order of their start."""
        return sorted(pid for pid in self.hosts.processes("study.yaml")
                      if pathlib.Path(f"/proc/{pid}/exe").resolve() == CAROM)

    def rank_of(self, pid):
        words = pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        return next(int(w.split(b"=")[1]) for w in words if w.startswith(b"OMPI_COMM_WORLD_RANK="))

    def test_the_others_do_the_work_of_a_killed_rank(self):
        process = self.start()
        self.wait_for_rows(process, 0.05)
        victim = next(pid for pid in self.ranks() if self.rank_of(pid) == 2)
        call("kill", "-9", str(victim))
        _, talk = self.finish(process)
        self.expect_the_table(talk)
        self.assertIn("does not answer any more", talk)
        self.expect_no_orphans()

    def test_without_recovery_a_killed_rank_ends_the_job_and_the_next_start_goes_on(self):
        process = self.start(recovery=False)
        self.wait_for_rows(process, 0.1)
        victims = [pid for pid in self.ranks() if self.rank_of(pid) == 1]
        call("kill", "-9", str(victims[0]))
        code, talk = self.finish(process)
        self.assertNotEqual(0, code, talk)
        self.until_done()
        self.expect_the_table()
        self.expect_no_orphans()

    def test_a_link_that_goes_down_costs_no_row(self):
        process = self.start()
        self.wait_for_rows(process, 0.2)
        self.hosts.link(2, "down")
        end = time.monotonic() + 600
        while not (self.folder / "study.h5").exists() and time.monotonic() < end:
            time.sleep(0.1)
        talk = self.end_of(process)
        self.hosts.link(2, "up")
        self.expect_the_table(talk)
        self.assertIn("does not answer any more", talk)
        self.expect_no_orphans()

    def test_a_full_disk_of_one_worker_costs_no_row(self):
        place = self.folder / "study.sweep/rows" / self.hosts.names[1]
        place.mkdir(parents=True)
        call("mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(place))
        try:
            if not FULL:  # a few rows would fit
                (place / "others").write_bytes(bytes(16384))
            code, talk = self.finish(self.start())
            self.assertEqual(0, code, talk)
            self.expect_the_table(talk)
            self.assertIn("No space left on device", talk)
        finally:
            call("umount", str(place))
        self.expect_no_orphans()

    def test_kills_of_mpirun_cost_no_row(self):
        for _ in range(KILLS):
            process = self.start(recovery=random.random() < 0.5)
            time.sleep(random.uniform(0.2, 3.0))
            process.send_signal(signal.SIGKILL)
            process.communicate()
        self.until_done()
        self.expect_the_table()
        self.expect_no_orphans()


class OneHost(unittest.TestCase):
    def test_a_missing_row_is_an_error_although_mpirun_says_none(self):
        """The first process alone, its disk full: it cannot keep a row, and says so."""
        with tempfile.TemporaryDirectory(prefix="carom-mpi-") as name:
            folder = pathlib.Path(name)
            (folder / "scene.yaml").write_text(SCENE)
            (folder / "study.yaml").write_text(STUDY.replace(f"sobol: {RUNS}", "sobol: 100"))
            rows = folder / "study.sweep/rows"
            rows.mkdir(parents=True)
            call("mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", str(rows))
            try:
                result = subprocess.run(
                    ["mpirun", "-np", "2", "--oversubscribe", "--bind-to", "none", CAROM, "sweep", "study.yaml"],
                    cwd=folder, env={**os.environ, **ENVIRONMENT}, text=True,
                    capture_output=True, timeout=300)
            finally:
                call("umount", str(rows))
            self.assertNotEqual(0, result.returncode)
            self.assertIn("No space left on device", result.stderr)
            self.assertFalse((folder / "study.h5").exists())


if __name__ == "__main__":
    unittest.main(verbosity=2)

"""What the command writes: never over what it reads, and over older results only when there is
something to put in their place; full disks and limits of files are errors in words."""

import os
import resource
import subprocess
import time
import unittest

from harness import CAROM, DONE, FAILED, PENDULUM, WRONG_USAGE, Case

SMALL = ("--until", "0.01")


class Outputs(Case):
    def test_a_scene_is_not_overwritten_by_its_results(self):
        for name in ("scene.h5", "scene.hdf5"):
            scene = self.write(PENDULUM, name)
            other = [] if name == "scene.h5" else ["-o", scene]
            result = self.carom("run", scene, *SMALL, *other, code=WRONG_USAGE)
            self.assertIn("not overwritten", result.stderr)
            self.assertEqual(PENDULUM, scene.read_text())

    def test_what_a_scene_reads_is_not_overwritten(self):
        included = self.write(PENDULUM, "part.csv")
        mesh = self.write("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n", "m.obj")
        scene = self.write("carom: 1\ninclude: part.csv\nbodies: {b: {material: steel, shapes: [{mesh: {file: m.obj}}]}}\n")
        (self.folder / "link.h5").symlink_to(mesh)
        os.link(included, self.folder / "hard.csv")
        before = included.read_text(), mesh.read_text()
        for output in ("part.csv", "link.h5", "hard.csv"):
            self.carom("run", scene, *SMALL, "-o", output, code=WRONG_USAGE)
        # The events of a.csv would be a.events.csv.
        (self.folder / "a.events.csv").symlink_to(included)
        self.carom("run", scene, *SMALL, "-o", "a.csv", code=WRONG_USAGE)
        self.assertEqual(before, (included.read_text(), mesh.read_text()))

    def test_one_file_is_not_written_twice(self):
        scene = self.write(PENDULUM)
        result = self.carom("run", scene, *SMALL, "-o", "a.h5", "-o", "./a.h5", code=WRONG_USAGE)
        self.assertIn("twice", result.stderr)

    def test_pages_and_plots_do_not_overwrite_results(self):
        self.carom("run", self.write(PENDULUM), *SMALL, "-o", "a.h5")
        before = (self.folder / "a.h5").read_bytes()
        self.carom("page", "a.h5", "-o", "a.h5", code=WRONG_USAGE)
        self.carom("page", "a.h5", "-o", "scene.yaml", code=WRONG_USAGE)
        (self.folder / "p.html").symlink_to(self.folder / "a.h5")
        (self.folder / "p.svg").symlink_to(self.folder / "a.h5")
        self.carom("page", "a.h5", "-o", "p.html", code=WRONG_USAGE)
        self.carom("page", "p.html", code=WRONG_USAGE)
        self.carom("plot", "a.h5", "pivot.q", "-o", "p.svg", code=WRONG_USAGE)
        self.assertEqual(before, (self.folder / "a.h5").read_bytes())
        self.assertEqual(PENDULUM, (self.folder / "scene.yaml").read_text())

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())

    def test_an_old_result_stays_if_the_new_one_cannot_be_made(self):
        scene = self.write(PENDULUM)
        self.carom("run", scene, *SMALL, "-o", "a.h5", "-o", "a.csv")
        before = {name: (self.folder / name).read_bytes() for name in self.names()}
        self.carom("run", scene, *SMALL, "-o", "a.h5", "-o", "a.csv", "-o", "nowhere/b.csv", code=FAILED)
        self.assertEqual(before, {name: (self.folder / name).read_bytes() for name in self.names()})

    def test_a_kill_leaves_the_old_result_or_a_readable_new_one(self):
        scene = self.write(PENDULUM)
        self.carom("run", scene, "-o", "a.h5")
        self.assertEqual(5, self.probe("a.h5")["rows"])
        for i in range(20):
            process = self.start("run", scene, "--until", "1e9", "--output-step", "10", "-o", "a.h5")
            time.sleep(0.003 * i)
            process.kill()
            process.communicate(timeout=60)
            self.assertIn(self.probe("a.h5")["status"], ("completed", "running"))

    def test_a_resume_that_fails_changes_nothing(self):
        scene = self.write(PENDULUM)
        self.carom("run", scene, "--checkpoint", "0.5", "-o", "a.h5")
        file = self.folder / "a.h5"
        damaged = bytearray(file.read_bytes())
        damaged[-3000] ^= 1
        file.write_bytes(damaged)
        before = {name: (self.folder / name).read_bytes() for name in self.names()}
        words = ("run", scene, "--checkpoint", "0.5", "-o", "a.h5", "--resume")
        self.carom(*words, code=FAILED)
        self.carom(*words, "--set", "joints.pivot.q=0.6", code=FAILED)
        self.carom(*words, "-o", "nowhere/b.h5", code=FAILED)
        self.assertEqual(before, {name: (self.folder / name).read_bytes() for name in self.names()})

    def test_links_to_results_stay_links(self):
        (self.folder / "latest.h5").symlink_to("run7.h5")
        self.carom("run", self.write(PENDULUM), *SMALL, "-o", "run7.h5")
        self.carom("run", self.folder / "scene.yaml", "-o", "latest.h5")
        self.assertTrue((self.folder / "latest.h5").is_symlink())
        self.assertEqual(5, self.probe("run7.h5")["rows"])

    def test_a_full_disk_is_named(self):
        scene = self.write(PENDULUM)
        (self.folder / "full.csv").symlink_to("/dev/full")
        result = self.carom("run", scene, "-o", "full.csv", code=FAILED)
        self.assertIn("No space left on device", result.stderr)
        with open("/dev/full", "w") as full:
            result = subprocess.run([str(CAROM), "run", str(scene), "--no-output", "--json"], stdout=full,
                                    stderr=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual(FAILED, result.returncode)
        self.assertIn("No space left on device", result.stderr)

    def test_a_limit_of_file_sizes_is_an_error_and_no_death(self):
        scene = self.write(PENDULUM)
        for size in (0, 100, 5_000, 60_000):
            for output in ("a.h5", "a.csv", "a.html"):
                words = ["run", scene, "--output-step", "1e-3"]
                words += ["-o", "ok.csv", "--page"] if output == "a.html" else ["-o", output]
                limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
                result = subprocess.run([str(CAROM), *map(str, words)], cwd=self.folder, text=True,
                                        capture_output=True, timeout=60, preexec_fn=limit)
                self.assertIn(result.returncode, (DONE, FAILED), (size, output, result.stderr))
                if result.returncode == FAILED:
                    self.assertIn("File too large", result.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)

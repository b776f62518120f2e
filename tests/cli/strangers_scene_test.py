"""Scenes of strangers: bombs of aliases and includes, broken text, escape sequences for the
terminal, and that `check` refuses what `run` would refuse."""

import resource
import subprocess
import unittest

from harness import CAROM, DONE, INVALID_SCENE, Case

BODY = "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
MOST_BYTES = 1_000_000_000


class Strangers(Case):
    def bounded(self, *words, code, seconds):
        """Runs with bounded memory; the time, of the processor, is a bound on hanging."""
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
        begin = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        result = subprocess.run([str(CAROM), *map(str, words)], cwd=self.folder, timeout=300,
                                capture_output=True, preexec_fn=limit)
        if b"AddressSanitizer failed to allocate" in result.stderr:
            self.skipTest("AddressSanitizer keeps more addresses than that for itself")
        self.assertEqual(code, result.returncode, result.stderr[:2000])
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - begin, seconds)
        return result.stderr.decode(errors="strict")

    def test_aliases_are_bounded_in_bytes(self):
        text = 'carom: 1\nname: &a "' + "A" * 1_000_000 + '"\nvalues: [' + ",".join(["*a"] * 20000) + "]\n"
        report = self.bounded("check", self.write(text), code=INVALID_SCENE, seconds=10)
        self.assertRegex(report, r"scene.yaml:3:\d+: error: with its aliases")

    def test_aliases_of_aliases_are_bounded_in_number(self):
        text = "carom: 1\nx0: &x0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n"
        for i in range(1, 12):
            text += f"x{i}: &x{i} [" + ", ".join([f"*x{i - 1}"] * 10) + "]\n"
        report = self.bounded("check", self.write(text), code=INVALID_SCENE, seconds=10)
        self.assertIn("more than 1000000 values", report)

    def test_includes_are_bounded_in_number(self):
        self.write("".join(f"k{i}: 1\n" for i in range(200_000)), "keys.yaml")
        self.write("q: 1\n", "tiny.yaml")
        text = "carom: 1\ninclude: [keys.yaml" + ", tiny.yaml" * 200_000 + "]\n"
        report = self.bounded("check", self.write(text), code=INVALID_SCENE, seconds=10)
        self.assertIn("more than 1000 files are included", report)

    def test_many_small_includes_over_a_large_one_take_no_time(self):
        self.write("values:\n" + "".join(f"  k{i}: 1\n" for i in range(100_000)), "keys.yaml")
        self.write("values: {q: 1}\n", "tiny.yaml")
        text = "carom: 1\ninclude: [keys.yaml" + ", tiny.yaml" * 900 + "]\n" + BODY + "run: {until: 0.01}\n"
        self.bounded("check", self.write(text), code=DONE, seconds=20)

    def test_included_files_are_bounded_in_bytes_together(self):
        self.write("# " + "x" * 30_000_000 + "\nq: 1\n", "large.yaml")
        text = "carom: 1\ninclude: [large.yaml, large.yaml, large.yaml]\n"
        report = self.bounded("check", self.write(text), code=INVALID_SCENE, seconds=20)
        self.assertIn("more than 64000000 bytes together", report)

    def test_twenty_thousand_events_are_checked_quickly(self):
        events = "".join(f'  e{i}: {{when: "t - {i * 1e-5}"}}\n' for i in range(20_000))
        scene = self.write("carom: 1\n" + BODY + "events:\n" + events + "run: {until: 0.01}\n")
        self.bounded("check", scene, code=DONE, seconds=10)

    def test_a_million_wrong_keys_are_no_flood(self):
        scene = self.write("carom: 1\nbodies: {a: {" + ", ".join(f"k{i}: 1" for i in range(300_000)) + "}}\n")
        report = self.bounded("check", scene, code=INVALID_SCENE, seconds=20)
        self.assertLess(len(report), 2_000_000)

    def test_a_long_name_does_not_flood_the_terminal(self):
        report = self.bounded("check", self.write("carom: 1\n" + "k" * 1_000_000 + ": 1\n" + BODY),
                              code=INVALID_SCENE, seconds=10)
        self.assertLess(len(report), 10_000)

    def test_an_error_behind_a_thousand_warnings_is_an_error(self):
        bodies = "".join(f"  b{i}: {{mass: 1, inertia: [1, 1, 1], orientation: [2, 0, 0, 0]}}\n" for i in range(1500))
        scene = self.write("carom: 1\nbodies:\n" + bodies + "  z: {mass: -1}\nrun: {until: 0.01}\n")
        self.assertIn("mass is -1", self.bounded("check", scene, code=INVALID_SCENE, seconds=20))

    def test_what_is_no_character_is_refused(self):
        for raw in (b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe0\x80\x80", b"\xff", b"\xc0\x80"):
            path = self.folder / "raw.yaml"
            path.write_bytes(b'carom: 1\nname: "x ' + raw + b'"\n' + BODY.encode())
            self.assertIn("raw.yaml:2:10: error: the text is not UTF-8",
                          self.bounded("check", path, code=INVALID_SCENE, seconds=10))
        for escape in (r"\ud800", r"\udfff", r"\U00110000"):
            scene = self.write(f'carom: 1\nname: "x {escape}"\n' + BODY)
            self.assertRegex(self.bounded("check", scene, code=INVALID_SCENE, seconds=10), "scene.yaml:2:")

    def test_escape_sequences_do_not_reach_the_terminal(self):
        name = r'"\e]0;PWNED\a\e[2Jhello\r\n\x9b31m\x7f\b"'
        good = self.write(f"carom: 1\nname: {name}\n" + BODY + "run: {until: 0.01}\n")
        key = self.write(f"carom: 1\n{name}: 1\nbodies: {{{name}: {{mass: 1}}}}\n", "key.yaml")
        value = self.write(f"carom: 1\n{BODY}run: {{integrator: {name}, output: {{channels: [{name}]}}}}\n", "value.yaml")
        commands = [("run", good), ("run", good, "--json"), ("check", good), ("check", good, "--json"),
                    ("check", good, "--expand"), ("check", key), ("run", value), ("check", value),
                    ("page", "scene.h5"), ("plot", "scene.h5"), ("plot", "scene.h5", "nothing"),
                    ("settle", good), ("linearize", good), ("inverse", good)]
        for words in commands:
            result = subprocess.run([str(CAROM), *map(str, words)], cwd=self.folder, capture_output=True, timeout=60)
            shown = (result.stdout + result.stderr).decode(errors="strict")
            controls = [c for c in shown if ord(c) < 32 and c not in "\n\t" or 0x7F <= ord(c) < 0xA0]
            self.assertEqual([], controls, f"{words}: {shown!r}")

    def test_check_refuses_what_run_would_refuse(self):
        wrong = {
            "integrator": ("run: {integrator: banana}\n", "banana"),
            "channels": ("run: {output: {channels: [nope]}}\n", "nope"),
            "both": ("run: {integrator: banana, output: {channels: [nope]}}\n", "banana"),
            "loops": ("joints: {l: {ball: {parent: world, child: a}}}\nrun: {integrator: erk5}\n", ""),
            "equilibrium": ("gravity: [0, 0, -9.81]\ninitial: equilibrium\n", "equilibrium"),
        }
        for name, (text, word) in wrong.items():
            scene = self.write("carom: 1\n" + BODY + text, name + ".yaml")
            run = subprocess.run([str(CAROM), "run", str(scene), "--no-output"], capture_output=True, timeout=60)
            check = subprocess.run([str(CAROM), "check", str(scene)], capture_output=True, timeout=60)
            self.assertEqual(run.returncode, check.returncode, name)
            if run.returncode == INVALID_SCENE:
                self.assertRegex(check.stderr.decode(), name + r".yaml:\d+:\d+: error: ")
            self.assertIn(word, check.stderr.decode())

    def test_a_body_without_inertia_is_named_with_its_place_and_joint(self):
        text = """carom: 1
gravity: off
bodies:
  a:
    mass: 1e-300
    inertia: [1e-300, 1e-300, 1e-300]
    com: [6e9, 3e9, 1]
    joint: {spherical: {}, name: hip}
  b: {mass: 1, inertia: [1, 1, 1], com: [1e12, 1e12, 0]}
run: {until: 1e-3}
"""
        report = self.carom("check", self.write(text), code=INVALID_SCENE).stderr
        self.assertRegex(report, r"scene.yaml:\d+:\d+: error: .*body '[ab]'.*\((spherical|free)\)")


if __name__ == "__main__":
    unittest.main(verbosity=2)

"""Result files: those of Carom 0.1 stay readable, damaged ones are refused in words."""

import gzip
import unittest

from harness import FAILED, PENDULUM, SOURCE, Case

# Written by Carom 0.1.0: a steel ball falls onto a table, 6 rows.
FORMAT_1 = SOURCE / "tests" / "data" / "format1.h5.gz"


class ResultFiles(Case):
    def test_files_of_the_first_format_are_read(self):
        file = self.folder / "old.h5"
        file.write_bytes(gzip.decompress(FORMAT_1.read_bytes()))
        probe = self.probe("old.h5")
        self.assertEqual(("completed", 6, 2), (probe["status"], probe["rows"], probe["events"]))
        self.assertIn("ball.position", probe["channels"])
        self.assertEqual(0.5, probe["last_time"])
        self.carom("plot", "old.h5", "ball.position.z", "-o", "old.svg")
        self.carom("page", "old.h5", "-o", "old.html")
        self.assertIn("contact_begin", (self.folder / "old.html").read_text())

    def test_a_changed_byte_is_found(self):
        self.write(PENDULUM)
        self.carom("run", "scene.yaml", "-o", "a.h5")
        file = self.folder / "a.h5"
        bytes_ = bytearray(file.read_bytes())
        bytes_[len(bytes_) // 2] ^= 4
        file.write_bytes(bytes_)
        for words in (["page", "a.h5"], ["plot", "a.h5", "pivot.q"]):
            result = self.carom(*words, code=FAILED)
            self.assertIn("its digest does not fit", result.stderr)

    def test_a_checkpoint_does_not_go_on_with_another_mesh(self):
        mesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
        (self.folder / "m.obj").write_text(mesh)
        scene = self.write("carom: 1\nbodies:\n  b: {material: steel, shapes: [{mesh: {file: m.obj}}]}\n"
                           "run: {until: 1}\n")
        self.carom("run", scene, "--checkpoint", "0.5", "-o", "a.h5")
        (self.folder / "m.obj").write_text(mesh.replace("v 0 0 1", "v 0 0 1.0001"))
        result = self.carom("run", scene, "--checkpoint", "0.5", "-o", "a.h5", "--resume", code=FAILED)
        self.assertIn("another scene", result.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)

"""Every snippet of docs/python.md runs, in order, as a reader would type it."""

import contextlib
import io
import os
import pathlib
import re
import shutil
import tempfile
import unittest

import support

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "python.md"


class Documentation(unittest.TestCase):
    def test_snippets_run_and_print_what_the_page_says(self):
        text = PAGE.read_text()
        snippets = list(re.finditer(r"```python\n(.*?)```(?:\s*```text\n(.*?)```)?", text, re.S))
        self.assertGreater(len(snippets), 5)
        names, back = {}, os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            for example in support.EXAMPLES.glob("*.yaml"):
                shutil.copy(example, folder)
            os.chdir(folder)
            try:
                for snippet in snippets:
                    self.run_snippet(text, snippet, names)
            finally:
                os.chdir(back)

    def run_snippet(self, text, snippet, names):
        line = text.count("\n", 0, snippet.start()) + 2
        # Blank lines in front, so that a traceback shows the line of the page.
        code = compile("\n" * (line - 1) + snippet[1], str(PAGE), "exec")
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(code, names)
        if snippet[2] is not None:
            self.assertEqual(printed.getvalue(), snippet[2], "python.md:%d" % line)


if __name__ == "__main__":
    unittest.main()

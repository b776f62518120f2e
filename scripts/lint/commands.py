#!/usr/bin/env python3
"""Command lines of a second compiler for the sources named on standard input, one a line.

    commands.py compile_commands.json < names

Takes includes, definitions and standard from the commands of the first compiler. Headers and
sources that no target compiles are left out: the former are read where they are included.
"""

import json
import pathlib
import shlex
import sys

WARNINGS = "-Wall -Wextra -Wpedantic -Wconversion -Wno-sign-conversion -Wshadow -Werror"
TAKEN = ("-I", "-D", "-std")


def command(entry):
    words = shlex.split(entry["command"])
    kept, system = [], False
    for word in words[1:]:
        if system or word == "-isystem":
            kept.append(word)
            system = not system
        elif word.startswith(TAKEN):
            kept.append(word)
    line = ["clang++-16", "-fsyntax-only", *WARNINGS.split(), *kept, entry["file"]]
    return " ".join(shlex.quote(word) for word in line)


def main():
    root = pathlib.Path.cwd()
    wanted = {str(root / name) for name in sys.stdin.read().split()}
    for entry in json.loads(pathlib.Path(sys.argv[1]).read_text()):
        if entry["file"] in wanted:
            print(command(entry))


main()

#!/usr/bin/env python3
"""Command lines of a second compiler for the sources named on standard input, one a line.

    commands.py compile_commands.json [--tidy CHECKS] [--below FOLDER…] < names

Takes includes, definitions and standard from the commands of the first compiler. Sources that are
compiled together are read together too, which takes a third of the time: such a file is read if
one of its sources is named. Headers and sources that no target compiles are left out; the former
are read where they are included. With --tidy the same reading also looks for the mistakes that
CHECKS name. --below: only sources below these folders; --not-below: only the others.
"""

import argparse
import json
import pathlib
import re
import shlex
import sys

WARNINGS = "-Wall -Wextra -Wpedantic -Wconversion -Wno-sign-conversion -Wshadow -Wno-overlength-strings"
TAKEN = ("-I", "-D", "-std")


def options(entry):
    kept, system = [], False
    for word in shlex.split(entry["command"])[1:]:
        if system or word == "-isystem":
            kept.append(word)
            system = not system
        elif word.startswith(TAKEN):
            kept.append(word)
    return [*WARNINGS.split(), *kept]


def command(entry, checks):
    if checks is None:
        words = ["clang++-16", "-fsyntax-only", "-Werror", *options(entry), entry["file"]]
    else:
        words = ["clang-tidy-16", "--quiet", "--warnings-as-errors=*", f"--checks={checks}", entry["file"], "--",
                 *options(entry)]
    return shlex.join(words)


def sources(entry):
    """The files of the project that a command compiles."""
    if "/Unity/unity_" not in entry["file"]:
        return [entry["file"]]
    return re.findall(r'#include "(.*)"', pathlib.Path(entry["file"]).read_text())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("database", type=pathlib.Path)
    parser.add_argument("--tidy", metavar="CHECKS")
    parser.add_argument("--below", nargs="+", default=[""])
    parser.add_argument("--not-below", nargs="+", default=[])
    o = parser.parse_args()
    root = pathlib.Path.cwd()
    names = [name for name in sys.stdin.read().split()
             if name.startswith(tuple(o.below)) and not name.startswith(tuple(o.not_below))]
    wanted = {str(root / name) for name in names}
    for entry in json.loads(o.database.read_text()):
        if wanted.intersection(sources(entry)):
            print(command(entry, o.tidy))


main()

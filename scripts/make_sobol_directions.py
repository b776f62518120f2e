#!/usr/bin/env python3
"""Writes src/carom/sweep/sobol_directions.inc from the published direction numbers.

    scripts/make_sobol_directions.py new-joe-kuo-6.21201 [DIMENSIONS]
    /usr/bin/python3 scripts/make_sobol_directions.py scipy [DIMENSIONS]

The first form reads Joe and Kuo's own file (columns d, s, a, m_1 …), the second the copy that
scipy carries; both give the same file.
"""

import pathlib
import sys

HEADER = """// Made by scripts/make_sobol_directions.py. Do not edit.
//
// Direction numbers of Sobol' sequences: the first {count} dimensions of new-joe-kuo-6.21201.
// S. Joe and F. Y. Kuo, Constructing Sobol sequences with better two-dimensional projections,
// SIAM J. Sci. Comput. 30 (2008) 2635-2654. The table is theirs, under these terms:
//
// Copyright (c) 2008, Frances Y. Kuo and Stephen Joe. All rights reserved.
// Redistribution and use in source and binary forms, with or without modification, are permitted
// provided that the following conditions are met: Redistributions of source code must retain the
// above copyright notice, this list of conditions and the following disclaimer. Redistributions in
// binary form must reproduce the above copyright notice, this list of conditions and the following
// disclaimer in the documentation and/or other materials provided with the distribution. Neither
// the names of the copyright holders nor the names of the University of New South Wales and the
// University of Waikato and its contributors may be used to endorse or promote products derived
// from this software without specific prior written permission.
// THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS "AS IS" AND ANY EXPRESS OR IMPLIED WARRANTIES,
// INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A
// PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDERS BE LIABLE FOR ANY
// DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES ARISING IN ANY WAY OUT
// OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
"""


def rows_of_scipy(count):
    import numpy
    from scipy.stats import _sobol

    table = numpy.load(pathlib.Path(_sobol.__file__).parent / "_sobol_direction_numbers.npz")
    for polynomial, initial in zip(table["poly"][:count], table["vinit"][:count]):
        yield int(polynomial), [int(m) for m in initial if m]


def rows_of_file(path, count):
    yield 1, [1]
    for line in pathlib.Path(path).read_text().splitlines()[1:count]:
        _, degree, inner, *initial = map(int, line.split())
        yield (1 << degree) | (inner << 1) | 1, initial


def wrapped(words):
    line, lines = "   ", []
    for word in words:
        if len(line) + len(word) + 2 > 100:
            lines.append(line)
            line = "   "
        line += f" {word},"
    return "\n".join([*lines, line])


def main():
    source = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 4096
    rows = list(rows_of_scipy(count) if source == "scipy" else rows_of_file(source, count))
    starts, initial = [], []
    for polynomial, numbers in rows:
        assert polynomial == 1 or len(numbers) == polynomial.bit_length() - 1
        starts.append(f"{{{polynomial}, {len(initial)}}}")
        initial += map(str, numbers)
    out = pathlib.Path(__file__).parent.parent / "src/carom/sweep/sobol_directions.inc"
    out.write_text(HEADER.format(count=len(rows)) + "constexpr std::uint32_t kInitial[] = {\n" +
                   wrapped(initial) + "\n};\nconstexpr Directions kRows[] = {\n" + wrapped(starts) + "\n};\n")


if __name__ == "__main__":
    main()

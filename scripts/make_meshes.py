#!/usr/bin/env python3
"""Writes the mesh files of the demos into examples/meshes: DXF files of 3DFACE triangles, and OBJ.

    python3 scripts/make_meshes.py

pyramid.dxf: a square pyramid, base 1 x 1 in the plane z = 0, apex at (0, 0, 1).
cylinder.dxf: a prism of 48 corners that stands for a cylinder along x of length 1 and
diameter 1 about the origin. Scenes scale them.
ground.obj: a square of 2 m with hills and hollows of some centimetres, an open sheet.
"""
import math
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "examples" / "meshes"
SIDES = 48


def pyramid():
    a, b, c, d = (-0.5, -0.5, 0), (0.5, -0.5, 0), (0.5, 0.5, 0), (-0.5, 0.5, 0)
    apex = (0, 0, 1)
    return [(a, c, b), (a, d, c), (a, b, apex), (b, c, apex), (c, d, apex), (d, a, apex)]


def cylinder():
    def rim(x, i):
        # Half a side off the axes, so that the prism lies on a side and not on an edge.
        angle = 2 * math.pi * (i % SIDES + 0.5) / SIDES
        return (x, 0.5 * math.cos(angle), 0.5 * math.sin(angle))

    triangles = []
    for i in range(SIDES):
        a, b = rim(-0.5, i), rim(-0.5, i + 1)
        c, d = rim(0.5, i), rim(0.5, i + 1)
        triangles += [(a, b, d), (a, d, c), ((-0.5, 0, 0), b, a), ((0.5, 0, 0), c, d)]
    return triangles


def write_dxf(name, triangles):
    """AutoCAD R12 text: pairs of group code and value; a triangle repeats its last corner."""
    lines = ["0", "SECTION", "2", "ENTITIES"]
    for triangle in triangles:
        lines += ["0", "3DFACE", "8", "0"]
        for corner, point in enumerate(triangle + triangle[-1:]):
            for axis, value in enumerate(point):
                lines += [str(10 * (axis + 1) + corner), f"{value + 0.0:.15g}"]
    lines += ["0", "ENDSEC", "0", "EOF"]
    (FOLDER / name).write_text("\n".join(lines) + "\n")


def ground():
    cells = 16
    vertices = []
    for i in range(cells + 1):
        for j in range(cells + 1):
            x, y = 2 * i / cells - 1, 2 * j / cells - 1
            vertices.append((x, y, 0.05 * math.sin(5 * x) * math.cos(4 * y) + 0.12 * (x * x + y * y)))
    faces = []
    for i in range(cells):
        for j in range(cells):
            a, b = i * (cells + 1) + j, (i + 1) * (cells + 1) + j
            faces += [(a, b, b + 1), (a, b + 1, a + 1)]
    return vertices, faces


def write_obj(name, vertices, faces):
    lines = ["v " + " ".join(f"{value:.6g}" for value in v) for v in vertices]
    lines += ["f " + " ".join(str(i + 1) for i in f) for f in faces]
    (FOLDER / name).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    write_dxf("pyramid.dxf", pyramid())
    write_dxf("cylinder.dxf", cylinder())
    write_obj("ground.obj", *ground())

#!/usr/bin/env python3
"""Throws mutants of every kind of input at Carom and sees that it goes on.

    scripts/fuzz.py [--build build-sanitize] [--count 5000] [--seed N] [--kinds scene,result,…]

Scenes, result files of both formats, checkpoints, mesh files of every format, disks that fill up
and pipes whose readers leave. Nothing may crash, take longer than ten seconds of the processor
(five minutes by the clock) or more than a gigabyte, or open a file that it was not told of (counted
by a preloaded library, see tests/fuzz/open_watch.cpp). Mutants of sealed files are sealed again in
every second case, as somebody who means harm would do. What fails is kept in fuzz-failures/ with the
seed that made it.
"""

import argparse
import base64
import gzip
import hashlib
import json
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent
KINDS = ("scene", "result", "checkpoint", "mesh", "disk", "pipe")
AT_ONCE = 100  # inputs per process
NUMBERS = ["0", "-1", "1e308", "-1e308", "1e-308", ".nan", ".inf", "1e18", "4294967296", "0.1", "-0", "[]", "{}", "~",
           "[[1, 2], [3]]", '"=1/0"', '"=t"', "$x", "true", '"\\ud800"', '"\\e[2J"', "*a", "&a 1", "!!binary x"]
SMALL = """carom: 1
name: fuzz
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  box: {material: steel, shapes: [{box: {size: [0.1, 0.12, 0.14]}}], position: [0, 0, 0.08], angular_velocity: [3, 2, 1]}
  rod: {material: steel, shapes: [{sphere: {radius: 0.05}}], joint: {revolute: {axis: y, at: [1, 0, 1]}, name: hinge, q: 0.5, drive: {position: 0.2, stiffness: 10}, friction: {coulomb: 0.1, static: 0.2}}}
events: {up: {when: "hinge.q - 0.3"}}
contact: {law: exact, friction: lugre, restitution: 0.5, k_red: 1e-4}
run: {until: 0.3, tolerance: 1e-6, checkpoint: 0.1, output: {step: 0.01}}
"""
# What other formulations remember is in checkpoints, too.
OTHERS = ["""carom: 1
name: rigid
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  box: {material: steel, shapes: [{box: {size: [0.1, 0.12, 0.14]}}], position: [0, 0, 0.08], angular_velocity: [0.3, 2, 1]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.05}}], position: [1, 0, 0.05], velocity: [1, 0, 0]}
contact: {method: rigid, friction: {coulomb: {mu: 0.3}}, restitution: 0.5, exclude: [[box, ball]]}
run: {until: 0.3, tolerance: 1e-6, checkpoint: 0.1, output: {step: 0.01, channels: [all]}}
""", """carom: 1
name: triangles and a formula
bodies:
  floor: {fixed: true, material: steel, shapes: [{box: {size: [1, 1, 0.2]}, at: [0, 0, -0.1]}]}
  box: {material: steel, shapes: [{box: {size: [0.1, 0.12, 0.14]}}], position: [0, 0, 0.071], angular_velocity: [0.3, 0.2, 1]}
  crate: {fixed: true, material: steel, shapes: [{graph: {z: "0.02*cos(20*x)*cos(20*y)", x: [-1, 1], y: [-1, 1]}}], position: [5, 0, 0]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.03}}], position: [5.02, 0.01, 0.06]}
contact: {restitution: 0.3, exclude: [[box, crate]], pairs: [{between: [floor, box], method: triangles}]}
run: {until: 0.3, tolerance: 1e-6, checkpoint: 0.1, output: {step: 0.01, channels: [all]}}
"""]


def mutate_bytes(draw, data):
    """A few changes where they hurt: single bits, lengths and counts, pieces cut, moved, repeated."""
    data = bytearray(data)
    for _ in range(draw.choice((1, 1, 2, 4, 16))):
        at = draw.randrange(len(data) + 1) if data else 0
        kind = draw.randrange(7)
        if kind == 0 and data:
            data[at % len(data)] ^= 1 << draw.randrange(8)
        elif kind == 1 and data:
            data[at % len(data)] = draw.choice((0, 1, 0x7F, 0x80, 0xFF))
        elif kind == 2:
            size = draw.choice((2, 4, 8))
            value = draw.choice((0, 1, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1, 2**64 - 1, draw.getrandbits(64)))
            data[at:at + size] = struct.pack("<Q", value)[:size]
        elif kind == 3:
            del data[at:at + draw.randrange(1, 64)]
        elif kind == 4:
            begin = draw.randrange(len(data) + 1)
            data[at:at] = data[begin:begin + draw.randrange(1, 200)]
        elif kind == 5:
            begin = draw.randrange(len(data) + 1)
            piece = data[begin:begin + 16]
            data[at:at + len(piece)] = piece
        elif draw.random() < 0.2:
            del data[at:]
    return bytes(data)


def mutate_text(draw, text):
    """Lines and values change places, numbers become strange, brackets go missing."""
    lines = text.splitlines()
    for _ in range(draw.choice((1, 1, 2, 3, 6))):
        if not lines:
            break
        i, j = draw.randrange(len(lines)), draw.randrange(len(lines))
        kind = draw.randrange(7)
        words = lines[i].replace(",", " , ").replace("}", " } ").replace("]", " ] ").split(" ")
        if kind == 0:
            words[draw.randrange(len(words))] = draw.choice(NUMBERS)
            lines[i] = " ".join(words)
        elif kind == 1:
            words[draw.randrange(len(words))] = draw.choice(lines[j].split(" "))
            lines[i] = " ".join(words)
        elif kind == 2:
            lines[i], lines[j] = lines[j], lines[i]
        elif kind == 3:
            lines.insert(i, lines[j])
        elif kind == 4:
            del lines[i]
        elif kind == 5:
            at = draw.randrange(len(lines[i]) + 1)
            lines[i] = lines[i][:at] + draw.choice("[]{}:,&*!|>'\"%@`-?\t#") + lines[i][at:]
        else:
            lines[i] = mutate_bytes(draw, lines[i].encode()).decode("latin-1")
    return ("\n".join(lines) + "\n").encode("utf-8", "replace")


def seal_result(data):
    """Format 2: the first 512 bytes say what follows (src/carom/record/result_seal.h)."""
    if not data.startswith(b"carom result 2\n") or len(data) < 512:
        return data
    text = f"carom result 2\nsha256 {hashlib.sha256(data[512:]).hexdigest()} {len(data) - 512}\n"
    return text.encode().ljust(512, b"\0") + data[512:]


def seal_archive(data):
    """Checkpoints: two lines, length, length of the digest, digest (src/carom/base/archive.cpp)."""
    lines = data.split(b"\n", 2)
    if len(lines) < 3 or len(lines[2]) < 80:
        return data
    body = lines[2][80:]
    head = struct.pack("<QQ", len(body), 64) + hashlib.sha256(body).hexdigest().encode()
    return lines[0] + b"\n" + lines[1] + b"\n" + head + body


def craft_heap(draw, data):
    """Format 1: counts and sizes in the heaps of its variable-length texts, which HDF5 believes."""
    places = [found.start() for found in re.finditer(b"GCOL", data)]
    if not places:
        return data
    at = draw.choice(places) + draw.choice((8, 16, 18, 24, 32, 40, 48, 56, 64))
    value = draw.choice((0, 1, 7, 2**16 - 1, 2**31, 2**32 - 1, 2**40, 2**63, 2**64 - 1, 2**64 - 8, 2**64 - 4096))
    size = draw.choice((2, 8))
    return data[:at] + struct.pack("<Q", value)[:size] + data[at + size:]


MESHES = {
    "obj": b"o t\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\nf 1 3 2\nf 1/1/1 2//1 4\nf 1 4 3\nf -3 -2 -1\n",
    "off": b"OFF\n4 4 6\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n",
    "ply": b"ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4\n"
           b"property list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n",
    "stl": b"solid t\n" + b"".join(
        b"facet normal 0 0 1\nouter loop\nvertex %s\nvertex %s\nvertex %s\nendloop\nendfacet\n" % face
        for face in ((b"0 0 0", b"0 1 0", b"1 0 0"), (b"0 0 0", b"1 0 0", b"0 0 1"), (b"0 0 0", b"0 0 1", b"0 1 0"),
                     (b"1 0 0", b"0 1 0", b"0 0 1"))) + b"endsolid t\n",
}


def binary_meshes():
    points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    stl = b"\0" * 80 + struct.pack("<I", 4)
    for face in faces:
        stl += struct.pack("<3f", 0, 0, 1) + b"".join(struct.pack("<3f", *points[i]) for i in face) + b"\0\0"
    head = MESHES["ply"].split(b"end_header\n")[0].replace(b"ascii", b"binary_little_endian") + b"end_header\n"
    ply = head + b"".join(struct.pack("<3f", *p) for p in points) + b"".join(struct.pack("<B3i", 3, *f) for f in faces)
    buffer = b"".join(struct.pack("<3f", *p) for p in points) + b"".join(struct.pack("<3H", *f) for f in faces)
    return [("stl", stl), ("ply", ply), *gltf_meshes(buffer), ("3ds", tds_mesh(points, faces))]


def gltf_meshes(buffer):
    scene = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
             "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
             "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 48, "target": 34962},
                             {"buffer": 0, "byteOffset": 48, "byteLength": 24, "target": 34963}],
             "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3",
                            "min": [0, 0, 0], "max": [1, 1, 1]},
                           {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"}]}
    inline = "data:application/octet-stream;base64," + base64.b64encode(buffer).decode()
    for uri in (inline, "/etc/hostname", "../../etc/passwd"):
        scene["buffers"] = [{"byteLength": len(buffer), "uri": uri}]
        yield "gltf", json.dumps(scene, indent=1).encode()
    scene["buffers"] = [{"byteLength": len(buffer)}]
    text = json.dumps(scene).encode()
    text += b" " * (-len(text) % 4)
    yield "glb", (struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(buffer)) + struct.pack("<I4s", len(text), b"JSON")
                  + text + struct.pack("<I4s", len(buffer), b"BIN\0") + buffer)


def tds_mesh(points, faces):
    chunk = lambda kind, body: struct.pack("<HI", kind, 6 + len(body)) + body
    vertices = struct.pack("<H", len(points)) + b"".join(struct.pack("<3f", *p) for p in points)
    triangles = struct.pack("<H", len(faces)) + b"".join(struct.pack("<4H", *f, 0) for f in faces)
    mesh = chunk(0x4100, chunk(0x4110, vertices) + chunk(0x4120, triangles))
    return chunk(0x4D4D, chunk(0x3D3D, chunk(0x4000, b"t\0" + mesh)))


class Campaign:
    def __init__(self, build, folder, draw):
        self.build, self.folder, self.draw = build, folder, draw
        self.scene = folder / "small.yaml"
        self.scene.write_text(SMALL)
        subprocess.run([build / "carom", "run", self.scene, "-q", "-o", folder / "small.h5"], check=True, timeout=300,
                       capture_output=True)
        self.scenes = [path.read_text() for path in sorted((SOURCE / "examples").glob("*.yaml"))] + [SMALL]
        self.results = [(folder / "small.h5").read_bytes(),
                        gzip.decompress((SOURCE / "tests/data/format1.h5.gz").read_bytes())]
        subprocess.run([self.program(), "craft", folder, folder / "small.h5"], check=True, timeout=60)
        self.crafted = [path.read_bytes() for path in sorted(folder.glob("crafted*.h5"))]
        self.checkpoints = [(self.scene, (folder / "small.checkpoint").read_bytes())]
        meshes = list(MESHES.items()) + binary_meshes()
        meshes += [("dxf", path.read_bytes()) for path in sorted((SOURCE / "examples/meshes").glob("*.dxf"))]
        self.meshes = meshes
        shutil.copytree(SOURCE / "examples/meshes", folder / "meshes")

    def remember_others(self):
        """Checkpoints of further scenes."""
        for i, text in enumerate(OTHERS):
            scene = self.folder / f"other{i}.yaml"
            scene.write_text(text)
            subprocess.run([self.build / "carom", "run", scene, "-q", "-o", scene.with_suffix(".h5")], check=True,
                           timeout=300, capture_output=True)
            self.checkpoints.append((scene, scene.with_suffix(".checkpoint").read_bytes()))

    def inputs(self, kind, count):
        """Files, or numbers where those are the input."""
        if kind == "checkpoint":
            self.remember_others()
        if kind in ("disk", "pipe"):
            return [str(self.draw.choice((0, self.draw.randrange(2000), self.draw.randrange(300_000)))) for _ in range(count)]
        return [str(self.make(kind, i)) for i in range(count)]

    def make(self, kind, i):
        draw = self.draw
        if kind == "scene":
            path, data = f"s{i}.yaml", mutate_text(draw, draw.choice(self.scenes))
        elif kind == "result":
            data = draw.choice(self.results if draw.random() < 0.7 else self.crafted)
            data = craft_heap(draw, data) if draw.random() < 0.3 else mutate_bytes(draw, data)
            path, data = f"r{i}.h5", seal_result(data) if i % 2 else data
        elif kind == "checkpoint":
            # Those of one call belong to one scene.
            data = mutate_bytes(draw, self.checkpoints[i // AT_ONCE % len(self.checkpoints)][1])
            path, data = f"c{i}.checkpoint", seal_archive(data) if i % 8 else data
        else:
            ending, data = draw.choice(self.meshes)
            text = draw.random() < 0.5
            data = mutate_text(draw, data.decode("latin-1")) if text else mutate_bytes(draw, data)
            path = f"m{i}.{ending}"
        (self.folder / path).write_bytes(data)
        return self.folder / path

    def program(self):
        return next(path for path in self.build.rglob("fuzz_inputs") if path.is_file())

    def environment(self):
        watch = next(self.build.rglob("libopen_watch.so"))
        preload = [str(watch)]
        program = self.program()
        linked = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
        preload = [line.split()[2] for line in linked.splitlines() if "libasan" in line or "libubsan" in line] + preload
        return program, {**os.environ, "LD_PRELOAD": " ".join(preload), "OPENSSL_CONF": "/dev/null",
                         # No names in reports: looking them up opens files, in the process of its own too
                         # in which HDF5 may die.
                         "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:hard_rss_limit_mb=1000:symbolize=0",
                         "UBSAN_OPTIONS": "halt_on_error=1"}

    def run(self, kind, inputs):
        """The inputs that ended the program, with what it said."""
        program, environment = self.environment()
        failures, most = [], 0
        for number in range(0, len(inputs), AT_ONCE):
            scene = []
            if kind in ("checkpoint", "disk", "pipe"):
                scene = [str(self.checkpoints[number // AT_ONCE % len(self.checkpoints)][0])]
            most = max(most, self.run_part(kind, scene, inputs[number:number + AT_ONCE], program, environment, failures))
        return failures, most

    def run_part(self, kind, scene, part, program, environment, failures):
        """The kilobytes of those that pass; goes on after one that ends the program."""
        most = 0
        while part:
            result = subprocess.run([program, kind, str(self.folder), *scene, *part], env=environment, capture_output=True,
                                    text=True, errors="replace", timeout=300 * AT_ONCE)
            said = result.stdout.splitlines()
            if result.returncode == 0:
                return max(most, int(said[-1].split()[1]))
            done = [line for line in said if line in part]
            failures.append((done[-1] if done else "?", result.returncode, (said[-1:] + result.stderr.splitlines()[:12])))
            part = part[len(done):] if done else []
        return most


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--build", type=pathlib.Path, default=SOURCE / "build-sanitize")
    options.add_argument("--count", type=int, default=5000, help="mutants of each kind")
    options.add_argument("--seed", type=int, default=random.randrange(10**6))
    options.add_argument("--kinds", default=",".join(KINDS))
    o = options.parse_args()
    print(f"seed {o.seed}: {o.count} mutants each of {o.kinds}", flush=True)
    wrong = 0
    for kind in o.kinds.split(","):
        with tempfile.TemporaryDirectory(prefix="carom-fuzz-") as name:
            campaign = Campaign(o.build.resolve(), pathlib.Path(name), random.Random(f"{o.seed} {kind}"))
            failures, most = campaign.run(kind, campaign.inputs(kind, o.count))
            print(f"{kind}: {o.count - len(failures)} of {o.count} passed, at most {most / 1000:.0f} MB", flush=True)
            for path, code, said in failures:
                wrong += 1
                kept = SOURCE / "fuzz-failures"
                kept.mkdir(exist_ok=True)
                if os.path.exists(path):
                    shutil.copy(path, kept / f"{o.seed}-{os.path.basename(path)}")
                print(f"  {kind} {os.path.basename(path)} ended with {code}: " + "\n    ".join(said), flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""How fast a page opens and plays, in headless Chromium on a software renderer.

    benchmarks/page/page_speed.py [--carom build/carom] [--keep FOLDER]

Two pages: 60 s of 100 bodies (wanted: below 10 MB, open in 2 s), and 1,000 bodies (wanted: 30
frames per second). `first picture` is the time from the call for the page to its first picture;
`start` the part of it that the page's own program takes; frames are drawn pictures while the
run plays. Processor times, of the page's process and of the one that draws, hardly depend on what
else the machine does.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/viewer"))

from browser import Browser  # noqa: E402

SHAPES = ["{sphere: {radius: 0.08}}", "{box: {size: 0.14}}", "{cylinder: {radius: 0.05, length: 0.2}}",
          "{capsule: {radius: 0.05, length: 0.1}}"]


def scene(bodies, until, step):
    """Pendulums on a square grid, of four shapes, each with a frequency of its own."""
    side = round(bodies ** 0.5 + 0.499)
    lines = ["carom: 1", f"name: {bodies} bodies", "gravity: [0, 0, -9.81]", "contact: off", "bodies:"]
    for i in range(bodies):
        x, y, length = 0.5 * (i % side), 0.5 * (i // side), 0.3 + 0.2 * i / bodies
        lines.append(f"  b{i}: {{material: steel, shapes: [{SHAPES[i % 4]}], joint: {{spherical: {{at: [{x}, {y}, 0], "
                     f"child_at: [0, 0, {length:.4f}]}}, name: j{i}, v: [{1 + 0.3 * (i % 7)}, {0.7 * (i % 5)}, 2]}}}}")
    lines.append(f"run: {{until: {until}, tolerance: 1e-5, output: {{step: {step}}}}}")
    return "\n".join(lines) + "\n"


def processor_times(browser):
    """Seconds that pages and drawing have taken so far: {"renderer": …, "gpu-process": …}."""
    children, times = {}, {"renderer": 0.0, "gpu-process": 0.0}
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            kind = re.search(r"--type=([\w-]+)", (entry / "cmdline").read_text())
        except OSError:
            continue  # it has ended
        seconds = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        children.setdefault(int(fields[1]), []).append((int(entry.name), kind and kind[1], seconds))
    ahead = [browser.process.pid]
    while ahead:
        for process, kind, seconds in children.get(ahead.pop(), []):
            ahead.append(process)
            if kind in times:
                times[kind] += seconds
    return times


def measure(carom, browser, folder, bodies, until, step):
    (folder / f"{bodies}.yaml").write_text(scene(bodies, until, step))
    if not (folder / f"{bodies}.h5").exists():
        subprocess.run([carom, "run", f"{bodies}.yaml", "-q"], cwd=folder, check=True, stderr=subprocess.DEVNULL)
    subprocess.run([carom, "page", f"{bodies}.h5"], cwd=folder, check=True, stderr=subprocess.DEVNULL)
    file = folder / f"{bodies}.html"
    idle = processor_times(browser)
    page = browser.open(file.as_uri())
    page.wait("window.carom && carom.frames > 0", timeout=120)
    opened = processor_times(browser)
    first, start = page.evaluate("carom.firstPicture / 1000"), page.evaluate("carom.startSeconds")
    print(f"{bodies} bodies, {until} s: {file.stat().st_size / 1e6:.1f} MB, first picture after {first:.2f} s, start {start:.2f} s; "
          f"processor: page {opened['renderer'] - idle['renderer']:.2f} s, drawing {opened['gpu-process'] - idle['gpu-process']:.2f} s")
    time.sleep(3)  # it adapts itself to the machine
    before, began, busy = page.evaluate("carom.frames"), time.monotonic(), processor_times(browser)
    time.sleep(5)
    frames, seconds, later = page.evaluate("carom.frames") - before, time.monotonic() - began, processor_times(browser)
    page_time, draw_time = ((later[kind] - busy[kind]) / max(1, frames) * 1000 for kind in ("renderer", "gpu-process"))
    print(f"    {frames / seconds:.0f} frames per second; processor per frame: page {page_time:.0f} ms, drawing {draw_time:.0f} ms; "
          f"{page.evaluate('carom.view.stage.renderer.info.render.triangles')} triangles on {page.evaluate('carom.view.stage.canvas.width')} × "
          f"{page.evaluate('carom.view.stage.canvas.height')} pixels; load of the machine {os.getloadavg()[0]:.1f}", flush=True)
    page.call("Page.close")


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--carom", type=pathlib.Path, default=ROOT / "build/carom")
    words.add_argument("--keep", type=pathlib.Path, help="folder that keeps the results between calls")
    options = words.parse_args()
    with tempfile.TemporaryDirectory() as temporary, Browser() as browser:
        folder = (options.keep or pathlib.Path(temporary)).resolve()
        measure(options.carom.resolve(), browser, folder, 100, 60, 0.01)
        measure(options.carom.resolve(), browser, folder, 1000, 5, 0.02)


if __name__ == "__main__":
    main()

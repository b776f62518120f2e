"""Panels with axes, as SVG text: linear or logarithmic, with curves and dots."""

import math


class Panel:
    """A box of `width` x `height` pixels at (left, top), over the ranges x and y."""

    def __init__(self, left, top, width, height, x, y, title, log_x=False, log_y=False):
        self.left, self.top, self.width, self.height = left, top, width, height
        self.x, self.y, self.logs = x, y, (log_x, log_y)
        self.out = [f'<text x="{left + width / 2:.1f}" y="{top - 8:.1f}" text-anchor="middle">{title}</text>']

    @staticmethod
    def share(value, ends, is_log):
        if is_log:
            return math.log(value / ends[0]) / math.log(ends[1] / ends[0])
        return (value - ends[0]) / (ends[1] - ends[0])

    def place(self, x, y):
        return (self.left + self.width * self.share(x, self.x, self.logs[0]),
                self.top + self.height * (1 - self.share(y, self.y, self.logs[1])))

    def grid(self, xs, ys, x_label="", y_label=""):
        for value in xs:
            x, _ = self.place(value, self.y[0])
            self.out.append(f'<path d="M{x:.1f} {self.top}v{self.height}" stroke="#ddd"/>'
                            f'<text x="{x:.1f}" y="{self.top + self.height + 15}" text-anchor="middle">{value:g}</text>')
        for value in ys:
            _, y = self.place(self.x[0], value)
            self.out.append(f'<path d="M{self.left} {y:.1f}h{self.width}" stroke="#ddd"/>'
                            f'<text x="{self.left - 5}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>')
        self.out.append(f'<text x="{self.left + self.width / 2:.1f}" y="{self.top + self.height + 31}" '
                        f'text-anchor="middle">{x_label}</text>')
        if y_label:
            x, y = self.left - 42, self.top + self.height / 2
            self.out.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle" '
                            f'transform="rotate(-90 {x:.1f} {y:.1f})">{y_label}</text>')

    def curve(self, xs, ys, colour, dash="", stroke=1.6):
        dash = f' stroke-dasharray="{dash}"' if dash else ""
        kept = []
        for x, y in zip(xs, ys, strict=True):
            here = self.place(x, y)
            if not kept or math.dist(here, kept[-1]) > 0.7:  # what is nearer is not seen
                kept.append(here)
        points = " ".join("{:.1f},{:.1f}".format(*p) for p in thinned(kept))
        self.out.append(f'<polyline points="{points}" fill="none" stroke="{colour}" '
                        f'stroke-width="{stroke}" stroke-linejoin="round"{dash}/>')

    def dots(self, xs, ys, colour, size=2.8):
        for x, y in zip(xs, ys, strict=True):
            px, py = self.place(x, y)
            self.out.append(f'<circle cx="{px:.1f}" cy="{py:.1f}" r="{size}" fill="{colour}"/>')

    def legend(self, rows, x=10, y=16):
        """(colour, dash, text) of each line, from the corner at the upper left."""
        for k, (colour, dash, text) in enumerate(rows):
            left, top = self.left + x, self.top + y + 16 * k
            dash = f' stroke-dasharray="{dash}"' if dash else ""
            self.out.append(f'<path d="M{left} {top - 4}h20" stroke="{colour}" stroke-width="2"{dash}/>'
                            f'<text x="{left + 26}" y="{top}">{text}</text>')


def thinned(points, off=0.2):
    """Without points of which a line through the others stays nearer than `off` pixels."""
    kept, first = [], 0
    while first < len(points):
        kept.append(points[first])
        last = first + 1
        while last + 1 < len(points) and stays_near(points[first:last + 2], off):
            last += 1
        first = last
    return kept


def stays_near(points, off):
    (x0, y0), (x1, y1) = points[0], points[-1]
    dx, dy = x1 - x0, y1 - y0
    length2 = dx * dx + dy * dy
    for x, y in points[1:-1]:
        t = ((x - x0) * dx + (y - y0) * dy) / length2 if length2 else 0.0
        t = min(1.0, max(0.0, t))
        if (x - x0 - t * dx) ** 2 + (y - y0 - t * dy) ** 2 > off * off:
            return False
    return True


def picture(width, height, panels):
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
           'font-family="sans-serif" font-size="12">', f'<rect width="{width}" height="{height}" fill="white"/>']
    for panel in panels:
        out += panel.out
    return "\n".join(out) + "\n</svg>\n"

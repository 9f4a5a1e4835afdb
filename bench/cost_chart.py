"""What a byte or an operation costs over size, as SVG: a panel a workload, a line a place.

Knows nothing of how it was measured: a panel is a title, a unit, and for each place its points
(bytes that the size needs at least, nanoseconds)."""

import math
from xml.sax.saxutils import escape

COLOURS = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377")
COLUMNS, WIDE, HIGH = 4, 230, 170
LEFT, TOP, RIGHT, BELOW = 44, 26, 10, 26  # of a panel, around its lines
HEAD, FOOT = 34, 30
STYLE = (
    "text{font:11px sans-serif;fill:#222}.t{font-weight:bold}.g{stroke:#ddd}"
    ".c{stroke:#999;stroke-dasharray:3 3}.l{fill:none;stroke-width:2}"
)


def decades(low, high):
    """Whole powers of ten around them, at least one apart."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    return first, max(last, first + 1)


def power(exponent):
    return f"{10.0**exponent:g}" if -3 <= exponent <= 3 else f"1e{exponent}"


def size(exponent):
    return {3: "1 kB", 6: "1 MB", 9: "1 GB", 12: "1 TB"}.get(exponent, "")


class Scale:
    """From the logarithm of a value to a place on the drawing."""

    def __init__(self, low, high, begin, end):
        self.low, self.high = decades(low, high)
        self.begin, self.end = begin, end

    def __call__(self, value):
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return self.begin + share * (self.end - self.begin)

    def marks(self):
        return range(self.low, self.high + 1)


def text(x, y, words, anchor="start", kind=""):
    kind = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{kind}>{escape(words)}</text>'


def line(x1, y1, x2, y2, kind):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def panel(found, left, top, places, cache):
    points = [p for several in found["places"].values() for p in several]
    x = Scale(*minmax(b for b, _ in points), left + LEFT, left + WIDE - RIGHT)
    y = Scale(*minmax(ns for _, ns in points), top + HIGH - BELOW, top + TOP)
    out = [text(left + LEFT, top + TOP - 8, f"{found['title']}, ns/{found['unit']}", kind="t")]
    for mark in y.marks():
        at = y(10.0**mark)
        out.append(line(x.begin, at, x.end, at, "g"))
        out.append(text(x.begin - 4, at + 4, power(mark), "end"))
    for mark in x.marks():
        if size(mark):
            anchor = "end" if mark == x.high else "middle"
            out.append(text(x(10.0**mark), y.begin + 14, size(mark), anchor))
            out.append(line(x(10.0**mark), y.begin, x(10.0**mark), y.begin + 4, "g"))
    if cache and 10.0**x.low < cache < 10.0**x.high:
        out.append(line(x(cache), y.begin, x(cache), y.end, "c"))
    for i, place in enumerate(places):
        several = found["places"].get(place, [])
        steps = " ".join(f"{x(b):.1f},{y(ns):.1f}" for b, ns in several)
        if several:
            out.append(f'<polyline class="l" stroke="{COLOURS[i % 6]}" points="{steps}"/>')
    return out


def minmax(values):
    values = list(values)
    return min(values), max(values)


def svg(panels, head, cache=0):
    """panels: [{"title", "unit", "places": {place: [(bytes, ns), ...]}}]; cache: of the last level."""
    panels = [p for p in panels if any(p["places"].values())]
    places = list(dict.fromkeys(place for p in panels for place in p["places"]))
    rows = -(-len(panels) // COLUMNS)
    width, height = COLUMNS * WIDE, HEAD + rows * HIGH + FOOT
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-labelledby="t d">',
        f'<title id="t">{escape(head)}</title>',
        f'<desc id="d">Time of a byte or an operation over the size, a panel each: '
        f'{escape(", ".join(p["title"] for p in panels))}. A flat line is a time that does not grow.</desc>',
        f'<style>{STYLE}</style><rect width="{width}" height="{height}" fill="#fff"/>',
        text(LEFT, 20, head),
    ]
    for i, found in enumerate(panels):
        out += panel(found, i % COLUMNS * WIDE, HEAD + i // COLUMNS * HIGH, places, cache)
    for i, place in enumerate(places):
        at = LEFT + 110 * i
        out.append(f'<rect x="{at}" y="{height - 20}" width="12" height="12" fill="{COLOURS[i % 6]}"/>')
        out.append(text(at + 18, height - 10, place))
    note = "across: bytes that the size needs at least; dashed: the last-level cache"
    out.append(text(width - RIGHT, height - 10, note, "end"))
    return "\n".join([*out, "</svg>", ""])

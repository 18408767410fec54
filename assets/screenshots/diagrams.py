#!/usr/bin/env python3
"""Writes visit-order.svg and force-tiles.svg into the folder of this file."""
import pathlib
import random

FOLDER = pathlib.Path(__file__).parent
FORWARD, BACKWARD, LINE, TEXT, PALE = "#1f6fb4", "#c8432b", "#9aa3b2", "#20242c", "#eef1f6"


class Svg:
    def __init__(self, width, height):
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
            f'font-size="17" fill="{TEXT}">',
            f'<rect width="{width}" height="{height}" fill="white"/>', "<defs>"]
        for name, color in (("forward", FORWARD), ("backward", BACKWARD), ("text", TEXT)):
            self.parts.append(f'<marker id="{name}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" '
                              f'markerHeight="7" orient="auto"><path d="M0,1 L10,5 L0,9 z" fill="{color}"/></marker>')
        self.parts.append("</defs>")

    def rect(self, x, y, w, h, fill="none", stroke=LINE, width=1.5):
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{w:.1f}" height="{h:.1f}" fill="{fill}" '
                          f'stroke="{stroke}" stroke-width="{width}"/>')

    def dot(self, x, y, radius, fill):
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{fill}"/>')

    def text(self, x, y, words, anchor="middle", size=17, fill=TEXT):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" '
                          f'fill="{fill}">{words}</text>')

    def arrow(self, a, b, kind="text", dashed=False, width=1.8, bend=0):
        color = {"forward": FORWARD, "backward": BACKWARD, "text": TEXT}[kind]
        dash = ' stroke-dasharray="7 5"' if dashed else ""
        middle = ((a[0] + b[0]) / 2 + bend * (a[1] - b[1]), (a[1] + b[1]) / 2 + bend * (b[0] - a[0]))
        self.parts.append(f'<path d="M{a[0]:.1f},{a[1]:.1f} Q{middle[0]:.1f},{middle[1]:.1f} {b[0]:.1f},{b[1]:.1f}" '
                          f'fill="none" stroke="{color}" stroke-width="{width}"{dash} marker-end="url(#{kind})"/>')

    def write(self, name):
        (FOLDER / name).write_text("\n".join(self.parts + ["</svg>"]) + "\n")


class Cell:
    """A cell of a quadtree that is divided until it has at most one body."""

    def __init__(self, x, y, size, bodies, depth=0):
        self.x, self.y, self.size, self.bodies, self.depth = x, y, size, bodies, depth
        self.children = []
        if len(bodies) < 2:
            return
        half = size / 2
        for qy in (0, 1):
            for qx in (0, 1):
                inside = [b for b in bodies if (b[0] >= x + half) == qx and (b[1] >= y + half) == qy]
                self.children.append(Cell(x + qx * half, y + qy * half, half, inside, depth + 1))

    def preorder(self):
        """Cells with bodies in the order of a depth-first walk."""
        if self.bodies:
            yield self
            for child in self.children:
                yield from child.preorder()

    def center(self):
        return self.x + self.size / 2, self.y + self.size / 2


def shortened(a, b, by):
    length = max(1e-9, ((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) ** 0.5)
    step = ((b[0] - a[0]) / length * by, (b[1] - a[1]) / length * by)
    return (a[0] + step[0], a[1] + step[1]), (b[0] - step[0], b[1] - step[1])


def draw_walk(svg, cells, at, radius, bend):
    for before, after in zip(cells, cells[1:]):
        down = after.depth > before.depth
        a, b = shortened(at(before), at(after), radius)
        svg.arrow(a, b, "forward" if down else "backward", dashed=not down, bend=0 if down else bend)


def visit_order():
    random.seed(5)
    size, margin = 620, 60
    # Two groups, in places that are apart, so that the tree has leaves of several levels.
    places = [(.14, .18), (.38, .12), (.15, .41), (.33, .33), (.42, .44), (.70, .22), (.62, .80), (.83, .58), (.90, .70),
              (.20, .78)]
    bodies = [(x + random.uniform(-.02, .02), y + random.uniform(-.02, .02)) for x, y in places]
    root = Cell(0, 0, 1, bodies)
    cells = list(root.preorder())
    svg = Svg(1600, 780)
    place = lambda p: (margin + p[0] * size, margin + p[1] * size)

    def draw_cell(cell):
        x, y = place((cell.x, cell.y))
        svg.rect(x, y, cell.size * size, cell.size * size, PALE if not cell.bodies else "none", width=1.5)
        for child in cell.children:
            draw_cell(child)
    draw_cell(root)
    number_of = {id(cell): number for number, cell in enumerate(cells)}
    walked = [cell for cell in cells if not cell.children]
    for before, after in zip(walked, walked[1:]):
        a, b = shortened(place(before.bodies[0]), place(after.bodies[0]), 10)
        svg.arrow(a, b, "forward")
    for leaf in walked:
        x, y = place(leaf.bodies[0])
        svg.dot(x, y, 6, TEXT)
        svg.text(x - 12, y + 20, number_of[id(leaf)], "end", 15)
    svg.text(margin + size / 2, 40, "The bodies in the order in which a walk reaches them")

    leaves = [c for c in cells if not c.children]
    left, width, step = 780, 760, 140
    column = {id(c): left + width * (k + 0.5) / len(leaves) for k, c in enumerate(leaves)}
    for cell in reversed(cells):
        if cell.children:
            below = [column[id(c)] for c in cell.children if c.bodies]
            column[id(cell)] = (below[0] + below[-1]) / 2
    node = lambda c: (column[id(c)], 90 + step * c.depth)
    for cell in cells:
        for child in cell.children:
            if child.bodies:
                (x1, y1), (x2, y2) = node(cell), node(child)
                svg.parts.append(f'<path d="M{x1:.1f},{y1:.1f} L{x2:.1f},{y2:.1f}" stroke="{LINE}" '
                                 'stroke-width="1.5" opacity="0.6"/>')
    draw_walk(svg, cells, node, 17, 0.12)
    for number, cell in enumerate(cells):
        x, y = node(cell)
        svg.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="15" fill="white" stroke="{TEXT}" stroke-width="1.5"/>')
        svg.text(x, y + 6, number, size=16)
    svg.text(left + width / 2, 40, "The same walk in the tree: numbers are positions in memory")
    svg.arrow((800, 700), (860, 700), "forward")
    svg.text(870, 706, "forward: the cell is opened, its first child is next", "start")
    svg.arrow((800, 738), (860, 738), "backward", dashed=True)
    svg.text(870, 744, "backward: no children left to visit, the next sibling of a parent follows", "start")
    svg.write("visit-order.svg")


def force_tiles():
    tiles, side, left, top = 6, 100, 300, 130
    svg = Svg(1600, 860)
    for row in range(tiles):
        for column in range(tiles):
            color = "white" if column > 2 else "#dce9f5" if column < 2 else "#f6c9a8"
            svg.rect(left + column * side, top + row * side, side, side, color, width=2)
    x, y, lines = left + 2 * side, top + side, 8
    for k in range(1, lines):
        svg.rect(x, y + k * side / lines, side, 0, stroke="white", width=1)
        svg.rect(x + k * side / lines, y, 0, side, stroke="white", width=1)
    for column in range(1, tiles):
        svg.parts.append(f'<path d="M{left + column * side},{top - 14} v{tiles * side + 28}" stroke="{BACKWARD}" '
                         'stroke-width="2" stroke-dasharray="6 5"/>')
    for row in range(tiles):
        svg.arrow((left + 12, top + (row + 0.5) * side), (left + 3 * side - 14, top + (row + 0.5) * side), "forward",
                  width=2.2)
        svg.text(left - 22, top + (row + 0.5) * side + 6, f"block {row}: p threads", "end")
    svg.arrow((left, top - 34), (left + tiles * side, top - 34))
    svg.text(left + tiles * side / 2, top - 48, "N sources j, one tile of p at a time")
    svg.arrow((70, top), (70, top + tiles * side))
    svg.parts.append(f'<text transform="translate(54 {top + tiles * side / 2}) rotate(-90)" text-anchor="middle">'
                     'N bodies i, one thread each</text>')
    svg.text(left + tiles * side / 2, top + tiles * side + 48, "p columns: each thread adds p forces in sequence")
    notes = [("#dce9f5", "tiles that are complete"),
             ("#f6c9a8", "current tile: its p sources are in shared memory"),
             ("white", "tiles that follow")]
    for k, (color, words) in enumerate(notes):
        svg.rect(1010, 160 + 50 * k, 28, 28, color, width=2)
        svg.text(1054, 180 + 50 * k, words, "start")
    svg.parts.append(f'<path d="M1010,330 h28" stroke="{BACKWARD}" stroke-width="2" stroke-dasharray="6 5"/>')
    svg.text(1054, 336, "barriers: before and after the sources are loaded", "start")
    for k, words in enumerate(("One block computes a row of tiles. All blocks run at",
                               "the same time, as far as the GPU has multiprocessors.",
                               "", "A tile of p x p forces reads p sources from memory",
                               "once, not p times.", "", "With few bodies, several threads share a body:",
                               "each of them adds a part of the tiles of its row.")):
        svg.text(1010, 400 + 26 * k, words, "start")
    svg.write("force-tiles.svg")


if __name__ == "__main__":
    visit_order()
    force_tiles()

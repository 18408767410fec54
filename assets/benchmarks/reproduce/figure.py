"""Figures as plain data; plots.py draws them."""

from dataclasses import dataclass, field

# Okabe and Ito 2008, safe for colour blindness.
BLACK, ORANGE, SKY, GREEN, YELLOW, BLUE, RED, PINK = (
    "#000000",
    "#e69f00",
    "#56b4e9",
    "#009e73",
    "#c9b900",
    "#0072b2",
    "#d55e00",
    "#cc79a7",
)
GREY = "#8c8c8c"


@dataclass
class Curve:
    name: str
    points: list  # of (x, y); a missing y is left out
    color: str
    published: bool = False  # dashed, hollow markers
    line: str = "-"


@dataclass
class Lines:
    title: str
    x: str
    y: str
    curves: list
    log_x: bool = True
    log_y: bool = True
    ideal: bool = False  # the line y = x, and areas of sub- and superlinear speed-up


@dataclass
class Bars:
    """Horizontal stacked bars: (label, {part: length})."""

    title: str
    unit: str
    bars: list
    colors: dict  # of the parts
    totals: bool = True
    log: bool = False


@dataclass
class Figure:
    title: str
    panels: list = field(default_factory=list)

    def has_data(self):
        return any(
            (
                any(curve.points for curve in panel.curves if not curve.published)
                if isinstance(panel, Lines)
                else panel.bars
            )
            for panel in self.panels
        )


# Where a stage runs with a hybrid solver on CUDA (Bodin 2026, figure 1), and parts of a step.
STAGES = (
    "kick_and_drift",
    "download",
    "bounds",
    "keys",
    "sort",
    "build_tree",
    "moments",
    "upload",
    "walk",
    "near_field",
    "far_field",
    "direct_sum",
)
BUILD = ("bounds", "keys", "sort", "build_tree", "moments")
FORCES = ("walk", "near_field", "far_field", "direct_sum")
COPIES = ("download", "upload")


def ms(row, *stages):
    """Sum of the stages, which are 0 if they did not run."""
    return sum(row.get(f"{stage}_ms") or 0 for stage in stages)


def curve(rows, x, y):
    """Sorted points; x and y are column names or functions of a row."""
    get = [key if callable(key) else (lambda row, key=key: row.get(key)) for key in (x, y)]
    points = [(get[0](row), get[1](row)) for row in reversed(rows)]  # the first of equal x wins
    return sorted(dict(point for point in points if all(isinstance(value, float) for value in point)).items())


def bodies(rows):
    """ "100,000 bodies"."""
    return ", ".join(f"{n:,.0f} bodies" for n in sorted({row["n"] for row in rows}))

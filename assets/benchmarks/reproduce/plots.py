"""Draws figures (figure.py) as SVG with matplotlib."""

import io
import math

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot  # noqa: E402 (after the choice of the backend)
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter  # noqa: E402

from reproduce.figure import Bars, Lines  # noqa: E402
from reproduce.runner import write_whole  # noqa: E402

PANEL_INCHES = (5.6, 4.6)
BAR_INCHES = 0.3
MARKERS = "osD^vP*X"
SETTINGS = {
    "svg.fonttype": "none",
    "svg.hashsalt": "pericenter",
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.grid": True,
    "axes.grid.axis": "both",
    "grid.color": "#e4e4e4",
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
}


def plain(value, _position):
    """1, 1,000 and 10⁶, as people write them."""
    if 1e-3 <= value < 1e6 or value == 0:
        return f"{value:,.10g}"
    digits, exponent = f"{value:e}".split("e")
    raised = str(int(exponent)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"10{raised}" if float(digits) == 1 else f"{float(digits):g}·10{raised}"


def make_logarithmic(axis, set_scale, ideal):
    """Powers of two for threads; labels at 1, 2 and 5 where there are few powers of ten."""
    low, high = axis.get_data_interval()
    set_scale("log", base=2 if ideal and high < 64 else 10)
    if high < 64 and ideal:
        axis.set_major_locator(LogLocator(2))
    elif 0 < low and high / low < 60:
        axis.set_major_locator(LogLocator(10, (1, 2, 5)))
    axis.set_minor_formatter(NullFormatter())


def draw_lines(axes, panel):
    for k, curve in enumerate(curve for curve in panel.curves if curve.points):
        x, y = zip(*curve.points)
        marker = MARKERS[k // 2 % len(MARKERS)] if curve.published else MARKERS[k % len(MARKERS)]
        axes.plot(
            x,
            y,
            curve.line if not curve.published else "--",
            label=curve.name,
            color=curve.color,
            marker="o" if curve.published else marker,
            markersize=5 if curve.published else 4,
            linewidth=1.4,
            markerfacecolor="white" if curve.published else curve.color,
            zorder=2 if curve.published else 3,
        )
    for scale, set_scale, axis in (
        (panel.log_x, axes.set_xscale, axes.xaxis),
        (panel.log_y, axes.set_yscale, axes.yaxis),
    ):
        if scale:
            make_logarithmic(axis, set_scale, panel.ideal)
        axis.set_major_formatter(FuncFormatter(plain))
    if panel.ideal:
        draw_ideal(axes)
    axes.set(xlabel=panel.x, ylabel=panel.y)


def draw_ideal(axes):
    """The line S(P) = P, and areas of typical, superlinear and no speed-up, as in Sevic's figures."""
    (low, high), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    top = max(top, 1.5)
    ends = [low, high]
    axes.plot(ends, ends, "--", color="#b00000", linewidth=1, label="ideal")
    axes.fill_between(ends, [1, 1], ends, color="#009e73", alpha=0.07, linewidth=0)
    axes.fill_between(ends, ends, [high * 10] * 2, color="#f0e442", alpha=0.12, linewidth=0)
    axes.fill_between(ends, [bottom] * 2, [1, 1], color="#d55e00", alpha=0.1, linewidth=0)
    axes.set(xlim=(low, high), ylim=(bottom, top))


def draw_bars(axes, panel):
    axes.grid(False, axis="y")
    used = [part for part in panel.colors if any(parts.get(part) for _, parts in panel.bars)]
    for k, (_, parts) in enumerate(panel.bars):
        start = 0
        for part in used:
            axes.barh(k, parts.get(part, 0), left=start, height=0.72, color=panel.colors[part])
            start += parts.get(part, 0)
        if panel.totals:
            axes.annotate(f"{start:,.3g}", (start, k), (3, 0), textcoords="offset points", va="center", fontsize=8)
    axes.set_yticks(range(len(panel.bars)), [label for label, _ in panel.bars])
    axes.invert_yaxis()
    axes.set_xlabel(panel.unit)
    if panel.log:
        shortest = min(sum(parts.values()) for _, parts in panel.bars)
        axes.set_xscale("log")
        axes.set_xlim(left=10 ** math.floor(math.log10(shortest / 1.5)))
        axes.xaxis.set_minor_formatter(NullFormatter())
    axes.xaxis.set_major_formatter(FuncFormatter(plain))
    axes.margins(x=0.08)
    if len(used) > 1:
        for part in used:  # for the legend of the figure
            axes.plot([], [], "s", color=panel.colors[part], markersize=8, label=part)


def svg(figure):
    panels = figure.panels
    bars = max((len(panel.bars) for panel in panels if isinstance(panel, Bars)), default=0)
    height = max(2.2, 1.3 + BAR_INCHES * bars) if bars else PANEL_INCHES[1]
    with matplotlib.rc_context(SETTINGS):
        drawing, axes = pyplot.subplots(
            1,
            len(panels),
            figsize=(max(6.8, PANEL_INCHES[0] * len(panels)), height),
            squeeze=False,
            layout="constrained",
        )
        drawing.suptitle(figure.title, fontsize=11)
        for one, panel in zip(axes[0], panels):
            one.set_title(panel.title)
            (draw_lines if isinstance(panel, Lines) else draw_bars)(one, panel)
        handles = {}
        for one in axes[0]:
            handles |= dict(zip(*one.get_legend_handles_labels()[::-1]))
        if handles:
            columns = min(4, len(handles)) if bars or len(panels) > 1 else 2
            drawing.legend(handles.values(), handles.keys(), loc="upper center", ncol=columns, bbox_to_anchor=(0.5, 0))
        text = io.StringIO()
        drawing.savefig(text, format="svg", bbox_inches="tight", metadata={"Date": None, "Creator": None})
        pyplot.close(drawing)
    return text.getvalue().replace("'DejaVu Sans'", "'DejaVu Sans', Verdana, sans-serif")


def write(draw, results, path):
    """Writes the figure if there is something to draw; returns whether there is."""
    figure = draw(results)
    if not figure.has_data():
        return False
    write_whole(path, svg(figure))
    return True

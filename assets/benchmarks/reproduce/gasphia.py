"""GASPHiA 2026: order of the bodies, and opening angle of a tree code."""

from reproduce import figure
from reproduce.figure import BLUE, GREEN, GREY, ORANGE, PINK, SKY, Bars, Curve, Figure, Lines, ms
from reproduce.measurement import Measurement, Published
from reproduce.results import quotient

name = "gasphia"
TITLE = "GASPHiA 2026: order of the bodies and opening angle"
SOURCE = (
    "*500-Million Particle Pure Gravitational N-Body Simulation*, post on the self-gravity tree code of GASPHiA, 2026. "
    "GPU not named. A cube of a million bodies, single precision, monopoles; ours has 100,000 bodies on the CPU.")

CUBE = "--solver tree-sorted --input uniform --multipole monopole"
ORDERED = "--solver tree-sorted --multipole monopole --theta 0.5 --samples 1"
MANY = {
    "n": "1000,3000,10000,30000,100000,300000,1000000,3000000,10000000",
    "n_cpu": "1000,3000,10000,30000,100000,300000",
    "quick": "300,1000,3000"
}
MILLION = {"n": "1000000", "n_cpu": "100000", "quick": "3000"}
THETAS = "--theta 0.8,0.7,0.6,0.5,0.4,0.3,0.2,0.1 --samples 10000"
ORDERS = {"random": "shuffled", "regular": "regular", "tree": "tree"}  # his mode: our order
COUNTED = {
    mode: f"--input uniform --order {order}"
    for mode, order in ORDERS.items()
} | {
    "lattice": "--input lattice --order none",
    "lattice shuffled": "--input lattice --order shuffled"
}

MEASUREMENTS = [
    Measurement("ordering", f"{ORDERED} --input uniform --order tree,regular,none,shuffled --walk skip", **MILLION),
    Measurement("ordering-warp", f"{ORDERED} --input uniform --order tree,regular,none,shuffled --walk warp", on="cuda",
                **MILLION),
    Measurement("lattice", f"{ORDERED} --input lattice --order none,shuffled --walk skip", **MILLION),
    Measurement("lattice-warp", f"{ORDERED} --input lattice --order none,shuffled --walk warp", on="cuda", **MILLION),
    Measurement("theta", f"{CUBE} {THETAS}", **MILLION),
    Measurement("theta-cell", f"{CUBE} {THETAS} --cell-size cell", **MILLION),
    Measurement("theta-vote", f"{CUBE} {THETAS} --walk vote --cell-size cell", **MILLION),
    Measurement("direct", "--solver direct-tiled --input uniform --samples 1", **MILLION),
    Measurement("curves", f"{ORDERED} --input uniform --order tree,regular,shuffled", **MANY),
    Measurement("curves-direct", "--solver direct-tiled --input uniform --samples 1", **MANY),
    Measurement("counters",
                f"{ORDERED} --walk warp",
                on="cuda",
                cases=COUNTED,
                kernel="walk_kernel",
                seconds=0,
                **MILLION)
]

# theta: ms, largest error, mean error, speed-up.
ACCURACY = {
    0.1: (181.877, 0.00219153, 3.27768e-05, 7.42231),
    0.2: (39.5222, 0.00502609, 6.86399e-05, 34.1566),
    0.3: (14.9356, 0.0214612, 0.00015996, 90.3847),
    0.4: (8.75622, 0.0335255, 0.00028779, 154.17),
    0.5: (5.88032, 0.0711218, 0.00053247, 229.57),
    0.6: (4.20147, 0.0565245, 0.000783245, 321.303),
    0.7: (3.52717, 0.106591, 0.00153542, 382.728),
    0.8: (3.21018, 0.170889, 0.002965, 420.521)
}
COUNTERS = {
    "random": (33.13, 246.2, 48.23, 2.37, 2.97, 13.75),
    "regular": (5.13, 41.9, 57.52, 8.14, 2.99, 13.44),
    "tree": (3.11, 22.1, 58.66, 12.25, 2.74, 13.28)
}
# Duration in s, 1e9 cycles, GHz, % of SM, memory, L2, DRAM, occupancy.
LATTICE = {
    "lattice": (0.19, 0.29, 1.55, 80.4, 61.5, 23.9, 0.35, 98.6),
    "lattice shuffled": (3.10, 2.58, 0.83, 79.2, 59.0, 14.1, 15.7, 95.2)
}


def accuracy(theta):
    def ours(results):
        rows = results.rows("theta-vote", theta=theta)
        if not rows:
            return [None] * 4
        row = rows[0]
        return (row["step_ms"], row["error_max"], row["error_mean"],
                quotient(results.value("direct", "step_ms", n=row["n"]), row["step_ms"]))

    return ours


def walk(results, order, table="ordering", kinds=("-warp", "")):
    """ms of the walk by warp, which only GPUs have, otherwise by body."""
    values = (results.value(table + kind, "walk_ms", order=order) for kind in kinds)
    return next((value for value in values if value), None)


def slower(results):
    return [quotient(walk(results, order), walk(results, "tree")) for order in ORDERS.values()]


def counters(mode, *columns):
    def ours(results):
        row = (results.rows("counters", case=mode) or [{}])[0]
        values = [row.get(column.split("/")[0]) for column in columns]
        return [
            value / float(column.split("/")[1]) if isinstance(value, float) and "/" in column else value or None
            for value, column in zip(values, columns)
        ]

    return ours


def clock(function):
    """The third value is cycles over time."""
    def ours(results):
        seconds, cycles, *rest = function(results)
        return seconds, cycles, quotient(cycles, seconds), *rest

    return ours


COUNTER_COLUMNS = ("kernel_ms", "instructions/1e9", "l1_hit_percent", "dram_gb_per_s", "ipc", "cycles_per_instruction")
LATTICE_COLUMNS = ("kernel_ms/1e3", "cycles/1e9", "sm_percent", "memory_percent", "l2_percent", "dram_percent",
                   "occupancy_percent")
PUBLISHED = [
    Published("G1", "lattice: shuffled over regular", (15,),
              lambda r: quotient(walk(r, "shuffled", table="lattice"), walk(r, "none", table="lattice")), "lattice",
              "Walks by warp on the GPU. A tree of a million bodies stays in the 50 MB of L2 cache; his run has more bodies. On the "
              "CPU each body walks alone and loses only cache hits."),
    *(Published("G1", f"{mode}: kernel (s), G cycles, clock (GHz), use of SM, memory, L2, DRAM (%), occupancy (%)",
                values, clock(counters(mode, *LATTICE_COLUMNS)), "counters",
                "Counters of Nsight Compute; his run has more bodies.")
      for mode, values in LATTICE.items()),
    Published("G2", "walk in random, regular, tree order, ms", (33.13, 5.13, 3.11),
              lambda r: [walk(r, order) for order in ORDERS.values()], "ordering", "Walks by warp (`--walk warp`)."),
    Published("G2", "walk over that in tree order: random, regular", (33.13 / 3.11, 5.13 / 3.11),
              lambda r: slower(r)[:2], "ordering",
              "Bodies of a warp that are no neighbours open cells for each other."),
    *(Published(
        "G3, G4", f"{mode}: kernel (ms), G instructions, L1 hits (%), DRAM (GB/s), IPC, cycles per instruction", values,
        counters(mode, *COUNTER_COLUMNS), "counters",
        "Instructions of warps; the ratios between the orders compare, not the numbers of another kernel and GPU.")
      for mode, values in COUNTERS.items()),
    *(Published(
        f"G{5 + k}", f"theta {theta}: step (ms), largest, mean error, speed-up over direct sum", values,
        accuracy(theta), "theta-vote",
        "With `--walk vote --cell-size cell`, as he describes it. Our faster direct sum lowers the speed-up; errors are those "
        "of 10,000 sampled bodies, so that the largest is lower."
        if theta == 0.1 else "")
      for k, (theta, values) in enumerate(ACCURACY.items())),
    Published("G13", "share of building the tree in a step at the largest N, %", ("can be ignored",),
              lambda r: build_share(r), "curves", "Bounds, keys, sort, links and moments; see the curves."),
    Published(
        "G14", "bodies in the largest run", (5e8,), lambda r: None, "",
        "An image, not a measurement: `--headless -n 500000000 -s 950 --theta 1 --screenshot FILE`, see the README.")
]


def build_share(results):
    rows = sorted(results.rows("curves", order="tree", solver="tree-sorted"), key=lambda row: row["n"])
    return 100 * ms(rows[-1], *figure.BUILD) / rows[-1]["step_ms"] if rows else None


MODES = {"tree": ("tree order", GREEN), "regular": ("regular", BLUE), "shuffled": ("random", ORANGE)}


def curves_over_n(results):
    tree = results.rows("curves", solver="tree-sorted")
    if not tree:
        return Figure("")
    curves = [
        Curve(f"gravity, {text}",
              figure.curve([row
                            for row in tree if row["order"] == order], "n", lambda row: ms(row, *figure.FORCES)), color)
        for order, (text, color) in MODES.items()
    ]
    curves.append(
        Curve("build tree",
              figure.curve([row for row in tree if row["order"] == "tree"], "n", lambda row: ms(row, *figure.BUILD)),
              GREY))
    direct = Curve(
        "direct sum",
        figure.curve(results.rows("curves-direct"), "n", lambda row: ms(row, *figure.FORCES)), PINK)
    return Figure("Gravity and tree build against the number of bodies (GASPHiA), theta 0.5", [
        Lines("linear", "bodies", "ms", curves, False, False),
        Lines("logarithmic", "bodies", "ms", [*curves, direct])
    ])


def theta(results):
    tables = {
        "theta-vote": ("vote, side of the cell", BLUE),
        "theta-cell": ("default walk, side of the cell", SKY),
        "theta": ("default walk, tight box", ORANGE)
    }
    panels = []
    for title, unit, column, k in (("time per step", "ms", "step_ms", 0), ("mean relative error", "error", "error_mean",
                                                                           2), ("largest relative error", "error",
                                                                                "error_max", 1)):
        curves = [
            Curve(text, figure.curve(results.rows(table), "theta", column), color)
            for table, (text, color) in tables.items()
        ]
        curves.append(Curve("GASPHiA", [(x, values[k]) for x, values in ACCURACY.items()], GREY, True))
        panels.append(Lines(title, "theta", unit, curves, log_x=False))
    return Figure("Time and error against the opening angle (GASPHiA)", panels)


def ordering(results):
    bars = [(f"{text}, GASPHiA", {
        "GASPHiA": value
    }) for text, value in (("random", 33.13 / 3.11), ("regular", 5.13 / 3.11))]
    for kind, walks in (("-warp", "by warp"), ("", "by body")):
        for order in ("shuffled", "none", "regular"):
            value = quotient(*(walk(results, one, kinds=(kind,)) for one in (order, "tree")))
            bars += [(f"{order}, {walks}", {"ours": value})] if value else []
    return Figure("Walk time over that in tree order (GASPHiA)", [
        Bars("uniform cube, theta 0.5", "times as slow", bars if len(bars) > 2 else [], {
            "GASPHiA": GREY,
            "ours": BLUE
        })
    ])


FIGURES = {"curves": curves_over_n, "theta": theta, "ordering": ordering}

"""GASPHiA 2026: order of the bodies, and opening angle of a tree code."""

from reproduce import figure
from reproduce.figure import BLUE, GREEN, GREY, ORANGE, PINK, Bars, Curve, Figure, Lines, ms
from reproduce.measurement import Measurement, Published
from reproduce.results import quotient

name = "gasphia"
TITLE = "GASPHiA 2026: order of the bodies and opening angle"
SOURCE = (
    "*500-Million Particle Pure Gravitational N-Body Simulation*, post on the self-gravity tree code of GASPHiA, 2026. "
    "GPU not named. A cube of a million bodies, single precision, monopoles; ours has 100,000 bodies on the CPU.")

# His walk: a warp votes, and the side of the cell decides.
HIS = "--solver tree-sorted --multipole monopole --walk vote --cell-size cell"
CUBE = f"{HIS} --input uniform"
ORDERED = f"{HIS} --theta 0.5 --samples 1"
MANY = {
    "n": "1000,3000,10000,30000,100000,300000,1000000,3000000,10000000",
    "n_cpu": "1000,3000,10000,30000,100000,300000",
    "quick": "300,1000,3000"
}
MILLION = {"n": "1000000", "n_cpu": "100000", "quick": "3000"}
THETAS = "--theta 0.8,0.7,0.6,0.5,0.4,0.3,0.2,0.1"
# His modes. "Regular" bodies are regularly arranged in space.
MODES = {
    "random": "--input uniform --order shuffled",
    "regular": "--input lattice --order none",
    "tree": "--input uniform --order tree"
}
COUNTED = MODES | {"lattice shuffled": "--input lattice --order shuffled"}

MEASUREMENTS = [
    Measurement("modes", ORDERED, cases=COUNTED, **MILLION),
    Measurement("theta", f"{CUBE} {THETAS} --samples 10000", **MILLION),
    Measurement("theta-errors", f"{CUBE} {THETAS} --samples 100000", n="100000", quick="3000"),
    Measurement("direct", "--solver direct-tiled --input uniform --samples 1", **MILLION),
    Measurement("curves", ORDERED, cases=MODES, **MANY),
    Measurement("curves-direct", "--solver direct-tiled --input uniform --samples 1", **MANY),
    Measurement("largest", "--solver fmm --input collision --theta 1", on="cuda", n="500000000", quick="3000"),
    Measurement("counters", ORDERED, on="cuda", cases=COUNTED, kernel="walk_kernel", seconds=0, **MILLION)
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
    "regular": (0.19, 0.29, 1.55, 80.4, 61.5, 23.9, 0.35, 98.6),
    "lattice shuffled": (3.10, 2.58, 0.83, 79.2, 59.0, 14.1, 15.7, 95.2)
}


def accuracy(theta):
    def ours(results):
        row = (results.rows("theta", theta=theta) or [{}])[0]
        errors = (results.rows("theta-errors", theta=theta) or [{}])[0]
        return (row.get("step_ms"), errors.get("error_max"), errors.get("error_mean"),
                quotient(results.value("direct", "step_ms", n=row.get("n")), row.get("step_ms")))

    return ours


def walk(results, mode):
    """ms of the walk."""
    return results.value("modes", "walk_ms", case=mode)


def slower(results, *modes):
    return [quotient(walk(results, mode), walk(results, "tree")) for mode in modes]


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
              lambda r: quotient(walk(r, "lattice shuffled"), walk(r, "regular")), "modes",
              "`modes.walk_ms`. The ratio between shuffled and tree order grows with the number of bodies (`curves.walk_ms`); he "
              "states a million. On the CPU, 32 bodies vote as a warp does."),
    *(Published("G1", f"{mode}: kernel (s), G cycles, clock (GHz), use of SM, memory, L2, DRAM (%), occupancy (%)",
                values, clock(counters(mode, *LATTICE_COLUMNS)), "counters",
                "Counters of Nsight Compute. His 0.19 s for a million bodies do not fit the 5.13 ms of his next table.")
      for mode, values in LATTICE.items()),
    Published("G2", "walk in random, regular, tree order, ms", (33.13, 5.13, 3.11),
              lambda r: [walk(r, mode) for mode in MODES], "modes", "`modes.walk_ms`; regular: bodies on a lattice."),
    Published("G2", "walk over that in tree order: random, regular", (33.13 / 3.11, 5.13 / 3.11),
              lambda r: slower(r, "random", "regular"), "modes",
              "Bodies of a warp that are no neighbours open cells for each other: `modes.node_visits`."),
    *(Published(
        "G3, G4", f"{mode}: kernel (ms), G instructions, L1 hits (%), DRAM (GB/s), IPC, cycles per instruction", values,
        counters(mode, *COUNTER_COLUMNS), "counters",
        "Instructions of warps; the ratios between the modes compare, not the numbers of another kernel and GPU.")
      for mode, values in COUNTERS.items()),
    *(Published(
        f"G{5 + k}", f"theta {theta}: step (ms), largest, mean error, speed-up over direct sum", values,
        accuracy(theta), "theta",
        "The speed-up is that over `direct.step_ms`. Errors are those of all bodies of a cube of 100,000 (`theta-errors.error_mean`); why they "
        "differ from his is not measured."
        if theta == 0.1 else "")
      for k, (theta, values) in enumerate(ACCURACY.items())),
    Published("G13", "share of building the tree in a step at the largest N, %", ("can be ignored",),
              lambda r: build_share(r), "curves",
              "Bounds, keys, sort, links and moments (`curves.sort_ms` ...) over `curves.step_ms`: on this GPU it cannot be ignored."),
    Published(
        "G14", "bodies in the largest run; ms per step", (5e8, ""), lambda r:
        [r.value("largest", column) for column in ("n", "step_ms")], "largest",
        "`largest.step_ms`: with `fmm` and `collision`, not with his walk; whether his walk has room for as many is not measured.")
]


def build_share(results):
    rows = sorted(results.rows("curves", case="tree"), key=lambda row: row["n"])
    return 100 * ms(rows[-1], *figure.BUILD) / rows[-1]["step_ms"] if rows else None


COLORS = {"tree": ("tree order", GREEN), "regular": ("lattice", BLUE), "random": ("random", ORANGE)}


def curves_over_n(results):
    if not results.rows("curves"):
        return Figure("")
    rows = {mode: results.rows("curves", case=mode) for mode in MODES}
    curves = [
        Curve(f"gravity, {text}", figure.curve(rows[mode], "n", lambda row: ms(row, *figure.FORCES)), color)
        for mode, (text, color) in COLORS.items()
    ]
    curves.append(Curve("build tree", figure.curve(rows["tree"], "n", lambda row: ms(row, *figure.BUILD)), GREY))
    direct = Curve(
        "direct sum",
        figure.curve(results.rows("curves-direct"), "n", lambda row: ms(row, *figure.FORCES)), PINK)
    return Figure("Gravity and tree build against the number of bodies (GASPHiA), theta 0.5", [
        Lines("linear", "bodies", "ms", curves, False, False),
        Lines("logarithmic", "bodies", "ms", [*curves, direct])
    ])


def theta(results):
    tables = {table: f"{figure.bodies(results.rows(table))}, {how}"
              for table, how in (("theta", "10,000 sampled"), ("theta-errors", "all"))}
    panels = []
    for title, unit, column, k in (("time per step", "ms", "step_ms", 0), ("mean relative error", "error", "error_mean",
                                                                           2), ("largest relative error", "error",
                                                                                "error_max", 1)):
        curves = [
            Curve(text, figure.curve(results.rows(table), "theta", column), color)
            for (table, text), color in zip(tables.items(), (BLUE, ORANGE))
        ]
        curves.append(Curve("GASPHiA", [(x, values[k]) for x, values in ACCURACY.items()], GREY, True))
        panels.append(Lines(title, "theta", unit, curves, log_x=False))
    return Figure("Time and error against the opening angle (GASPHiA)", panels)


def modes(results):
    bars = [(f"{mode}, GASPHiA", {
        "GASPHiA": value
    }) for mode, value in (("random", 33.13 / 3.11), ("regular", 5.13 / 3.11))]
    ours = [(mode, value) for mode, value in zip(COUNTED, slower(results, *COUNTED)) if value and mode != "tree"]
    bars += [(mode, {"ours": value}) for mode, value in ours]
    return Figure("Walk time over that in tree order (GASPHiA)", [
        Bars("theta 0.5", "times as slow", bars if ours else [], {
            "GASPHiA": GREY,
            "ours": BLUE
        })
    ])


FIGURES = {"curves": curves_over_n, "theta": theta, "modes": modes}

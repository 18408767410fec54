"""Sevic 2025: tree in shared memory."""

from reproduce import figure
from reproduce.figure import BLUE, GREEN, GREY, ORANGE, Curve, Figure, Lines
from reproduce.measurement import Measurement, Published
from reproduce.results import quotient

name = "sevic"
TITLE = "Sevic 2025: quadtree in shared memory"
SOURCE = (
    "D. Sevic, *GPU Computing Project Report*, January 2025. NVIDIA T600 (1,024 threads and 64 KB of shared memory per "
    "multiprocessor), 40,000 bodies in 2D, doubles, theta 0.5, depth 10, medians of five runs. His times are sums over an "
    "unknown number of steps; ours are means over 12 steps of one run, so that only ratios, speed-ups and efficiencies "
    "compare. Three values "
    "are those of global memory only, shared memory, and shared memory with optimised copies.")

COUNTS = (1, 2, 3, *(2**k for k in range(2, 16)))
PLANE = "--input random-masses --dimension 2 --precision double --theta 0.5 --multipole monopole --samples 1"
BODIES = f"--solver hybrid-shared {PLANE} --cell-size cell"
SHARED = f"{BODIES} --repeats 5"
POINTS = f"{BODIES} --leaf point --order none --integrator euler"
# Bound: the energy changes by some percent while the bodies gather.
BOUND = f"{POINTS} --dt 0.01 --softening 0.1"
# His time step, without softening.
AS_HIS = f"{POINTS} --depth 10 --dt 1 --softening 1e-5 --repeats 12"
# A tree of depth 5 has at most 1,365 cells and fits into the shared memory of this GPU, unlike one of depth 10.
FITS = f"{BOUND} --depth 5 --repeats 12"
VARIANTS = {"none": "global only", "plain": "shared, plain", "conflict-free": "shared, optimised"}
THREADS = f"--shared-tree {','.join(VARIANTS)} --gpu-threads {','.join(map(str, COUNTS))},all"
ALL = {"n": "40000", "quick": "2000"}
GROWING = {"n": ",".join(str(n) for n in (*COUNTS[1:], 40000)), "quick": "2,64,1024"}

MEASUREMENTS = [
    Measurement("threads", f"{FITS} {THREADS}", on="cuda", seconds=60, **ALL),
    Measurement("growing", f"{BOUND} --depth 10 --repeats 12 --shared-tree {','.join(VARIANTS)} --gpu-threads all",
                on="cuda", **GROWING),
    Measurement("gathering", f"{BOUND} --depth 10 --repeats 1000", seconds=300, **ALL),
    Measurement("as-his", AS_HIS, **ALL),
    Measurement("float", f"{FITS.replace('--precision double', '--precision float')} "
                f"--shared-tree {','.join(VARIANTS)} --gpu-threads all", on="cuda", **ALL),
    Measurement("cores", f"{SHARED} --threads 1,2,4,8,16", on="cpu", **ALL),
    Measurement("block", f"{FITS} --shared-tree {','.join(VARIANTS)} --gpu-threads all "
                "--block auto,64,128,256,512,1024",
                on="cuda",
                **ALL),
    Measurement("buffers", f"{BOUND} --depth 10 --repeats 100 --gpu-threads all",
                on="cuda",
                cases={turn: "--buffers kept,per-step"
                       for turn in ("first turn", "second turn")},
                **ALL),
    Measurement("leaf",
                f"{SHARED} --depth 5,10 --order none,morton --leaf point,bodies --gpu-threads all",
                on="cuda",
                **ALL),
    Measurement("counters",
                f"{SHARED} --depth 5 --leaf point --order none --gpu-threads all",
                on="cuda",
                cases={variant: f"--shared-tree {variant}"
                       for variant in VARIANTS},
                kernel="stack_walk_kernel",
                seconds=0,
                **ALL)
]

# Table 1: (best ms, threads), (largest speed-up, threads), (largest efficiency, threads).
TABLE = {
    "walk_ms": {
        "none": ((329.067, 40000), (797.38, 40000), (0.92, 2)),
        "plain": ((103.629, 40000), (2984.15, 40000), (1, 2)),
        "conflict-free": ((64.999, 2048), (921.42, 2048), (1, 2))
    },
    "step_ms": {
        "none": ((1331, 40000), (197.93, 40000), (0.91, 2)),
        "plain": ((1153, 40000), (269.19, 40000), (1, 2)),
        "conflict-free": ((1121, 4096), (54.73, 16384), (0.98, 2))
    }
}


def by_threads(results, variant, column="walk_ms"):
    """{threads: ms}"""
    rows = results.rows("threads", shared_tree=variant)
    return {row["n"] if row["gpu_threads"] == "all" else row["gpu_threads"]: row[column] for row in rows}


def speed_ups(results, variant, column="walk_ms"):
    ms = by_threads(results, variant, column)
    return {threads: ms[1.0] / value for threads, value in sorted(ms.items())} if 1.0 in ms else {}


def best(results, variant, column, measure):
    """Best time, speed-up or efficiency, and its number of threads; None if there is none."""
    ms, speed = by_threads(results, variant, column), speed_ups(results, variant, column)
    values = {
        "time": {
            threads: -value
            for threads, value in ms.items()
        },
        "speed-up": speed,
        "efficiency": {
            threads: value / threads
            for threads, value in speed.items() if threads > 1
        }
    }[measure]
    threads = max(values, key=values.get, default=None)
    return None if threads is None else (abs(values[threads]), threads)


def best_of_all(column, measure):
    return lambda results: [best(results, variant, column, measure) for variant in VARIANTS]


def best_ms(results, variant, column):
    found = best(results, variant, column, "time")
    return found and found[0]


def gain(column, measurement="threads"):
    def best_of(results, variant):
        if measurement == "threads":
            return best_ms(results, variant, column)
        return results.value(measurement, column, shared_tree=variant)

    def ours(results):
        plain = best_of(results, "none")
        return [quotient(plain, best_of(results, variant)) for variant in ("plain", "conflict-free")]

    return ours


def growing(results, *counts):
    return [results.value("growing", "walk_ms", shared_tree="none", n=float(n)) for n in counts]


def run_of(measurement):
    """Cells of the tree at the start and the end, change of the energy in %, share of the fullest leaf in %."""
    def ours(results):
        row = (results.rows(measurement) or [{}])[0]
        percent = [100 * row[name] if isinstance(row.get(name), float) else None
                   for name in ("energy_error", "largest_leaf")]
        return [row.get("first_cells"), row.get("last_cells"), *percent]

    return ours


TIME_REMARK = "His T600 against this GPU, and sums over his steps against one step of ours."
PUBLISHED = [
    *(Published(id, f"{'forces' if column == 'walk_ms' else 'whole step'}: {what} (threads)",
                tuple(TABLE[column][variant][k]
                      for variant in VARIANTS), best_of_all(column, measure), "threads", remark)
      for column, ids in (("walk_ms", ("S1", "S2", "S3")), ("step_ms", ("S4", "S5", "S6")))
      for k, (id, (measure, what, remark)) in enumerate(
          zip(ids, (("time", "best time, ms", TIME_REMARK),
                    ("speed-up", "largest speed-up over one thread",
                     "Why it is larger than on his T600 is not measured."),
                    ("efficiency", "largest efficiency",
                     "Depth 5: the tree of a bound run of depth 10 does not fit into shared memory (`gathering.last_cells`)."))))),
    Published(
        "S7", "one thread: global, plain, optimised, s", (329.067 * 797.38 / 1e3, 103.629 * 2984.15 / 1e3, 59.9), lambda
        r: [value / 1e3 if value else None for value in (by_threads(r, variant).get(1.0) for variant in VARIANTS)],
        "threads", 'Published: best time times largest speed-up; the text prints 260, 310 and 60 "ms". ' + TIME_REMARK),
    Published(
        "S8", "speed-up of the forces: global, optimised; of steps: global, optimised", ("700 to 800", 850, 190, 50),
        lambda r: [
            max(speed_ups(r, variant, column).values(), default=None) for column in ("walk_ms", "step_ms")
            for variant in ("none", "conflict-free")
        ], "threads", "The figures' values, as the text describes them."),
    Published(
        "S9", "gain of shared memory in the forces: plain, optimised", (3.18, 5.06), gain("walk_ms"), "threads",
        "Best against best, tree of depth 5. Plain copies are faster with fewer threads and slower with the most "
        "(`threads.walk_ms`), and under the profiler all take the same within a tenth (`counters.kernel_ms`): nothing is gained "
        "here. Global memory is read through the L1 cache (`counters.l1_hit_percent`); optimised copies have fewer bank conflicts "
        "(`counters.bank_conflicts`), but more instructions (`counters.instructions`)."),
    Published("S9", "the same, single precision", ("", ""), gain("walk_ms", "float"), "float",
              "Half the bytes per cell."),
    Published("S9", "gain of shared memory in a step: plain, optimised", (1.15, 1.19), gain("step_ms"), "threads",
              "The tree is built on the CPU in both: half of a step (`threads.build_tree_ms`, `threads.step_ms`)."),
    Published("S10", "one thread per body, global only: 2, 1,024 bodies, ms", (8.5, 19), lambda r: growing(r, 2, 1024),
              "growing", "What bounds the time of so few bodies is not measured."),
    Published("S11", "words per quadrant; largest tree of depth 10, MB", (12, 128), lambda r:
              (12, (4**11 - 1) / 3 * 96 / 2**20), "",
              "From the layout, not measured: the same 12 words of 8 bytes, (4^11 - 1)/3 quadrants."),
    Published("S11", "bound run: cells at the start, at the end; energy error, fullest leaf, %", ("shrinks", "", "", ""),
              run_of("gathering"), "gathering",
              "Time step 0.01, softening 0.1, 1,000 steps: bodies gather and the tree shrinks, but not to the 2,421 cells "
              "that fit into 227 KB of shared memory (`gathering.cells_each_step`)."),
    Published("S11", "his time step of 1 without softening: the same", ("", "", "", ""), run_of("as-his"), "as-his",
              "This run explodes in its first step (`as-his.cells_each_step`, `as-his.energy_error`), and most bodies share one leaf "
              "(`as-his.largest_leaf`). His 48 KB hold 512 quadrants of 96 bytes; 40,000 bodies have so few only if nearly all share "
              "cells of the last level, so that his tree may have fitted for the same reason. He prints neither G nor the size "
              "of the space, so this cannot be computed."),
    Published("S12", "registers of the force kernel; threads per block", (70, "from registers and shared memory"),
              lambda r: (r.value("counters", "registers"), r.value("counters", "block")), "counters",
              "`--block auto` takes the block with the most resident threads (occupancy API); his formula divides."),
    Published(
        "S13", "step with buffers per step over one allocation, in two turns", ("nearly identical", ""), lambda r: [
            quotient(per_step["step_ms"], kept["step_ms"])
            for per_step, kept in zip(r.rows("buffers", buffers="per-step"), r.rows("buffers", buffers="kept"))
        ] or [None, None], "buffers", "`buffers.step_ms`, 100 steps; the two turns show the scatter.")
]

COLORS = {"none": BLUE, "plain": ORANGE, "conflict-free": GREEN}


def speed_panel(results, column, title):
    curves = [
        Curve(text, list(speed_ups(results, variant, column).items()), COLORS[variant])
        for variant, text in VARIANTS.items()
    ]
    curves += [
        Curve(f"{VARIANTS[variant]}, Sevic (largest)", [TABLE[column][variant][1][::-1]], COLORS[variant], True)
        for variant in VARIANTS
    ]
    return Lines(title, "threads", "speed-up over one thread", curves, ideal=True)


def threads(results):
    return Figure(f"Speed-up with the number of threads (Sevic 2025), {figure.bodies(results.rows('threads'))}", [
        speed_panel(results, "walk_ms", "forces on the GPU"),
        speed_panel(results, "step_ms", "whole steps")
    ])


def cores(results):
    rows = results.rows("cores")
    one = results.value("cores", "walk_ms", threads=1.0), results.value("cores", "step_ms", threads=1.0)
    curves = [
        Curve(text, figure.curve(rows, "threads", lambda row, k=k, column=column: quotient(one[k], row[column])), color)
        for k, (text, column, color) in enumerate((("forces", "walk_ms", BLUE), ("whole steps", "step_ms", GREY)))
    ]
    return Figure(f"Speed-up with the number of CPU threads, {figure.bodies(rows)}",
                  [Lines("hybrid-shared on the CPU", "threads", "speed-up over one thread", curves, ideal=True)])


def per_body(results):
    curves = [
        Curve(text, figure.curve(results.rows("growing", shared_tree=variant), "n", "walk_ms"), COLORS[variant])
        for variant, text in VARIANTS.items()
    ]
    curves.append(Curve("global only, Sevic (sums over his steps)", [(2, 8.5), (1024, 19)], COLORS["none"], True))
    return Figure("One thread per body (Sevic 2025)", [Lines("time of the forces, ours per step", "bodies and threads", "ms", curves)])


FIGURES = {
    "threads": threads,
    "cores": cores,
    "growing": per_body
}

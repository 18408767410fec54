"""Bodin 2026: hybrid Barnes-Hut with a tree built on the CPU."""

from reproduce import figure
from reproduce.figure import BLUE, GREEN, GREY, ORANGE, PINK, SKY, YELLOW, Bars, Curve, Figure, Lines, ms
from reproduce.measurement import Measurement, Published
from reproduce.results import crossover, quotient, slope

name = "bodin"
TITLE = "Bodin 2026: hybrid Barnes-Hut"
SOURCE = (
    "J. Bodin, *N-Body Simulation: CPU/GPU Hybrid Implementation with Barnes-Hut*, Ensimag, February 2026. Hardware: "
    '"Turing and Ampere". The report prints no table of times; those below are from the repository of the report '
    "(100 steps of a uniform disc in 2D, theta 1, whole processes, direct sums scaled up from 5 or 20 steps).")

DISC = "--input disc --dimension 2 --theta 1 --multipole monopole --samples 1 --cell-size cell"
HYBRID = f"--solver hybrid {DISC}"
LARGE = {"n": "100000", "quick": "2000"}

# Each on top of the previous ones, starting from the slowest value of every option.
SLOWEST = {
    "order": "none",
    "node": "full",
    "upper-levels": "global",
    "block": "64",
    "host-memory": "pageable",
    "streams": "1",
    "buffers": "per-step",
    "integration": "cpu"
}
STEPS = (("order", "morton-10"), ("order", "morton"), ("node", "unpacked"), ("node", "compact"),
         ("upper-levels", "shared"), ("block", "128"), ("block", "256"), ("host-memory", "pinned"), ("streams", "2"),
         ("buffers", "kept"), ("integration", "gpu"))


def ladder():
    values, cases = dict(SLOWEST), {}
    text = lambda: " ".join(f"--{option} {value}" for option, value in values.items())
    cases["slowest values"] = text()
    for option, value in STEPS:
        values[option] = value
        cases[f"{option} {value}"] = text()
    return cases


MEASUREMENTS = [
    Measurement("scaling",
                f"--solver direct,hybrid {DISC} --repeats 100",
                on="both",
                cases={
                    "his": "--threads 1 --simd plain --integration cpu --block 256",
                    "all cores": "--integration gpu"
                },
                n="10,30,100,300,1000,3000,10000,30000,100000,300000,1000000",
                quick="10,100,1000",
                seconds=5),
    Measurement("counters", f"{HYBRID}", on="cuda", kernel="hybrid_walk_kernel", seconds=0,
                cases={order: f"--order {order}"
                       for order in ("none", "morton")}, **LARGE),
    Measurement("order", f"{HYBRID} --order none,morton-10,morton", **LARGE),
    Measurement("sorting", f"{HYBRID} --threads 1 --sorting radix,qsort --repeats 20", on="cpu", n="1000,10000,100000",
                quick="1000"),
    Measurement("ladder", HYBRID, on="cuda", cases=ladder(), **LARGE),
    Measurement("node", f"{HYBRID} --node full,unpacked,compact", on="cuda", **LARGE),
    Measurement("upper-levels", f"{HYBRID} --upper-levels global,shared", on="cuda", **LARGE),
    Measurement("block", f"{HYBRID} --block 64,128,256,512", on="cuda", **LARGE),
    Measurement("host-memory", f"{HYBRID} --streams 1 --host-memory pageable,pinned", on="cuda", **LARGE),
    Measurement("buffers", f"{HYBRID} --buffers per-step,kept", on="cuda", **LARGE)
]

# ms of 100 steps: CPU N^2, CPU tree, GPU N^2, GPU tree.
REPOSITORY = {
    10: (1, 1, 1621, 250),
    100: (3, 3, 208, 252),
    1000: (150, 34, 1095, 255),
    10000: (16360, 565, 7440, 515),
    100000: (None, 20117, None, 18174)
}
CURVES = {
    "CPU N²": ("cpu", "direct", ORANGE),
    "CPU Barnes-Hut": ("cpu", "hybrid", YELLOW),
    "GPU N²": ("cuda", "direct", BLUE),
    "GPU Barnes-Hut": ("cuda", "hybrid", GREEN)
}


def times(results, name, case="his"):
    backend, solver, _ = CURVES[name]
    return figure.curve(results.rows("scaling", case=case, backend=backend, solver=solver), "n",
                        lambda row: 100 * row["mean_step_ms"])


def slope_of(name, start=1000):
    return lambda results: slope([point for point in times(results, name) if point[0] >= start])


def crossing(slower, faster, case="his"):
    return lambda results: crossover(times(results, slower, case), times(results, faster, case))


def at(name, n):
    return lambda results: dict(times(results, name)).get(float(n))


def each(measurement, column, option, *values, scale=1):
    def ours(results):
        found = [results.value(measurement, column, **{option: value}) for value in values]
        return [value if value is None else scale * value for value in found]

    return ours


def build_share(n):
    def ours(results):
        rows = results.rows("scaling", case="his", backend="cuda", solver="hybrid", n=n)
        return 100 * ms(rows[0], "build_tree") / rows[0]["step_ms"] if rows else None

    return ours


def together(*functions):
    return lambda results: [function(results) for function in functions]


def gain_of(column, measurement, option, before, after):
    """Time before over time after a change."""
    return lambda results: quotient(results.value(measurement, column, **{option: before}),
                                    results.value(measurement, column, **{option: after}))


def qsort_over_radix(results):
    return [quotient(*(results.value("sorting", "sort_ms", n=n, sorting=sorting) for sorting in ("qsort", "radix")))
            for n in (1000.0, 10000.0, 100000.0)]


def ladder_gains(results):
    """Gain of a whole step by each change, and of all."""
    ms_ = [row["step_ms"] for row in results.rows("ladder")]
    return [before / after for before, after in zip(ms_, ms_[1:])] + [ms_[0] / ms_[-1]] if ms_ else [None] * len(STEPS)


PUBLISHED = [
    Published("B1", "active lanes of the hardware without an order, in Morton order, %", (12, "close to 100"),
              lambda r: [scaled(r.value("counters", "active_threads", case=order), 100 / 32) for order in ("none", "morton")],
              "counters", "Threads active per instruction (Nsight Compute, `counters.active_threads`): the quantity that he prints."),
    Published("B1", "lanes that visit a node, of those of the longest walk of the warp, %: the same", ("", ""),
              each("order", "lane_efficiency", "order", "none", "morton", scale=100), "order",
              "Counted by the walk, not by the hardware: branches within a visit are not seen. On the CPU, bodies do not share a walk."),
    Published("§4", "sorting, his key fix: walk without an order over Morton order", ("",),
              gain_of("walk_ms", "order", "order", "none", "morton"), "order", "`order.walk_ms`: time of the walk alone."),
    Published(
        "B2", "bytes copied with compact instead of full nodes of 40 bytes", (0.8,), lambda r: quotient(
            r.value("node", "upload_bytes", node="compact"), r.value("node", "upload_bytes", node="unpacked")), "node",
        "All uploads of a step: bodies are copied too."),
    Published("§4", "compaction: walk, upload with nodes of 40 bytes over 32", ("", ""),
              together(*(gain_of(column, "node", "node", "unpacked", "compact") for column in ("walk_ms", "upload_ms"))),
              "node", "`node.walk_ms`, `node.upload_ms`; above 1 is a gain."),
    Published("B3", "walk with the upper levels in global, in shared memory, ms", ("200 to 400 cycles", "4 cycles"),
              each("upper-levels", "walk_ms", "upper_levels", "global", "shared"), "upper-levels",
              "`upper-levels.walk_ms`; latencies are not measured."),
    Published("B4", "walk with 128, 256 threads per block, ms", ("no spills", "spills"),
              each("block", "walk_ms", "block", 128.0, 256.0), "block", "`block.walk_ms`; spills are not measured."),
    Published("B4", "registers of the walk", ("",), lambda r: r.value("counters", "registers"), "counters",
              "65,536 registers per multiprocessor."),
    Published("B5", "upload from pinned, from pageable memory, GB/s", (11, 6),
              each("host-memory", "upload_gb_per_s", "host_memory", "pinned", "pageable"), "host-memory",
              "Published for PCIe 3.0 x16."),
    Published("B6", "cost of allocating in each step, ms", ("1 to 5 per call",),
              lambda r: difference(r, "buffers", "buffers", "per-step", "kept"), "buffers",
              "`buffers.step_ms`: per step, for all buffers."),
    Published("§4", "gain of a step by each change in turn, and of all: " + ", ".join(f"{option} {value}" for option, value in STEPS),
              ("",) * (len(STEPS) + 1), ladder_gains, "ladder",
              "From the slowest value of every option on; 1 is no gain. Figure `stages` has the parts of a step."),
    Published("B7", "time of qsort over radix sort, one thread: 1,000, 10,000, 100,000 bodies", ("", "", "above 1"),
              qsort_over_radix, "sorting",
              "Records of 16 bytes with keys of 62 bits; his keys have 32 bits. Above 1: radix sort is faster."),
    Published("B7", "radix sort, qsort of 100,000 keys, one thread, ms", ("", ""),
              lambda r: [r.value("sorting", "sort_ms", n=100000.0, sorting=sorting) for sorting in ("radix", "qsort")],
              "sorting", "Medians of 20 sorts."),
    Published("B8", "slope of CPU N², CPU Barnes-Hut", (2.0, "slightly above 1"),
              together(slope_of("CPU N²"), slope_of("CPU Barnes-Hut")), "scaling",
              "One thread without SIMD; fit from 1,000 bodies on."),
    Published("B9", "bodies from which GPU Barnes-Hut beats CPU Barnes-Hut", ("5,000 to 10,000",),
              crossing("CPU Barnes-Hut", "GPU Barnes-Hut"), "scaling", "Kick and drift on the CPU in both, as his."),
    Published("B10", "bodies from which Barnes-Hut beats N² on the CPU, on the GPU", (500, "more"),
              together(crossing("CPU N²", "CPU Barnes-Hut"), crossing("GPU N²", "GPU Barnes-Hut")), "scaling",
              "One thread without SIMD."),
    Published("B10", "the same with SIMD and all cores", ("", ""),
              together(crossing("CPU N²", "CPU Barnes-Hut", "all cores"), crossing("GPU N²", "GPU Barnes-Hut", "all cores")),
              "scaling", "The defaults of this program, with kick and drift on the GPU."),
    Published("B11", "share of the tree build in a GPU step at 100,000, 1,000,000 bodies, %",
              ("", "dominates from 500,000 on"), together(build_share(100000.0), build_share(1000000.0)), "scaling",
              "See figure `stages` for the other parts."),
    Published(
        "B12", "CPU over GPU Barnes-Hut at 10,000, 100,000 bodies", (565 / 515, 20117 / 18174),
        together(*(lambda r, n=n: quotient(at("CPU Barnes-Hut", n)(r),
                                           at("GPU Barnes-Hut", n)(r))
                   for n in (10000, 100000))), "scaling", "Published: from the times below."),
    *(Published("repo", f"{n:,} bodies, ms per 100 steps: CPU N², CPU Barnes-Hut, GPU N², GPU Barnes-Hut", times_,
                together(*(at(curve, n) for curve in CURVES)), "scaling",
                "Steps only; the published times include start-up and sums of the energy." if n == 10 else "")
      for n, times_ in REPOSITORY.items())
]


def scaled(value, factor):
    return value * factor if isinstance(value, float) else None


def difference(results, measurement, option, a, b):
    first, second = (results.value(measurement, "step_ms", **{option: value}) for value in (a, b))
    return None if first is None or second is None else first - second


def scaling(results):
    curves = []
    for k, (curve, (_, _, color)) in enumerate(CURVES.items()):
        points = times(results, curve)
        exponent = slope_of(curve)(results)
        curves.append(Curve(curve + (f": slope {exponent:.2f}" if exponent else ""), points, color))
        curves.append(Curve(f"{curve}, Bodin", [(n, row[k]) for n, row in REPOSITORY.items() if row[k]], color, True))
    return Figure(
        "Time of 100 steps against the number of bodies (Bodin 2026, figure 2)",
        [Lines("uniform disc in 2D, theta 1, one CPU thread; slopes from 1,000 bodies on", "bodies", "ms per 100 steps", curves)])


PLACES = {"CPU": GREY, "GPU": SKY, "PCIe": ORANGE, "rest": "#dddddd"}


def places(row):
    """ms of a step by where they are spent, as in his figure 1."""
    parts = {place: ms(row, *row.get(f"{place.lower()}_stages", "").split()) for place in ("CPU", "GPU", "PCIe")}
    return parts | {"rest": max(0, row["step_ms"] - sum(parts.values()))}


def stages(results):
    rows = results.rows("ladder")
    return Figure(
        "A step by where it runs (Bodin 2026, figure 1), one change after another",
        [Bars(f"{figure.bodies(rows)}, theta 1", "ms per step", [(row["case"], places(row)) for row in rows], PLACES)])


def lanes(results):
    rows = [row for row in results.rows("order") if isinstance(row.get("lane_efficiency"), float)]
    bars = [(row["order"], {"active lanes": 100 * row["lane_efficiency"]}) for row in rows]
    published = [("none, Bodin", {"Bodin": 12})] if bars else []
    return Figure("Active lanes of a warp by order of the bodies",
                  [Bars(f"{figure.bodies(rows)}, theta 1", "% of the lanes", published + bars,
                        {"Bodin": GREY, "active lanes": PINK})])


FIGURES = {"scaling": scaling, "stages": stages, "lanes": lanes}

"""Cassell et al. 2024: four algorithms in ISO C++."""

from statistics import median

from reproduce import figure, rings
from reproduce.figure import BLUE, GREEN, GREY, ORANGE, PINK, RED, SKY, YELLOW, Bars, Curve, Figure, Lines, ms
from reproduce.measurement import Measurement, Published
from reproduce.results import quotient

name = "cassell"
TITLE = "Cassell et al. 2024: octree and BVH in ISO C++"
SOURCE = (
    "T. L. Cassell et al., *Efficient Tree-based Parallel Algorithms for N-Body Simulations Using C++ Standard "
    "Parallelism*, 2024, doi:10.1109/SCW63240.2024.00099. Two galaxies, rings around central masses, made from the definition in their `src/models.h` with other random numbers and read from files of their format; doubles, theta 0.5, on CPUs and GPUs of "
    "several vendors. Figures 5 to 9 are images; the values below are those of the text.")

GALAXIES = "--softening 0 --precision double --theta 0.5 --multipole monopole --samples 1 --repeats 5 --cell-size cell"
ALGORITHMS = {
    "direct": ("All-Pairs", ORANGE),
    "direct-pairs": ("All-Pairs-Col", YELLOW),
    "concurrent-octree": ("Octree", BLUE),
    "hilbert-bvh": ("BVH", GREEN)
}
RINGS = {"files": rings, "quick": "1000"}
SIZES = RINGS | {"n": "10000,100000,1000000"}
DAY = ("octree", "fmm", "tree-sorted", "concurrent-octree", "hilbert-bvh", "direct", "direct-tiled")
ALTERNATING = "--parallel " + ",".join(3 * ["own,std"])  # both see the same disturbances
TREES = "--solver concurrent-octree,hilbert-bvh"

MEASUREMENTS = [
    Measurement("throughput",
                f"--solver {','.join(ALGORITHMS)} {GALAXIES} --threads 0,1 --pairs ordered",
                on="both",
                seconds=20,
                **SIZES),
    Measurement("pairs",
                f"--solver direct-pairs {GALAXIES} --pairs half,ordered",
                n="10000,100000",
                seconds=20,
                **RINGS),
    Measurement("standard",
                f"--solver {','.join(ALGORITHMS)} {GALAXIES} {ALTERNATING} --pairs ordered",
                on="cpu",
                n="10000",
                seconds=20,
                **RINGS),
    Measurement("standard-trees", f"{TREES} {GALAXIES} {ALTERNATING}", on="cpu", n="100000", seconds=20, **RINGS),
    Measurement("links", f"{TREES} {GALAXIES} --links own,walk --order tree,none", on="cuda", seconds=20, **SIZES),
    Measurement("agreement",
                f"--solver {','.join(DAY)} --input small-bodies --precision double --softening 0 --theta 0.5 "
                "--multipole monopole --dt 1h --repeats 24 --samples 1",
                positions=True,
                n="1039551",
                n_cpu="100000",
                quick="1000",
                seconds=0),
    Measurement("counters",
                GALAXIES,
                on="cuda",
                n="20000",
                seconds=0,
                **RINGS,
                kernel="^(direct_kernel|pairs_kernel|ordered_pairs_kernel)$",
                cases={
                    "all pairs": "--solver direct",
                    "pairs, half": "--solver direct-pairs --pairs half",
                    "pairs, ordered": "--solver direct-pairs --pairs ordered"
                })
]


def rate(results, solver, n, backend="cuda", threads=None, table="throughput", **filters):
    """Bodies per second. On the CPU the sequential rows have one thread."""
    rows = results.rows(table, solver=solver, n=float(n), backend=backend, **filters)
    if threads is not None:
        rows = [row for row in rows if (row["threads"] == 1) == (threads == 1)]
    return rows[0]["bodies_per_s"] if rows else None


def over(a, b, n, backend="cuda", **filters):
    return lambda results: quotient(rate(results, a, n, backend, **filters), rate(results, b, n, backend, **filters))


def standard_over_own(table, n, solvers):
    """Bodies per second with standard algorithms over those with own loops: medians of the rows."""
    def middle(results, solver, how):
        rates = [row["bodies_per_s"] for row in results.rows(table, solver=solver, n=float(n), parallel=how)]
        return median(rates) if rates else None

    return lambda results: [quotient(*(middle(results, solver, how) for how in ("std", "own"))) for solver in solvers]


def here(results):
    return "cuda" if results.rows("throughput", backend="cuda") else "cpu"


def parallel(results):
    """Speed-up of all cores over one, for each algorithm."""
    return [
        quotient(rate(results, solver, 10000, "cpu", 0), rate(results, solver, 10000, "cpu", 1))
        for solver in ALGORITHMS
    ]


def differences(results, without_fmm, *solvers):
    """Largest relative L2 difference between two of our solvers, or between these and others."""
    values = [row[column] for row in results.rows("agreement") for column in row
              if column.startswith("to ") and isinstance(row[column], float)
              and not (without_fmm and "fmm" in row["solver"] + column) and (not solvers or row["solver"] in solvers)]
    return max(values, default=None)


def shares(row):
    """Percent of a step, without the forces: the steps of the publication."""
    parts = {
        "bounding box": ms(row, "bounds"),
        "Hilbert sort": ms(row, "keys", "sort"),
        "build tree": ms(row, "build_tree"),
        "multipoles": ms(row, "moments"),
        "update": ms(row, "kick_and_drift")
    }
    return {part: 100 * value / row["step_ms"] for part, value in parts.items()}


def day(results, solver, column="step_ms"):
    """Of one solver, whose label may name the backend."""
    return results.value("agreement", column, solver=(solver, f"{solver} cuda", f"{solver} cpu"))


def day_of(results, solver):
    """ms per step, energy error, relative differences with and without fmm, largest distance."""
    step, energy, l2, largest = (day(results, solver, column) for column in ("step_ms", "energy_error", "l2_relative", "max_AU"))
    return step, energy, l2, differences(results, True, solver, f"{solver} cuda", f"{solver} cpu"), largest


A_DAY = "ms per step; energy error; L2 difference to any other solver, without `fmm`; largest distance of one body, AU"
PUBLISHED = [
    Published(
        "C1", "small bodies of the solar system: BVH over Octree, ms", (3.3,),
        lambda r: quotient(day(r, "hilbert-bvh"), day(r, "concurrent-octree")), "agreement",
        "A synthetic population with the distributions of the JPL table, one day in steps of an hour; the program of "
        "Thüring et al. (5.2 times the octree) is not part of this one."),
    Published(
        "C2", "largest L2 difference of final positions between two solvers: without, with `fmm`", ("below 1e-6", ""),
        lambda r: [differences(r, True), differences(r, False)], "agreement",
        "Relative to the norm of the positions; `fmm` is none of their programs."),
    Published("C2", "the same with `fmm`, in AU without the division", ("",),
              lambda r: max((row["l2_AU"] for row in r.rows("agreement") if isinstance(row.get("l2_AU"), float)), default=None),
              "agreement", "They do not define their norm."),
    *(Published("C2", f"a day of small bodies with `{solver}`: {A_DAY if solver == 'octree' else 'the same'}", ("",) * 5,
                lambda r, solver=solver: day_of(r, solver), "agreement",
                "`agreement.step_ms`, `agreement.energy_error`, `agreement.l2_relative`, `agreement.max_AU`."
                if solver == "octree" else "")
      for solver in DAY),
    Published("C3", "parallel over one core, 10,000 bodies: All-Pairs, All-Pairs-Col, Octree, BVH", ("up to 40",) * 4,
              parallel, "throughput", "At most the cores of this machine (`throughput.threads`); published for sockets with up to 120. Why All-Pairs-Col gains "
              "least is not measured."),
    Published("C4", "All-Pairs over All-Pairs-Col on a CPU, 10,000 bodies", ("above 1",),
              over("direct", "direct-pairs", 10000, "cpu", threads=0), "throughput",
              "Ordered pairs with atomic additions, as published."),
    Published(
        "C5", "All-Pairs-Col over All-Pairs on the GPU, 100,000 bodies", ("above 1",),
        over("direct-pairs", "direct", 100000), "throughput",
        "Ordered pairs; ours adds three components, the published program the first two, also in three dimensions "
        "(`all_pairs.h` at 042637f). The published order does not hold here; the use of the units is in the next rows."),
    Published("C5", "half of the pairs, with additions to both bodies, over ordered pairs, 100,000 bodies", ("",),
              lambda r: quotient(*(rate(r, "direct-pairs", 100000, here(r), table="pairs", pairs=pairs)
                                   for pairs in ("half", "ordered"))), "pairs", "Half is the default of this program."),
    Published("C5", "use of the multiprocessors by All-Pairs, 20,000 bodies, %", ("",),
              lambda r: r.value("counters", "sm_percent", case="all pairs"), "counters",
              "Counters of Nsight Compute, double precision."),
    Published("C5", "use of the atomic units of the L2 cache, 20,000 bodies, %: ordered, half", ("", ""), lambda r: [
        r.value("counters", "atomic_unit_percent", case=case) for case in ("pairs, ordered", "pairs, half")
    ], "counters", "Three additions per pair, against about 20 operations; counters of Nsight Compute."),
    Published("C6", "Octree over BVH on the GPU, 100,000 bodies", (1.5,),
              over("concurrent-octree", "hilbert-bvh", 100000), "throughput", "Published for a GH200."),
    Published("C6", "the same with own links and bodies in the order given", (1.5,),
              lambda r: over("concurrent-octree", "hilbert-bvh", 100000, table="links", links="own", order="none")(r),
              "links", "As published: the walk follows the links of the build."),
    Published("C7", "Octree over BVH on the GPU, 1,000,000 bodies", ("above 1",),
              over("concurrent-octree", "hilbert-bvh", 1000000), "throughput", "Published for Hopper."),
    Published(
        "C8", "steps without forces, 100,000 bodies: Octree, BVH, % of a step", ("figure 8",) * 2, lambda r: [
            sum(shares(row[0]).values()) if row else None
            for row in (r.rows("throughput", solver=solver, n=100000.0, backend=here(r))
                        for solver in ("concurrent-octree", "hilbert-bvh"))
        ], "throughput", "See the figure `shares`."),
    Published("C9", "largest ratio between two toolchains", (1.25,), lambda r: None, "",
              "Not repeated: they have several compilers of several vendors; `--parallel std` was compiled with GCC alone."),
    Published("C9", "ISO C++ over own loops on a CPU, 10,000 bodies: All-Pairs, All-Pairs-Col, Octree, BVH", ("",) * 4,
              standard_over_own("standard", 10000, ALGORITHMS), "standard",
              "`standard.bodies_per_s` of `--parallel std` over those of `own`, medians of three alternating rows; the algorithms of GCC's library libstdc++ with oneTBB."),
    Published("C9", "the same, 100,000 bodies: Octree, BVH", ("",) * 2,
              standard_over_own("standard-trees", 100000, ("concurrent-octree", "hilbert-bvh")), "standard-trees",
              "`standard-trees.bodies_per_s`."),
    Published("C9", "ISO C++ on GPUs", ("figures 6 to 8",), lambda r: None, "",
              "Not repeated: nvc++, which compiles standard algorithms for GPUs, is not available here."),
    Published("C10", "bandwidth of 12 machines (BabelStream)", ("H100: 3,073 GB/s",), lambda r: None, "",
              "Not repeated: it describes their machines, not an n-body code."),
    Published(
        "C11", "bytes of links per node and per group of siblings of the octree", (4, 4), lambda r: (4, 4), "",
        "From the layout, not measured: the same during the build; a walk adds nodes of its own unless `--links own`."),
    Published("C12", "commands that reproduce everything", ("container and script, 50 min",), lambda r:
              ("this script",), "",
              "Packages of the distribution instead of a container: `./run.sh`, then this script.")
]

PARTS = {"bounding box": SKY, "Hilbert sort": ORANGE, "build tree": BLUE, "multipoles": PINK, "update": GREY}


def sequential(results):
    bars = []
    for solver, (text, color) in ALGORITHMS.items():
        for threads, how in ((1, "one core"), (0, "all cores")):
            value = rate(results, solver, 10000, "cpu", threads)
            bars += [(f"{text}, {how}", {text: value / 1e6})] if value else []
    return Figure("One core against all cores (Cassell et al. 2024, figure 5)",
                  [Bars("10,000 bodies", "million bodies per second", bars, dict(ALGORITHMS.values()), log=True)])


def throughput(results):
    panels = []
    for backend, title in (("cuda", "GPU"), ("cpu", "CPU, all cores")):
        rows = [row for row in results.rows("throughput", backend=backend) if backend == "cuda" or row["threads"] > 1]
        curves = [
            Curve(text, figure.curve([row for row in rows if row["solver"] == solver], "n", "bodies_per_s"), color)
            for solver, (text, color) in ALGORITHMS.items()
        ]
        half = results.rows("pairs", backend=backend, pairs="half")
        curves.append(Curve("All-Pairs-Col, half", figure.curve(half, "n", "bodies_per_s"), RED))
        if rows:
            panels.append(Lines(title, "bodies", "bodies per second", curves))
    return Figure("Throughput of the algorithms (Cassell et al. 2024, figures 6 and 7)", panels)


def stage_shares(results):
    rows = [
        row for row in results.rows("throughput", solver=("concurrent-octree", "hilbert-bvh"), n=(1000.0, 100000.0))
        if row["threads"] != 1
    ]
    bars = [(f"{ALGORITHMS[row['solver']][0]}, {'GPU' if row['backend'] == 'cuda' else 'CPU'}", shares(row))
            for row in rows]
    return Figure("Steps without the forces (Cassell et al. 2024, figure 8)",
                  [Bars(figure.bodies(rows), "% of a step", bars, PARTS)])


FIGURES = {"sequential": sequential, "throughput": throughput, "shares": stage_shares}

"""What the author of a publication would ask first about our repetition, and the columns that answer."""

from dataclasses import dataclass

from reproduce import bodin, cassell, gasphia, nbody, sevic


@dataclass(frozen=True)
class Question:
    document: object
    asks: str
    what: str  # of the values of `answer`
    answer: object  # function of Results, as in Published
    columns: str  # `measurement.column` of these values


def values(*columns):
    """The first values of columns: (measurement, column, filters)."""
    def ours(results):
        rows = [(results.rows(measurement, **filters) or [{}])[0].get(column) for measurement, column, filters in columns]
        return [None if value == "" else value for value in rows]

    return ours


HIS = {"case": "his", "backend": "cpu", "solver": "hybrid"}
QUESTIONS = [
    Question(sevic, "My bodies gather. Yours fly apart.",
             "bound run: cells at the start, at the end; energy error, bodies in the fullest leaf, %", sevic.run_of("gathering"),
             "`gathering.first_cells`, `gathering.last_cells`, `gathering.energy_error`, `gathering.largest_leaf`"),
    Question(sevic, "", "with his time step of 1: the same", sevic.run_of("as-his"),
             "`as-his.first_cells`, `as-his.last_cells`, `as-his.energy_error`, `as-his.largest_leaf`"),
    Question(bodin, "My CPU is one thread.", "threads; bodies from which Barnes-Hut beats N² on the CPU",
             bodin.together(lambda r: r.value("scaling", "threads", **HIS), bodin.crossing("CPU N²", "CPU Barnes-Hut")),
             "`scaling.threads`, `scaling.mean_step_ms`"),
    Question(bodin, "My 12 % are lanes of the hardware.", "threads active per instruction, of 32: without an order, in Morton order",
             bodin.each("counters", "active_threads", "case", "none", "morton"), "`counters.active_threads`"),
    Question(bodin, "Sorting is my key fix. What does it gain?", "walk without an order over Morton order",
             bodin.gain_of("walk_ms", "order", "order", "none", "morton"), "`order.walk_ms`"),
    Question(bodin, "My radix sort beats qsort from 10,000 keys on.", "qsort over radix sort, one thread: 1,000, 10,000, 100,000 keys",
             bodin.qsort_over_radix, "`sorting.sort_ms`"),
    Question(bodin, "I compare the side of the cell, integrate on the CPU, and have blocks of 256 threads.",
             "size of a cell; where kick and drift run; threads per block",
             values(("scaling", "cell_size", HIS), ("scaling", "integration", HIS | {"backend": "cuda"}),
                    ("scaling", "block", HIS | {"backend": "cuda", "solver": "direct"})),
             "`scaling.cell_size`, `scaling.integration`, `scaling.block`"),
    Question(sevic, "My cells have sides, my leaves are points, my integrator is Euler's.", "size of a cell; leaf; integrator",
             values(*(("gathering", column, {}) for column in ("cell_size", "leaf", "integrator"))),
             "`gathering.cell_size`, `gathering.leaf`, `gathering.integrator`"),
    Question(cassell, "All-Pairs-Col has ordered pairs, and my octree compares the side of the cell.", "pairs; size of a cell",
             values(("throughput", "pairs", {"solver": "direct-pairs"}), ("throughput", "cell_size", {"solver": "concurrent-octree"})),
             "`throughput.pairs`, `throughput.cell_size`"),
    Question(cassell, "My galaxies are rings around point masses.", "bodies, from his definition", values(("throughput", "input", {})),
             "`throughput.input`"),
    Question(cassell, "My title is that standard parallel algorithms suffice.",
             "ISO C++ over own loops on a CPU, 10,000 bodies: All-Pairs, All-Pairs-Col, Octree, BVH",
             cassell.standard_over_own("standard", 10000, cassell.ALGORITHMS), "`standard.bodies_per_s`"),
    Question(gasphia, "My kernel votes, with the side of the cell.", "walk; size of a cell",
             values(*(("modes", column, {}) for column in ("walk", "cell_size"))), "`modes.walk`, `modes.cell_size`"),
    Question(gasphia, "My regular particles are regularly arranged, and I wrote one million.", "bodies; their order; their number",
             values(*(("modes", column, {"case": "regular"}) for column in ("input", "order", "n"))),
             "`modes.input`, `modes.order`, `modes.n`"),
    Question(nbody, "The threads that share a body are in one block.",
             "1,024 bodies: time with one thread per body over that with 2, 4, 8, 16, 32 threads of a block, with the number chosen",
             nbody.gains(1024.0), "`body-threads.direct_sum_ms`")
]

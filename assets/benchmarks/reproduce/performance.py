"""Forces beside other codes at equal mean error, and frames."""

from pathlib import Path

from reproduce import compare
from reproduce.measurement import Measurement, Published
from reproduce.readme import number

name = "performance"
TITLE = "Forces beside other codes, and frames"
SOURCE = (
    "Published are rows of `assets/benchmarks/peers-h200.csv` and `peers-cpu.csv` that no other code there beats in "
    "both time and error; codes without a tree are left out. Ours are interpolated at the mean error of the other code, in logarithms, between the fastest rows; a "
    "value without an error as large is that of the fastest row. In single precision; F and D on a GPU (the other codes on an "
    "H200), P on two cores. R: frames of `collision`, without a window; medians.")

MEASUREMENTS = [
    Measurement("forces", "--solver fmm,octree --theta 0.4,0.5,0.6,0.7,0.8,0.9,1 --input plummer",
                n="100000,1000000,10000000", n_cpu="10000,100000,1000000", quick="1000"),
    Measurement("hundred-million", "--solver fmm --theta 0.9,1 --input plummer", on="cuda", n="100000000", quick="1000"),
    Measurement("frames", "render --size 1920x1080", on="screen", n="20000,100000,1000000,10000000,50000000",
                n_cpu="20000,100000,1000000", quick="1000", seconds=0)
]
STAGES = ("dust ms", "stars ms", "bloom ms", "exposure ms", "tone map ms", "total ms")


PEERS = [
    # letter of the rows, backend, table, bodies, what else their rows have
    ("F", "cuda", "peers-h200.csv", "plummer", {}),
    ("D", "cuda", "peers-h200.csv", "galaxy", {}),
    ("P", "cpu", "peers-cpu.csv", "plummer", {"threads": 2.0})
]
BODIES = {"plummer": "Plummer sphere", "galaxy": "two disc galaxies"}
COLUMNS = "`forces.force_ms`, `forces.error_99_percent`"
REMARKS = {
    "F1": f"{COLUMNS}. `forces.input` with .bin: the bodies of the other codes. The scene is cut at 99.7 % of the mass, theirs "
          "at 99.9 %.",
    "D1": f"{COLUMNS}. These bodies are in no scene: the command does not repeat them."
}


def best_of(table, **filters):
    """Rows of other codes with trees that none beats in both time and error."""
    rows = [row for row in compare.read_csv(Path(__file__).parents[1] / table)[1]
            if row["theta"] and all(row.get(key) == value for key, value in filters.items())]
    for n in sorted({row["n"] for row in rows}):
        for *_, row in compare.front([(row["mean_error"], row["force_ms"], row) for row in rows if row["n"] == n]):
            yield row


def at_error(results, solver, backend, row):
    """ms and 99th percentile of the error of our solver at the mean error of another code; None without rows as accurate."""
    rows = [ours for table in ("forces", "hundred-million")
            for ours in results.rows(table, solver=solver, backend=backend, n=row["n"]) if row["input"] in ours["input"]]
    points = compare.front([(ours["error_mean"], ours["force_ms"], ours) for ours in rows])
    if not points or row["mean_error"] < points[0][0]:
        return None, None
    return [compare.at(points, row["mean_error"], lambda point, column=column: point[2][column])
            for column in ("force_ms", "error_99_percent")]


def beside(id, backend, row):
    return Published(
        id, f"{row['peer']}: {row['n']:,.0f} bodies, {BODIES[row['input']]}, at a mean error of {number(row['mean_error'])}" +
        ("; ms, 99th percentile of the error: `fmm`, `octree`" if id.endswith("1") else ""), (row["force_ms"], row.get("error_99_percent", "")) * 2, lambda r:
        [value for solver in ("fmm", "octree") for value in at_error(r, solver, backend, row)], "forces", REMARKS.get(id, ""))


def frame(n):
    def ours(results):
        row = (results.rows("frames", bodies=float(n)) or [{}])[0]
        return [row.get(stage) for stage in STAGES]

    return ours


PUBLISHED = [
    *(beside(f"{letter}{k + 1}", backend, row) for letter, backend, table, bodies, more in PEERS
      for k, row in enumerate(best_of(table, input=bodies, **more))),
    *(Published(f"R{k + 1}", f"frame of {n:,} bodies in 1920×1080" +
                (", ms: dust, stars, bloom and smoothing, exposure, tone mapping, all" if k == 0 else ""),
                ("",) * len(STAGES), frame(n), "frames")
      for k, n in enumerate((20_000, 100_000, 1_000_000, 10_000_000, 50_000_000)))
]

FIGURES = {}

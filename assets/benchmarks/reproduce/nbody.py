"""CUDA case study: tiled direct sum."""

from reproduce import figure
from reproduce.figure import BLACK, BLUE, GREEN, ORANGE, PINK, SKY, YELLOW, Curve, Figure, Lines
from reproduce.measurement import Measurement, Published
from reproduce.results import quotient

name = "nbody"
TITLE = "CUDA case study: direct sum in tiles"
SOURCE = (
    "*CUDA Case Study: N-Body Simulation*, 3dgep.com, after Nyland, Harris and Prins 2007 (GPU Gems 3, chapter 31). "
    "The article prints operations and recommendations, no times.")

FLOPS = 20  # per pair, as the article counts them
COUNTS = ("1", "2", "4", "8", "16", "32")
SIZES = "64,128,256,512,1024"
MEASUREMENTS = [
    Measurement("pairs",
                "--solver direct,direct-tiled --samples 1 --repeats 20",
                n="1024,2048,4096,16384,65536,262144,1048576",
                quick="1024,2048"),
    Measurement("body-threads",
                f"--solver direct-tiled --threads-per-body auto,{','.join(COUNTS)} --samples 1 --repeats 100",
                on="cuda",
                n="256,512,1024,2048,4096,8192,16384,32768,65536",
                quick="256,1024"),
    Measurement("tiles",
                f"--solver direct-tiled --threads-per-body 1 --block {SIZES} --tile auto,{SIZES} --samples 1 --repeats 20",
                on="cuda",
                n="65536",
                quick="1024")
]


def fastest(results, solver):
    return max((row["interactions_per_s"] for row in results.rows("pairs", solver=solver)), default=None)


def gains(n):
    """Time with one thread per body over the time with more of them."""
    def ours(results):
        ms = [results.value("body-threads", "direct_sum_ms", n=n, threads_per_body=count)
              for count in (*map(float, COUNTS), "auto")]
        return [quotient(ms[0], other) for other in ms[1:]]

    return ours


def sizes(**row):
    """Billion pairs per second; a value of None stands for all sizes."""
    def ours(results):
        rates = [results.value("tiles", "interactions_per_s",
                               **{option: float(size) if value is None else value for option, value in row.items()})
                 for size in SIZES.split(",")]
        return [quotient(rate, 1e9) for rate in rates]

    return ours


GAIN = "time with one thread per body over that with 2, 4, 8, 16, 32 threads of a block, with the number that the program chooses"
PUBLISHED = [
    Published("N1", "operations per pair; TFLOP/s of the tiled sum", (FLOPS, ""), lambda r:
              (FLOPS, quotient(fastest(r, "direct-tiled"), 1e12 / FLOPS)), "pairs",
              "Counted as in the article; a reciprocal square root is four."),
    Published("N1", "tiled over untiled", ("faster",),
              lambda r: quotient(fastest(r, "direct-tiled"), fastest(r, "direct")), "pairs",
              "On the CPU both solvers are the same code. Why the gain is small on the GPU is not measured."),
    *(Published("N2", f"{n:,} bodies: {GAIN if n == 256 else 'the same'}",
                (text, *[""] * len(COUNTS[1:])), gains(float(n)), "body-threads", remark)
      for n, text, remark in ((256, "above 1", "In blocks whose size the program chooses."), (512, "above 1", ""),
                              (1024, "above 1", "For fewer bodies than 1,024, his advice; his GPU has 8 multiprocessors."),
                              (2048, "about 1", ""), (4096, "about 1", ""), (16384, "about 1", ""))),
    Published("N3", "65,536 bodies, one thread per body, blocks of 64, 128, 256, 512, 1,024 threads and tiles of as many "
              "sources: billion pairs per second", ("", "", "his example", "", ""),
              sizes(block=None, tile="auto"), "tiles", ""),
    Published("N3", "the same with blocks of 256 threads and tiles of 64, 128, 256, 512, 1,024 sources",
              ("", "", "his example", "", ""), sizes(block=256.0, tile=None), "tiles",
              "A reader asks whether tiles may differ from blocks.")
]


def threads_per_body(results):
    colors = dict(zip(COUNTS, (BLACK, ORANGE, SKY, GREEN, PINK, BLUE)))
    one = {row["n"]: row["direct_sum_ms"] for row in results.rows("body-threads", threads_per_body=1.0)}
    curves = [
        Curve(
            f"{count} per body",
            figure.curve(results.rows("body-threads", threads_per_body=float(count)), "n",
                         lambda row: quotient(one.get(row["n"]), row["direct_sum_ms"])), colors[count])
        for count in COUNTS
    ]
    curves.append(
        Curve("chosen by the program",
              figure.curve(results.rows("body-threads", threads_per_body="auto"), "n",
                           lambda row: quotient(one.get(row["n"]), row["direct_sum_ms"])),
              YELLOW,
              line=":"))
    return Figure("Threads of a block per body in the tiled direct sum (case study)",
                  [Lines("speed-up over one thread per body", "bodies", "speed-up", curves, log_y=False)])


def pairs(results):
    curves = [
        Curve(text, figure.curve(results.rows("pairs", solver=solver), "n",
                                 lambda row: row["interactions_per_s"] / 1e9), color)
        for solver, text, color in (("direct", "direct", ORANGE), ("direct-tiled", "direct-tiled", BLUE))
    ]
    return Figure("Direct sums", [Lines("pairs per second", "bodies", "billion pairs per second", curves)])


FIGURES = {"body-threads": threads_per_body, "pairs": pairs}

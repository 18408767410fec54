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
MEASUREMENTS = [
    Measurement("pairs",
                "--solver direct,direct-tiled --samples 1 --repeats 20",
                n="1024,2048,4096,16384,65536,262144,1048576",
                quick="1024,2048"),
    Measurement("threads-per-body",
                f"--solver direct-tiled --threads-per-body auto,{','.join(COUNTS)} --samples 1 --repeats 100",
                on="cuda",
                n="128,256,512,1024,1536,2048,4096,8192,16384",
                quick="256,1024")
]


def fastest(results, solver):
    return max((row["interactions_per_s"] for row in results.rows("pairs", solver=solver)), default=None)


def gain(n):
    """The best number of threads per body over one thread per body, and that number."""
    def ours(results):
        ms = {
            row["threads_per_body"]: row["direct_sum_ms"]
            for row in results.rows("threads-per-body", n=float(n)) if row["threads_per_body"] != "auto"
        }
        if 1.0 not in ms:
            return None, None
        best = min(ms, key=ms.get)
        return ms[1.0] / ms[best], best

    return ours


PUBLISHED = [
    Published("N1", "operations per pair; TFLOP/s of the tiled sum", (FLOPS, ""), lambda r:
              (FLOPS, quotient(fastest(r, "direct-tiled"), 1e12 / FLOPS)), "pairs",
              "Counted as in the article; a reciprocal square root is four."),
    Published("N1", "tiled over untiled", ("faster",),
              lambda r: quotient(fastest(r, "direct-tiled"), fastest(r, "direct")), "pairs",
              "The L1 cache of this GPU shares bodies without tiles too; on the CPU both solvers are the same code."),
    *(Published("N2", f"several threads per body, {n:,} bodies: speed-up, threads",
                (text, ""), gain(n), "threads-per-body", remark)
      for n, text, remark in ((256, "above 1", "More blocks than multiprocessors need several threads per body."),
                              (1024, "above 1", "His GPU has 8 multiprocessors, this one more than 100."),
                              (2048, "about 1", "Here several threads still help, for the same reason."),
                              (4096, "about 1", ""), (16384, "about 1", "")))
]


def threads_per_body(results):
    colors = dict(zip(COUNTS, (BLACK, ORANGE, SKY, GREEN, PINK, BLUE)))
    one = {row["n"]: row["direct_sum_ms"] for row in results.rows("threads-per-body", threads_per_body=1.0)}
    curves = [
        Curve(
            f"{count} per body",
            figure.curve(results.rows("threads-per-body", threads_per_body=float(count)), "n",
                         lambda row: quotient(one.get(row["n"]), row["direct_sum_ms"])), colors[count])
        for count in COUNTS
    ]
    curves.append(
        Curve("chosen by the program",
              figure.curve(results.rows("threads-per-body", threads_per_body="auto"), "n",
                           lambda row: quotient(one.get(row["n"]), row["direct_sum_ms"])),
              YELLOW,
              line=":"))
    return Figure("Threads per body of the tiled direct sum (case study)",
                  [Lines("speed-up over one thread per body", "bodies", "speed-up", curves, log_y=False)])


def pairs(results):
    curves = [
        Curve(text, figure.curve(results.rows("pairs", solver=solver), "n",
                                 lambda row: row["interactions_per_s"] / 1e9), color)
        for solver, text, color in (("direct", "direct", ORANGE), ("direct-tiled", "direct-tiled", BLUE))
    ]
    return Figure("Direct sums", [Lines("pairs per second", "bodies", "billion pairs per second", curves)])


FIGURES = {"threads-per-body": threads_per_body, "pairs": pairs}

#!/usr/bin/env python3
"""Repeats the tables and figures of five publications with `pericenter bench`, and writes CSV, SVG and README.md.

    assets/benchmarks/reproduce.py                          all documents: CUDA if available, otherwise the CPU
    assets/benchmarks/reproduce.py gasphia --backend cpu    one document
    assets/benchmarks/reproduce.py --quick                  few bodies, to try it
    assets/benchmarks/reproduce.py --report                 measure nothing: only figures and README.md
    assets/benchmarks/reproduce.py --publish                for developers: write into assets/benchmarks
    assets/benchmarks/reproduce.py --check                  whether README.md says what the committed results say
    assets/benchmarks/reproduce.py compare OURS.csv PEERS.csv
                                                            speed-up over other codes at equal mean error
    assets/benchmarks/reproduce.py agreement                how much the positions at the end of a run differ between solvers

Results and README.md are written to build/benchmarks; README.md shows them beside the committed ones. A measurement that this
program has finished on this machine is not repeated, so the command can be interrupted with Ctrl+C and started again.
Figures need matplotlib (Debian and Ubuntu: apt install python3-matplotlib)."""

import argparse
import sys
from pathlib import Path

from reproduce import agreement, check, compare, machine, readme, runner
from reproduce.documents import DOCUMENTS
from reproduce.results import Results

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build/default/bin/pericenter"
COMMITTED = ROOT / "assets/benchmarks"


def arguments_of(words):
    parser = argparse.ArgumentParser(
        prog="reproduce.py",
        description=__doc__,
        allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "documents",
        nargs="*",
        metavar="DOCUMENT",
        help="documents to repeat: " + ", ".join(DOCUMENTS) + " (default: all)",
    )
    parser.add_argument(
        "--program",
        type=Path,
        default=PROGRAM,
        help="the program to measure (default: the build of run.sh)",
    )
    parser.add_argument("--backend", choices=["cpu", "cuda"], help="default: cuda if available")
    parser.add_argument("--quick", action="store_true", help="few bodies and little time")
    parser.add_argument("--again", action="store_true", help="repeat measurements that are finished")
    parser.add_argument("--report", action="store_true", help="measure nothing, only draw figures and write README.md")
    parser.add_argument("--publish", action="store_true", help="write into assets/benchmarks, which is committed")
    parser.add_argument("--check", action="store_true", help="measure and write nothing: fail if README.md differs "
                        "from the committed results, and name results that are older than the program")
    parser.add_argument("--machine", help="subfolder for the results (default: GPU or number of cores)")
    parser.add_argument("--out", type=Path, help="folder of README.md (default: build/benchmarks)")
    options = parser.parse_args(words)
    for name in options.documents:
        if name not in DOCUMENTS:
            parser.error(f"'{name}' is not a document. Use {', '.join(DOCUMENTS)}.")
    options.documents = [DOCUMENTS[name] for name in options.documents or DOCUMENTS]
    if options.publish and (options.quick or options.out):
        parser.error("--publish writes complete measurements into assets/benchmarks; remove --quick and --out.")
    options.out = COMMITTED if options.publish or options.check else options.out or ROOT / "build/benchmarks"
    return options


def measure(options):
    if not options.program.is_file():
        sys.exit(f"{options.program} does not exist. Build it with ./run.sh, or name another with --program.")
    cuda = machine.cuda_problem(options.program)
    if options.backend == "cuda" and cuda:
        sys.exit(f"CUDA cannot be used: {cuda}")
    here = machine.Machine(options.program, not cuda and options.backend != "cpu")
    folder = options.out / (options.machine or here.name)
    return folder, runner.run(options.documents, here, folder, options.quick, options.again)


def draw(documents, folder):
    """Draws the figures of the documents; returns how many."""
    try:
        from reproduce import plots
    except ImportError:
        print("No figures: matplotlib is missing. Install it with: apt install python3-matplotlib", file=sys.stderr)
        return 0
    return sum(
        plots.write(draw, Results(folder, document), folder / document.name / f"{name}.svg")
        for document in documents
        for name, draw in document.FIGURES.items()
    )


def main(words):
    if words[:1] == ["compare"]:
        return compare.main(words[1:])
    if words[:1] == ["agreement"]:
        return agreement.main(words[1:], PROGRAM, runner.bench)
    options = arguments_of(words)
    documents = list(DOCUMENTS.values())
    if options.check:
        return check.main(COMMITTED, documents)
    code = 0
    if options.report:
        folders = [path for path in options.out.glob("*") if Results.in_folder(path)]
    else:
        folder, code = measure(options)
        folders = [folder]
    figures = sum(draw(options.documents, folder) for folder in folders)
    text = readme.write(options.out, documents, COMMITTED)
    print(f"Wrote {text} and {figures} figures.", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

#!/usr/bin/env python3
"""Applies mutants to a copy of the sources, one at a time, and checks that a test fails for each.

    tests/mutants/run_mutants.py              all mutants: builds in build/mutants, then prints a table
    tests/mutants/run_mutants.py theta eps    mutants whose names contain one of these words
    tests/mutants/run_mutants.py --check      only checks that each mutant can be applied; no build

Exits with 1 if a mutant survives, or cannot be applied because its text does not occur exactly once.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from mutants import MUTANTS

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "build" / "mutants"
BUILD = SOURCES / "build" / "ci"  # as in ROOT, so that ccache reuses objects of continuous integration
TIMEOUT = 300  # seconds; a broken walk may not terminate


def applied(mutant, text):
    """The text with the mutant applied; None if the original text does not occur exactly once."""
    return text.replace(mutant.original, mutant.mutated) if text.count(mutant.original) == 1 else None


def stale():
    """Mutants that cannot be applied."""
    texts = {mutant.file: ROOT / mutant.file for mutant in MUTANTS}
    texts = {name: path.read_text() if path.is_file() else "" for name, path in texts.items()}
    return [mutant for mutant in MUTANTS if applied(mutant, texts[mutant.file]) is None]


def copy_sources():
    """Copies tracked files with local changes; unchanged files keep their time stamps, and so their objects."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
    for name in filter(None, listed.decode().split("\0")):
        old, new = ROOT / name, SOURCES / name
        if not old.is_file():
            continue
        if new.is_file() and new.read_bytes() == old.read_bytes():
            continue
        new.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(old, new)
        shutil.copymode(old, new)


def run(command, **options):
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    return subprocess.run(command, text=True, errors="replace", **streams, **options)


def configure():
    command = ["cmake", "-S", SOURCES, "-B", BUILD, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"]
    command += ["-DPERICENTER_WERROR=ON", "-DPERICENTER_UNITY=ON", "-DPERICENTER_TESTS=ON", "-DPERICENTER_CUDA=OFF"]
    if shutil.which("ccache"):
        command.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
        os.environ.update(CCACHE_BASEDIR=str(SOURCES), CCACHE_NOHASHDIR="1")
    done = run(command)
    if done.returncode != 0:
        sys.exit(f"Configuring the copy failed:\n{done.stdout}")


def build(programs, jobs):
    """Compiler output; empty on success."""
    done = run(["ninja", "-C", BUILD, "-j", str(jobs), *programs])
    return "" if done.returncode == 0 else done.stdout[-3000:]


def failed_test(mutant):
    """Name of the first failed test; None if all pass."""
    command = [BUILD / "bin" / mutant.program, f"--gtest_filter={mutant.filter}", "--gtest_fail_fast"]
    try:
        done = run(command, timeout=TIMEOUT)
        output, suffix = done.stdout, "" if done.returncode in (0, 1) else f" (exit status {done.returncode})"
    except subprocess.TimeoutExpired as late:
        output, suffix = (late.stdout or b"").decode(errors="replace"), f" (timeout after {TIMEOUT} s)"
        done = None
    if done and done.returncode == 0:
        if not re.search(r"\[  PASSED  \] [1-9]", output):
            sys.exit(f"'{mutant.filter}' matches no test of {mutant.program}.")
        return None
    failed = re.findall(r"^\[  FAILED  \] (\S+?),? ", output, re.M)
    running = re.findall(r"^\[ RUN      \] (\S+)", output, re.M)[-1:]  # last test before a crash
    return (failed + running + ["the program"])[0] + suffix


def check_unmodified(chosen, jobs):
    """All tests must pass without a mutant, so that later failures have no other cause."""
    if output := build(sorted({mutant.program for mutant in chosen}), jobs):
        sys.exit(f"Building without a mutant failed:\n{output}")
    for mutant in {(mutant.program, mutant.filter): mutant for mutant in chosen}.values():
        if failed := failed_test(mutant):
            sys.exit(f"{failed} fails without a mutant.")


def tested(mutant, jobs):
    """Name of the test that detected the mutant (empty: none) and the time in seconds."""
    path = SOURCES / mutant.file
    original, start = path.read_text(), time.monotonic()
    try:
        path.write_text(applied(mutant, original))
        output = build([mutant.program], jobs)
        if output:
            print(output, file=sys.stderr)
        result = "" if output else failed_test(mutant) or ""
    finally:
        path.write_text(original)
    return result, time.monotonic() - start


def table(rows):
    head = ("mutant", "file", "failed test", "seconds")
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("words", nargs="*", help="only mutants whose names contain one of these words")
    parser.add_argument("--check", action="store_true", help="only check that each mutant can be applied")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1, help="parallel compile jobs")
    options = parser.parse_args()
    old = stale()
    for mutant in old:
        print(f"{mutant.file}: the text that '{mutant.name}' replaces does not occur exactly once:\n{mutant.original}", file=sys.stderr)
    if options.check:
        print(f"{len(MUTANTS) - len(old)} of {len(MUTANTS)} mutants can be applied.")
        return 1 if old else 0
    chosen = [mutant for mutant in MUTANTS if mutant not in old]
    if options.words:
        chosen = [mutant for mutant in chosen if any(word in mutant.name for word in options.words)]
    copy_sources()
    configure()
    check_unmodified(chosen, options.jobs)
    rows = []
    for mutant in chosen:
        detected_by, seconds = tested(mutant, options.jobs)
        rows.append((mutant.name, mutant.file, detected_by or "**none**", f"{seconds:.0f}"))
        print(f"{mutant.name}: {detected_by or 'SURVIVED'}", file=sys.stderr, flush=True)
    print(table(rows))
    survivors = sum(row[2] == "**none**" for row in rows)
    print(f"\n{len(rows) - survivors} of {len(rows)} mutants were detected.")
    return 1 if old or survivors or not rows else 0


if __name__ == "__main__":
    sys.exit(main())

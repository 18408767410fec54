#!/usr/bin/env python3
"""Plants defects in a copy of the sources, one at a time, and shows that a test fails for each.

    tests/mutants/run_mutants.py              all of them: builds in build/mutants, then prints a table
    tests/mutants/run_mutants.py theta eps    those whose names hold one of these words
    tests/mutants/run_mutants.py --check      only whether each can still be planted; takes no time

Exits with 1 when a defect is noticed by no test, or cannot be planted because the line is not there once.
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
BUILD = SOURCES / "build" / "ci"  # as in ROOT, so that objects of continuous integration serve, where ccache keeps them
LONGEST = 300  # seconds; a broken walk may never end


def planted(defect, text):
    """The file with the defect in it; None where its line is not there exactly once."""
    return text.replace(defect.right, defect.wrong) if text.count(defect.right) == 1 else None


def stale():
    """Those that cannot be planted any more."""
    texts = {defect.file: ROOT / defect.file for defect in MUTANTS}
    texts = {name: path.read_text() if path.is_file() else "" for name, path in texts.items()}
    return [defect for defect in MUTANTS if planted(defect, texts[defect.file]) is None]


def copy_sources():
    """What git knows of, with what was changed since; files that are the same keep their time, and their objects."""
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
    command += ["-DPERICENTER_WERROR=ON", "-DPERICENTER_CUDA=OFF"]
    if shutil.which("ccache"):
        command.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
        os.environ.update(CCACHE_BASEDIR=str(SOURCES), CCACHE_NOHASHDIR="1")
    done = run(command)
    if done.returncode != 0:
        sys.exit(f"The copy cannot be configured:\n{done.stdout}")


def build(programs, jobs):
    """What the compiler said, empty when all is built."""
    done = run(["ninja", "-C", BUILD, "-j", str(jobs), *programs])
    return "" if done.returncode == 0 else done.stdout[-3000:]


def failed_test(defect):
    """The first test that fails, and how; None when all pass."""
    command = [BUILD / "bin" / defect.program, f"--gtest_filter={defect.suites}", "--gtest_fail_fast"]
    try:
        done = run(command, timeout=LONGEST)
        words, end = done.stdout, "" if done.returncode in (0, 1) else f" (ended with {done.returncode})"
    except subprocess.TimeoutExpired as late:
        words, end = (late.stdout or b"").decode(errors="replace"), f" (no end in {LONGEST} s)"
        done = None
    if done and done.returncode == 0:
        if not re.search(r"\[  PASSED  \] [1-9]", words):
            sys.exit(f"'{defect.suites}' names no test of {defect.program}.")
        return None
    failed = re.findall(r"^\[  FAILED  \] (\S+?),? ", words, re.M)
    running = re.findall(r"^\[ RUN      \] (\S+)", words, re.M)[-1:]  # when it ended
    return (failed + running + ["the program"])[0] + end


def check_sound(chosen, jobs):
    """Without a defect all tests pass: a failure later has no other cause."""
    if words := build(sorted({defect.program for defect in chosen}), jobs):
        sys.exit(f"The sources cannot be built without a defect:\n{words}")
    for defect in {(defect.program, defect.suites): defect for defect in chosen}.values():
        if failed := failed_test(defect):
            sys.exit(f"{failed} fails without a defect.")


def try_out(defect, jobs):
    """What noticed the defect, empty when nothing did, and the seconds that took."""
    path = SOURCES / defect.file
    sound, start = path.read_text(), time.monotonic()
    try:
        path.write_text(planted(defect, sound))
        words = build([defect.program], jobs)
        if words:
            print(words, file=sys.stderr)
        result = "" if words else failed_test(defect) or ""
    finally:
        path.write_text(sound)
    return result, time.monotonic() - start


def table(rows):
    head = ("defect", "file", "test that failed", "seconds")
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("words", nargs="*", help="only defects whose names hold one of these")
    parser.add_argument("--check", action="store_true", help="only whether each can still be planted")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1, help="of the compiler")
    options = parser.parse_args()
    old = stale()
    for defect in old:
        print(f"{defect.file} does not hold once what '{defect.name}' replaces:\n{defect.right}", file=sys.stderr)
    if options.check:
        print(f"{len(MUTANTS) - len(old)} of {len(MUTANTS)} defects can be planted.")
        return 1 if old else 0
    chosen = [defect for defect in MUTANTS if defect not in old]
    if options.words:
        chosen = [defect for defect in chosen if any(word in defect.name for word in options.words)]
    copy_sources()
    configure()
    check_sound(chosen, options.jobs)
    rows = []
    for defect in chosen:
        noticed, seconds = try_out(defect, options.jobs)
        rows.append((defect.name, defect.file, noticed or "**none**", f"{seconds:.0f}"))
        print(f"{defect.name}: {noticed or 'NOT NOTICED'}", file=sys.stderr, flush=True)
    print(table(rows))
    survivors = sum(row[2] == "**none**" for row in rows)
    print(f"\n{len(rows) - survivors} of {len(rows)} defects were noticed.")
    return 1 if old or survivors or not rows else 0


if __name__ == "__main__":
    sys.exit(main())

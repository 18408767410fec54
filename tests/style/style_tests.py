#!/usr/bin/env python3
"""Checks the form of the source: format, size of each folder, trailing comments.

    tests/style/style_tests.py            all checks, and tests that show that each check can fail
    tests/style/style_tests.py --sizes    prints the sizes of the folders instead
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE_FOLDERS = ("app", "render", "shaders", "sim")
CPP = (".h", ".cpp", ".cu", ".cuh")
SOURCE = (*CPP, ".inc", ".S", ".cmake", ".comp", ".frag", ".glsl", ".vert")
BUDGETS = Path(__file__).parent / "budgets.txt"


def files(root, folders, suffixes):
    return sorted(path for folder in folders for path in (root / folder).rglob("*") if path.suffix in suffixes)


# --- Format


def formatter():
    """clang-format 14, because each version formats in another way; None if it is not installed."""
    for name in ("clang-format-14", "clang-format"):
        if shutil.which(name) and "version 14." in subprocess.run([name, "--version"], capture_output=True, text=True).stdout:
            return name
    return None


def unformatted(paths):
    """The first line of each file that differs from what clang-format writes."""
    command = [formatter(), "--dry-run", "-Werror", "--ferror-limit=1", *paths]
    output = subprocess.run(command, capture_output=True, text=True).stderr
    return [line for line in output.splitlines() if " error: " in line]


# --- Trailing comments


RELATION = re.compile(
    r"///< (about|after|as|at|before|between|by|during|for|from|in|on|of|per|since|than|to|until|with|within|without) ", re.IGNORECASE
)


def relations(path):
    """Trailing comments that begin with a preposition: they relate the name to a word that the reader has to find."""
    lines = path.read_text().splitlines()
    return [f"{path}:{number}: {line.strip()}" for number, line in enumerate(lines, 1) if RELATION.search(line)]


# --- Size


def folder_of(path):
    """The folder of a file in the table of budgets: app/ui for app/ui/widgets/a.h, app for app/main.cpp."""
    return "/".join(path.parts[: min(2, len(path.parts) - 1)])


def sizes(root):
    found = {}
    for path in files(root, SOURCE_FOLDERS, SOURCE):
        folder = folder_of(path.relative_to(root))
        found[folder] = found.get(folder, 0) + path.read_bytes().count(b"\n")
    return found


def budgets(text):
    rows = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    return {folder: int(lines) for folder, lines in rows}


def over_budget(found, limits):
    problems = []
    for folder, lines in {**found, "total": sum(found.values())}.items():
        if folder not in limits:
            problems.append(f"{folder} ({lines} lines) has no row in {BUDGETS.name}")
        elif lines > limits[folder]:
            problems.append(f"{folder}: {lines} lines of source, {limits[folder]} allowed")
    for folder in limits:
        if folder != "total" and folder not in found:
            problems.append(f"{BUDGETS.name} names {folder}, which does not exist")
    return problems


BUDGET_ADVICE = f"""

Before raising a number in tests/style/{BUDGETS.name}, look for code that the change makes unnecessary: a second copy of a function,
an interface with one user, a special case that a row in a table covers. If the folder must grow, take the lines from another row:
the total stays. {Path(__file__).name} --sizes prints the present sizes."""


class Tree(unittest.TestCase):
    def test_is_formatted(self):
        if not formatter() and not os.environ.get("CI"):
            self.skipTest("clang-format 14 is not installed")
        found = unformatted(files(ROOT, (*SOURCE_FOLDERS, "tests"), CPP))
        self.assertEqual([], found, "\nRun clang-format -i on these files.\n" + "\n".join(found))

    def test_has_trailing_comments_that_stand_alone(self):
        found = [problem for path in files(ROOT, SOURCE_FOLDERS, CPP) for problem in relations(path)]
        self.assertEqual([], found, "\nName the thing first: 'start of the step', not 'of the step'.\n" + "\n".join(found))

    def test_is_within_its_budgets(self):
        problems = over_budget(sizes(ROOT), budgets(BUDGETS.read_text()))
        self.assertEqual([], problems, BUDGET_ADVICE)


class Checks(unittest.TestCase):
    """That each check finds what it is for."""

    def test_format(self):
        if not formatter():
            self.skipTest("clang-format 14 is not installed")
        with tempfile.TemporaryDirectory() as folder:
            good, bad = Path(folder) / "good.h", Path(folder) / "bad.h"
            good.write_text("int good();\n")
            bad.write_text("int  bad( );\nint  worse( );\n")
            shutil.copy(ROOT / ".clang-format", folder)
            found = unformatted([good, bad])
        self.assertEqual(1, len(found))
        self.assertIn("bad.h:1", found[0])

    def test_trailing_comments(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.h"
            path.write_text("int a;  ///< of the run\nint b;  ///< start of the run\nint c;  ///< As b\n")
            found = relations(path)
        self.assertEqual(["a.h:1", "a.h:3"], [Path(problem.split(": ")[0]).name for problem in found])

    def test_folders(self):
        self.assertEqual("app", folder_of(Path("app/main.cpp")))
        self.assertEqual("app/ui", folder_of(Path("app/ui/ui_state.h")))
        self.assertEqual("sim/solvers", folder_of(Path("sim/solvers/tree/tree.h")))

    def test_sizes(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("sim/core/a.h", "1\n2\n"), ("sim/core/b/c.cu", "1\n"), ("sim/create.cpp", "1\n"), ("sim/core/README.md", "1\n")):
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            self.assertEqual({"sim": 1, "sim/core": 3}, sizes(Path(folder)))

    def test_budgets(self):
        limits = budgets("# folder lines\nsim/core 10\nsim/cpu 5\ntotal 14\n")
        self.assertEqual([], over_budget({"sim/core": 10, "sim/cpu": 4}, limits))
        for found in ({"sim/core": 11, "sim/cpu": 1}, {"sim/core": 10, "sim/cpu": 5}, {"sim/core": 1}, {"sim/core": 1, "sim/cpu": 1, "sim": 1}):
            self.assertEqual(1, len(over_budget(found, limits)), found)


if __name__ == "__main__":
    if "--sizes" in sys.argv:
        found = sizes(ROOT)
        for folder, lines in [*sorted(found.items()), ("total", sum(found.values()))]:
            print(f"{folder:20}{lines:6}")
    else:
        unittest.main()

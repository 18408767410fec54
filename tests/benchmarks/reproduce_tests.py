#!/usr/bin/env python3
"""Tests of assets/benchmarks/reproduce.py.

tests/benchmarks/reproduce_tests.py                     with a made-up program
tests/benchmarks/reproduce_tests.py PERICENTER          also with this one, on the CPU
tests/benchmarks/reproduce_tests.py -k Comparison"""

import contextlib
import io
import math
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
from array import array
from pathlib import Path
from unittest import mock
from xml.etree import ElementTree

FOLDER = Path(__file__).resolve().parent
BENCHMARKS = FOLDER.parents[1] / "assets/benchmarks"
sys.path.insert(0, str(BENCHMARKS))

import reproduce.machine as machine  # noqa: E402
from reproduce import agreement, bodin, cassell, check, compare, gasphia, performance, profile, questions, readme  # noqa: E402
from reproduce import rings  # noqa: E402
from reproduce.documents import DOCUMENTS  # noqa: E402
from reproduce.results import Results, crossover, read_csv, slope  # noqa: E402

import importlib.util  # noqa: E402

SPEC = importlib.util.spec_from_file_location("reproduce_command", BENCHMARKS / "reproduce.py")
command = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(command)

FAKE = FOLDER / "fake_pericenter.py"
PROGRAM = None  # of the test from outside
try:
    import matplotlib  # noqa: F401

    HAS_MATPLOTLIB = True
except ImportError:
    HAS_MATPLOTLIB = False


class WithFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.log = self.folder / "log"

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def reproduce(self, *words, program=FAKE, **environment):
        """Exit code and messages; the calls of the program are in self.calls."""
        self.log.write_text("")
        errors = io.StringIO()
        words = [*words, "--program", str(program), "--out", str(self.folder / "out")]
        with mock.patch.dict(os.environ, FAKE_LOG=str(self.log), **environment), contextlib.redirect_stderr(errors):
            code = command.main(words)
        self.calls = [line for line in self.log.read_text().splitlines() if "-n 100 " not in line]  # without the probe
        return code, errors.getvalue()

    def text(self, name="README.md"):
        return (self.folder / "out" / name).read_text()


class Tables(unittest.TestCase):
    def test_every_published_figure_has_a_row(self):
        rows = " ".join(row.id for document in DOCUMENTS.values() for row in document.PUBLISHED)
        for letter, count in (("B", 12), ("S", 13), ("G", 14), ("C", 12), ("N", 3)):
            for k in range(1, count + 1):
                self.assertRegex(rows, rf"\b{letter}{k}\b")

    def test_rows_name_measurements_and_measurements_have_own_names(self):
        for document in DOCUMENTS.values():
            names = [measurement.name for measurement in document.MEASUREMENTS]
            self.assertEqual(len(names), len(set(names)), document.name)
            for row in document.PUBLISHED:
                self.assertIn(row.measurement, [*names, ""], row.what)
                self.assertTrue(row.remark or re.match("G|repo|N|C2|[FDPR][0-9]", row.id), row.what)

    def test_questions_of_authors_have_answers_from_columns(self):
        asked = {each.document.name for each in questions.QUESTIONS}
        self.assertLessEqual({"bodin", "sevic", "gasphia", "cassell"}, asked)
        for each in questions.QUESTIONS:
            self.assertTrue(check.CITED.search(each.columns), each.asks)
            nothing = each.answer(Results(Path("/nonexistent"), each.document))
            self.assertEqual(readme.joined(readme.as_tuple(nothing)), "–", each.asks)
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "h200/cassell").mkdir(parents=True)
            (Path(folder) / "h200/cassell/throughput.csv").write_text("solver,pairs,cell_size,input\ndirect-pairs,half,,rings\n")
            lines = "\n".join(readme.questions([Path(folder) / "h200"]))
        self.assertRegex(lines, r"All-Pairs-Col has ordered pairs.* \| half; – \|")
        self.assertRegex(lines, r"rings around point masses.* \| rings \|")
        self.assertRegex(lines, r"My bodies gather.* \| not measured yet \|")

    def test_without_results_nothing_is_invented(self):
        for document in DOCUMENTS.values():
            empty = Results(Path("/nonexistent"), document)
            for row in document.PUBLISHED:
                ours = readme.as_tuple(row.ours(empty))
                if row.measurement:
                    self.assertNotRegex(readme.joined(ours).replace("20; –", ""), r"\d", row.what)
            for draw in document.FIGURES.values():
                self.assertFalse(draw(empty).has_data())


class Numbers(unittest.TestCase):
    def test_slope_is_the_exponent(self):
        self.assertAlmostEqual(slope([(n, 3 * n**1.7) for n in (10, 100, 3000)]), 1.7)
        self.assertIsNone(slope([(10, 1)]))

    def test_crossover_is_interpolated(self):
        a = [(n, n**2 / 500) for n in (100, 1000, 10000)]
        b = [(n, n) for n in (100, 1000, 10000)]
        self.assertAlmostEqual(crossover(a, b), 500, delta=1)
        self.assertIsNone(crossover(b, [(n, 2 * n) for n in (100, 1000)]))

    def test_ratio_is_ours_over_published(self):
        self.assertEqual(readme.ratios((2, "some", (10, 4)), (3.0, 1.0, (5.0, 8.0))), "1.5; –; 0.5")
        self.assertEqual(readme.ratios(("fast",), (3.0,)), "")

    def test_numbers_are_short(self):
        for value, text in (
            (40000.0, "40,000"),
            (0.0123456, "0.0123"),
            (3.2e-5, "3.20e-5"),
            (None, "–"),
            ("x", "x"),
            ((1.5, 4.0), "1.5 (4)"),
        ):
            self.assertEqual(readme.number(value), text)


class Values(WithFolder):
    def results(self, document, name, text):
        self.write(f"h200/{document.name}/{name}.csv", text)
        return Results(self.folder / "h200", document)

    def test_error_and_speed_up_of_gasphia(self):
        self.results(gasphia, "direct", "# pericenter bench\nsolver,n,step_ms\ndirect-tiled,1000000,484\n")
        results = self.results(
            gasphia, "theta", "theta,n,step_ms,error_max,error_mean\n0.5,1000000,4,0.01,1e-4\n"
        )
        self.assertEqual(gasphia.accuracy(0.5)(results), (4, None, None, 121))
        results = self.results(gasphia, "theta-errors", "theta,n,step_ms,error_max,error_mean\n0.5,100000,1,0.07,5.3e-4\n")
        self.assertEqual(gasphia.accuracy(0.5)(results), (4, 0.07, 5.3e-4, 121))
        row = next(row for row in gasphia.PUBLISHED if row.id == "G9")
        self.assertEqual(readme.ratios(row.values, row.ours(results)), "0.68; 0.984; 0.995; 0.527")

    def test_our_forces_at_the_error_of_another_code(self):
        lines = ["fmm,1000,1e-3,1,7e-3", "fmm,1000,1e-4,4,7e-4", "fmm,1000,1e-4,9,1", "fmm,2000,1e-3,0.1,1"]
        results = self.results(
            performance, "forces", "backend,input,solver,n,error_mean,force_ms,error_99_percent\n"
            + "".join(f"cuda,plummer_1.bin,{line}\n" for line in lines))
        at = lambda error, **row: performance.at_error(
            results, "fmm", "cuda", {"input": "plummer", "n": 1000.0, "mean_error": error} | row)
        for ours, expected in zip(at(10**-3.5), (2, 0.7e-3 * 10**0.5)):
            self.assertAlmostEqual(ours, expected)
        self.assertEqual(at(0.1), [1, 7e-3])  # no row has an error as large
        for nothing in (at(9e-5), at(1e-3, input="galaxy"), at(1e-3, n=5.0)):
            self.assertEqual(nothing, (None, None))
        self.assertGreater(min(row["theta"] for row in performance.best_of("peers-h200.csv", input="plummer")), 0)

    def test_slopes_of_bodin(self):
        lines = [f"his,cpu,direct,{n},{n * n * 1e-6}" for n in (1000, 10000, 100000)]
        lines += [f"all cores,cpu,direct,{n},{n * 1e-6}" for n in (1000, 10000, 100000)]
        results = self.results(bodin, "scaling", "case,backend,solver,n,mean_step_ms\n" + "\n".join(lines) + "\n")
        self.assertAlmostEqual(bodin.slope_of("CPU N²")(results), 2)
        self.assertEqual(bodin.at("CPU N²", 10000)(results), 10000)

    def test_comments_and_empty_cells_are_read(self):
        results = self.results(
            bodin, "order", "# pericenter bench\n# machine: A\norder,lane_efficiency\nnone,\nmorton,0.5\n"
        )
        self.assertIsNone(results.value("order", "lane_efficiency", order="none"))
        self.assertEqual(results.value("order", "lane_efficiency", order="morton"), 0.5)
        self.assertEqual(results.machines(), ["A"])


class Agreement(unittest.TestCase):
    def test_differences_of_positions(self):
        b = array("d", (1, 3, 0, 4, 2, 0))
        self.assertEqual(agreement.difference(array("d", (1, 0, 0, 0, 2, 0)), b), (5, 4))
        lost = agreement.difference(array("d", (math.nan, 0, 0, 0, 2, 0)), b)
        self.assertTrue(all(map(math.isnan, lost)))

    def test_rows_get_differences_to_all_others(self):
        rows = [{"solver": solver, "walk": walk, "length_unit": "AU"}
                for solver, walk in (("octree", "group"), ("octree", "skip"), ("direct", ""))]
        agreement.add_differences(rows, [array("d", (3, 4, 0)), array("d", (3, 4, 0.5)), array("d", (3, 5, 0))])
        self.assertEqual([row["solver"] for row in rows], ["octree walk=group", "octree walk=skip", "direct"])
        self.assertEqual([row["farthest"] for row in rows], ["direct", "direct", "octree walk=skip"])
        self.assertAlmostEqual(rows[2]["l2_AU"], 1.25**0.5)
        self.assertAlmostEqual(rows[2]["max_AU"], 1.25**0.5)
        self.assertAlmostEqual(rows[2]["to octree walk=group"], 1 / 5)
        self.assertAlmostEqual(rows[2]["l2_relative"], 1.25**0.5 / 25.25**0.5)
        self.assertEqual(rows[2]["to direct"], 0)
        self.assertIn("to direct", agreement.text_of([row | {"step_ms": 1, "energy_error": 0} for row in rows]))
        alone = [{"solver": "octree", "length_unit": "AU"}]
        agreement.add_differences(alone, [array("d", (3, 4, 0))])
        self.assertNotIn("l2_relative", alone[0])

    def test_rows_of_a_solver_are_named_by_any_setting_that_differs(self):
        rows = [{"solver": solver, "theta": theta, "tile": tile, "order": "", "step_ms": step, "tree": "x"}
                for solver, theta, tile, step in (("direct-tiled", "", "64", "1"), ("direct-tiled", "", "256", "2"),
                                                  ("octree", "0.5", "", "3"), ("octree", "0.7", "", "4"))]
        self.assertEqual(agreement.labels(rows),
                         ["direct-tiled tile=64", "direct-tiled tile=256", "octree theta=0.5", "octree theta=0.7"])

    def test_rows_that_were_stopped_are_left_out(self):
        def run(program, words):
            rows = [{"solver": name, "repeats": repeats, "n": "1", "length_unit": "AU"}
                    for name, repeats in (("octree", "24"), ("slow", "3"), ("direct", "24"))]
            with open(words[words.index("--positions") + 1], "wb") as file:
                array("d", range(9)).tofile(file)
            return rows, []

        rows, notes = agreement.bench(None, ["bench"], run)
        self.assertEqual([row["solver"] for row in rows], ["octree", "direct"])
        self.assertAlmostEqual(rows[0]["l2_AU"], 108**0.5)
        self.assertEqual(notes, ["left out: slow: its steps take too long."])

    def test_defaults_give_way(self):
        words = agreement.with_defaults(["--input", "a.csv", "--dt", "2h"])
        self.assertNotIn("-n", words)
        self.assertEqual((words.count("--input"), words.count("--dt"), words.count("--repeats")), (1, 1, 1))
        self.assertIn("100000", agreement.with_defaults([]))

    # Cassell et al. 2024: below 1e-6 between any two of three programs.
    def test_real_program_on_the_cpu(self):
        if not PROGRAM:
            self.skipTest("no program given")
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as out:
            words = ["-n", "1000", "--backend", "cpu", "--solver", "octree,fmm,concurrent-octree,hilbert-bvh,direct"]
            file = Path(folder) / "a.csv"
            self.assertEqual(command.main(["agreement", "--program", str(PROGRAM), *words, "--csv", str(file)]), 0)
            rows = read_csv(file)[1]
        self.assertEqual(len(rows), 5)
        self.assertIn("l2_AU", out.getvalue())
        for row in rows:
            self.assertTrue(1e-14 < row["l2_relative"] < 1e-6 and row["max_AU"] < row["l2_AU"] and row["energy_error"] < 1e-3, row)
            self.assertAlmostEqual(row["dt"], 7.16754e-4, places=8)


class Runs(WithFolder):
    """With a program that knows all options."""

    def test_all_documents_on_a_gpu(self):
        code, errors = self.reproduce("--machine", "gpu", PATH=os.environ["PATH"])
        self.assertEqual(code, 0)
        self.assertRegex(errors, r"\[1/\d+\] bodin/scaling\n\[2/\d+\] bodin/counters, (about|less)")
        text = self.text()
        for document in DOCUMENTS.values():
            self.assertIn(f"### {document.TITLE}", text)
            for measurement in document.MEASUREMENTS:
                self.assertTrue((self.folder / "out/gpu" / document.name / f"{measurement.name}.csv").is_file())
        self.assertIn("- Not measured on GPU: `counters`: ncu (Nsight Compute) is not installed.", text)
        figures = [
            (self.folder / "out/gpu" / document.name / f"{name}.svg")
            for document in DOCUMENTS.values()
            for name in document.FIGURES
        ]
        if HAS_MATPLOTLIB:
            for figure in figures:
                ElementTree.fromstring(figure.read_text())
                self.assertIn(f"(gpu/{figure.parent.name}/{figure.name})", text)
        else:
            self.assertIn("apt install python3-matplotlib", errors)

    def test_finished_measurements_are_not_repeated(self):
        self.reproduce("nbody")
        self.assertEqual(len(self.calls), 3)
        code, errors = self.reproduce("nbody")
        self.assertEqual((code, self.calls), (0, []))
        self.assertIn("3 measurements of this program and machine are finished", errors)
        self.reproduce("nbody", "--again")
        self.assertEqual(len(self.calls), 3)
        self.reproduce("nbody", "--quick")  # other command lines
        self.assertEqual(len(self.calls), 3)

    def test_results_of_another_program_or_machine_are_not_finished(self):
        self.reproduce("nbody")
        path = self.folder / "out/" / next((self.folder / "out").glob("*/nbody/pairs.csv"))
        text = path.read_text()
        for old, new in (("commit 0123456789ab", "commit ba9876543210"), (" cores of ", "1 cores of ")):
            self.assertIn(old, text)
            path.write_text(text.replace(old, new))
            self.reproduce("nbody")
            self.assertEqual(len(self.calls), 1)
            self.assertIn(old, path.read_text())

    def test_results_of_another_command_are_named(self):
        self.reproduce("nbody", "--machine", "a-b")
        self.assertNotIn("Measured on a b with an earlier command", self.text())
        path = self.folder / "out/a-b/nbody/pairs.csv"
        path.write_text(path.read_text().replace("--repeats 20", "--repeats 3"))
        self.reproduce("--report")
        self.assertIn("- Measured on a b with an earlier command, which its CSV has: `pairs`.", self.text())

    def test_committed_results_are_columns_beside_and_stay_as_they_are(self):
        committed = {path: path.read_bytes() for path in BENCHMARKS.rglob("*") if path.is_file()}
        self.reproduce("nbody", "--machine", "here-now")
        text = self.text()
        self.assertIn("| here now | ratio | H200 | ratio | two cores | ratio |", text)
        self.assertRegex(text, r"- H200, committed: NVIDIA H200")
        self.assertNotIn("](h200/", text)
        now = {path: path.read_bytes() for path in BENCHMARKS.rglob("*") if path.is_file() and path.suffix != ".pyc"}
        self.assertEqual(now, {path: data for path, data in committed.items() if path.suffix != ".pyc"})

    def test_interrupted_run_continues(self):
        code, errors = self.reproduce("nbody", FAKE_INTERRUPTED="--tile")
        self.assertEqual(code, 130)
        self.assertIn("the same command continues", errors)
        written = sorted(path.name for path in (self.folder / "out").glob("*/nbody/*.csv*"))
        self.assertEqual(written, ["body-threads.csv", "pairs.csv"])
        self.assertEqual(self.reproduce("nbody")[0], 0)
        self.assertEqual(len(self.calls), 1)
        self.assertIn("--tile", self.calls[0])

    def test_unknown_option_is_the_reason_and_is_tried_again(self):
        code, errors = self.reproduce("nbody", "--machine", "a-b", FAKE_REFUSES="--tile")
        self.assertEqual(code, 0)
        self.assertIn("not measured: unknown option --tile.", errors)
        self.assertIn("- Not measured on a b: `tiles`: unknown option --tile.", self.text())
        self.reproduce("nbody", "--machine", "a-b")
        self.assertEqual(len(self.calls), 1)
        self.assertNotIn("Not measured on a b: `tiles`", self.text())

    def test_text_around_the_tables_is_kept(self):
        self.write("out/README.md", f"# Title\n\nBefore.\n\n{readme.BEGIN}\nstale\n{readme.END}\n\nAfter.\n")
        self.reproduce("nbody", "--quick")
        text = self.text()
        self.assertTrue(text.startswith("# Title\n\nBefore.\n\n<!--"))
        self.assertTrue(text.endswith("-->\n\nAfter.\n"))
        self.assertNotIn("stale", text)
        self.reproduce("--report")
        self.assertEqual(self.text(), text)

    def test_without_matplotlib_tables_are_written(self):
        self.write("matplotlib.py", "raise ImportError")
        done = subprocess.run(
            [
                sys.executable,
                BENCHMARKS / "reproduce.py",
                "nbody",
                "--quick",
                "--program",
                FAKE,
                "--out",
                self.folder / "out",
            ],
            env=os.environ | {"PYTHONPATH": str(self.folder)},
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(done.returncode, 0)
        self.assertIn("apt install python3-matplotlib", done.stderr)
        self.assertIn("### CUDA case study", self.text())

    def test_cpu_measures_nothing_on_the_gpu(self):
        self.reproduce("--backend", "cpu", "--quick")
        self.assertTrue(self.calls)
        for call in self.calls:
            self.assertRegex(call, r"--backend cpu( |$)|^bench render ")
        self.assertIn("it needs a GPU", self.text())

    def test_bad_command_lines(self):
        for words, message in (
            (["bodim"], "'bodim' is not a document"),
            (["--program", "/none"], "/none does not exist"),
            (["--publish", "--quick"], "remove --quick and --out"),
        ):
            errors = io.StringIO()
            with contextlib.redirect_stderr(errors), self.assertRaises(SystemExit) as stop:
                command.main(words)
            self.assertIn(message, errors.getvalue() + str(stop.exception))

    def test_real_program_on_the_cpu(self):
        if not PROGRAM:
            self.skipTest("no program given")
        code, errors = self.reproduce(
            "nbody", "bodin", "cassell", "--quick", "--backend", "cpu", "--machine", "here", program=PROGRAM
        )
        self.assertEqual(code, 0, errors)
        self.assertNotIn("not measured", errors)
        for name in ("nbody/pairs", "bodin/scaling", "bodin/order"):
            self.assertGreater(len(self.text(f"here/{name}.csv").splitlines()), 4, name)
            self.assertRegex(self.text(f"here/{name}.csv"), r"# program: pericenter \d.* commit \w+.*\n# machine: \d+ cores of ")
        self.assertRegex(self.text("here/cassell/pairs.csv"), r"(?m)^direct-pairs,cpu,CPU,\d+,1000,.*,stdpar-galaxy-1000.bin,")
        self.assertRegex(self.text(), r"\| repo \| 1,000 bodies.* \| [\d.]+; [\d.,]+; –; – \|")
        self.assertEqual((self.folder / "out/here/bodin/scaling.svg").is_file(), HAS_MATPLOTLIB)


NCU = """==PROF== Connected to process 1
"ID","Process ID","Kernel Name","Metric Name","Metric Unit","Metric Value"
"0","1","void walk_kernel<float>(Task)","gpu__time_duration.sum","ns","3,110,000"
"0","1","void walk_kernel<float>(Task)","l1tex__t_sector_hit_rate.pct","%","58.66"
"0","1","void walk_kernel<float>(Task)","lts__t_sectors_op_red.sum","sector","n/a"
"""


class Profiles(WithFolder):
    def test_metrics_become_columns(self):
        self.assertEqual(
            profile.rows_of(NCU),
            [{"kernel": "void walk_kernel", "kernel_ms": "3.11", "l1_hit_percent": "58.66", "atomic_sectors": ""}],
        )

    def test_missing_permission_is_the_reason(self):
        ncu = self.write("bin/ncu", "#!/bin/sh\necho '==ERROR== ERR_NVGPUCTRPERM'; exit 1\n")
        ncu.chmod(0o755)
        with mock.patch.dict(os.environ, PATH=f"{ncu.parent}:{os.environ['PATH']}"):
            rows, notes = profile.run(FAKE, ["bench"], "walk")
        self.assertEqual(rows, [])
        self.assertIn("ERR_NVGPUCTRPERM", notes[0])


class Rings(WithFolder):
    """The galaxies of Cassell et al."""

    def read(self, bodies):
        """Header, and the bodies of both galaxies."""
        rings.write_inputs(self.folder, ["bench", "--input", rings.name(bodies)])
        data = (self.folder / rings.name(bodies)).read_bytes()
        numbers = struct.unpack(f"<{(len(data) - 16) // 4}f", data[16:])
        rows = [numbers[k:k + 7] for k in range(0, len(numbers), 7)]
        return struct.unpack("<IIff", data[:16]), (rows[:len(rows) // 2], rows[len(rows) // 2:])

    def test_bodies_orbit_the_central_masses_on_circles(self):
        header, galaxies = self.read(400)
        self.assertEqual(header[:3], (400, 3, 10))
        self.assertAlmostEqual(header[3], 1e-4)
        for galaxy, mass, place in zip(galaxies, (1e4, 1e3), ((-100, 50, 0), (100, -50, 0))):
            self.assertEqual(galaxy[0], (mass, *place, 0, 0, 0))
            self.assertAlmostEqual(sum(body[0] for body in galaxy[1:]), 1, places=5)
            radii = []
            for body in galaxy[1:]:
                (x, y, z), (u, v, w) = (self.turned_back(body[k:k + 3], shift) for k, shift in ((1, place), (4, (0, 0, 0))))
                radii.append(math.hypot(x, y))
                self.assertLessEqual(max(abs(z) / 10, abs(w) / 1e-5), 1.1)
                self.assertAlmostEqual(radii[-1] * (u * u + v * v), 1e-4 * (mass + 1), delta=1e-5 * mass)
                self.assertAlmostEqual((x * v - y * u) / math.sqrt(1e-4 * (mass + 1) * radii[-1]), 1, places=3)
            self.assertGreater(min(radii), 29.99)
            self.assertLess(max(radii), 50.01)
            self.assertAlmostEqual(sum(radii) / len(radii), 40, delta=2)

    def turned_back(self, vector, shift):
        a, b, c = (one - other for one, other in zip(vector, shift))
        return (0.9 * b - 0.5 * c) / 0.56, -a, (0.9 * c - 0.5 * b) / 0.56

    def test_files_differ_only_in_their_number(self):
        self.assertEqual(self.read(20)[1][0][1][1:], self.read(10)[1][0][1][1:])
        words = cassell.MEASUREMENTS[0].commands(False, False)[""]
        self.assertEqual(words[words.index("--input") + 1].count(","), 2)
        self.assertNotIn("-n", words)


class Machines(unittest.TestCase):
    def test_cores_name_a_machine_without_gpu(self):
        with mock.patch.object(os, "sched_getaffinity", lambda _: {0, 1}):
            here = machine.Machine(FAKE, False)
        self.assertEqual(here.name, "two-cores")
        self.assertEqual(here.identity[0], "program: pericenter 0.0 (Release, commit 0123456789ab)")
        self.assertRegex(here.identity[1], r"^machine: 2 cores of ")
        self.assertRegex(" ".join(here.state), r"^clock: .* date: \d{4}-\d\d-\d\d$")


class Checks(WithFolder):
    """--check, with a copy of the committed results."""

    def setUp(self):
        super().setUp()
        self.copy = self.folder / "assets/benchmarks"
        shutil.copytree(BENCHMARKS, self.copy)

    def check(self):
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors):
            code = check.main(self.copy, list(DOCUMENTS.values()))
        return code, errors.getvalue()

    def test_the_committed_page_says_what_the_results_say(self):
        self.assertEqual(self.check()[0], 0)

    def test_a_figure_that_is_not_in_the_results_fails(self):
        page = self.copy / "README.md"
        lines = (BENCHMARKS / "README.md").read_text().splitlines(keepends=True)
        row = next(i for i, line in enumerate(lines) if line.startswith("| B7 "))
        for column in (4, 6):  # of a GPU, of two cores
            cells = lines[row].split("|")
            self.assertRegex(cells[column], r"\d")
            cells[column] = " 99.9 "
            page.write_text("".join(lines[:row] + ["|".join(cells)] + lines[row + 1:]))
            code, errors = self.check()
            self.assertEqual(code, 1)
            self.assertIn("+| B7", errors)

    def test_a_figure_of_a_document_that_is_not_in_its_file_fails(self):
        self.write("a.csv", "pairs,n,step_ms,share\nhalf,1000,5125.4,0.33\nordered,1000,290,0.5\n")
        page = lambda text, query: self.write("README.md", f'A step takes [{text}](a.csv "{query}").')
        for text, query in (("5.13 s", "step_ms"), ("5,125 ms", "step_ms pairs=half n=1000"), ("2.9e2 ms", "step_ms pairs=ordered"),
                            ("33 %", "share")):
            page(text, query)
            self.assertEqual(list(check.wrong_figures(self.folder)), [], text)
        for text, query in (("5.1 ms", "step_ms"), ("5.12 s", "step_ms"), ("5.13 s", "step_ms n=2000"), ("34 %", "share")):
            page(text, query)
            self.assertRegex(" ".join(check.wrong_figures(self.folder)), f"README.md: {text} is not {query} of a.csv: ")
        self.assertEqual(self.check()[0], 1)

    def test_a_remark_that_cites_no_column_fails(self):
        row = lambda remark: mock.patch.object(bodin, "PUBLISHED", [bodin.Published("B1", "lanes", (1,), None, "", remark)])
        for remark, wrong in (("`order.walk_ms`", 0), ("`order.lanes`", 1), ("`unknown.walk_ms`", 1), ("`order`", 0)):
            with row(remark):
                self.assertEqual(len(list(check.unknown_citations(self.copy, [bodin]))), wrong, remark)

    def test_a_remark_about_a_cause_cites_a_column_or_says_that_it_is_not_measured(self):
        cause = re.compile(r"because|dominat|limit|so that|due to|bounds? the|therefore|\b[Ww]hy\b", re.IGNORECASE)
        for document in DOCUMENTS.values():
            for row in document.PUBLISHED:
                if cause.search(row.remark):
                    self.assertTrue(check.CITED.search(row.remark) or "not measured" in row.remark
                                    or "cannot be computed" in row.remark, row.remark)

    def test_old_results_are_named(self):
        path = self.copy / "h200/bodin/order.csv"
        text = path.read_text()
        for commit, reason in (("0" * 12, "which is not in this repository"), (None, "without the commit")):
            lines = f"# program: pericenter 0.1.0 (Release, commit {commit})\n" if commit else ""
            path.write_text(lines + re.sub("# program: .*\n", "", text))
            self.assertRegex(self.check()[1], rf"Old: h200/bodin: .*order.*: .*{reason}")
        with mock.patch.object(check, "output_of", lambda *_: "3"):
            path.write_text(re.sub("commit \\w+", "commit 0123456789ab", text))
            self.assertIn("order: 3 commits after 0123456789ab change what it measures", self.check()[1])
        with mock.patch.object(check, "output_of", lambda *_: "0"):
            self.assertNotRegex(self.check()[1], r"h200/bodin: (.*, )?order[,:]")


class Comparison(WithFolder):
    """Ratios of times at equal error."""

    HEAD = "peer,n,force_ms,mean_error\n"
    OURS = "solver,backend,input,n,dimension,softening,force_ms,error_mean,error_99_percent\n"

    def compared(self, ours, peers):
        tables = [
            compare.series_of(
                self.write(
                    "ours.csv",
                    self.OURS
                    + "".join(
                        f"octree,cpu,plummer,1000,3,0.001,{row[0]},{row[1]},{7 * row[1]}\n"
                        for row in ours
                    ),
                )
            )
        ]
        tables.append(compare.series_of(self.write("peers.csv", peers)))
        return compare.speed_ups(*tables)

    def ratios(self, ours, peers):
        return [row[-1] for row in self.compared(ours, peers)]

    def test_interpolates_in_logarithms(self):
        found = self.ratios([(0.01, 1e-3), (0.02, 1e-4)], self.HEAD + "A,1000,1,1e-4\nA,1000,0.1,1e-2\n")
        self.assertEqual(len(found), 2)
        self.assertAlmostEqual(found[0], 1 / 0.02)
        self.assertAlmostEqual(found[1], 0.1**0.5 / 0.01)

    def test_does_not_extrapolate(self):
        peers = self.HEAD + "A,1000,1,1e-4\nA,1000,0.1,1e-2\nB,1000,3,1e-5\n"
        self.assertEqual(len(self.ratios([(1, 9e-5), (0.1, 1.1e-2)], peers)), 2)  # both of A's rows
        self.assertEqual(self.ratios([(1, 1e-6)], peers), [])

    def test_ignores_rows_that_others_beat(self):
        peers = self.HEAD + "A,1000,50,5e-4\nA,1000,10,2.5e-4\nA,1000,2.5,4e-3\nA,1000,9,2e-2\nA,1000,99,4e-3\n"
        found = self.ratios([(1, 1e-3), (0.5, 1e-2)], peers)
        self.assertEqual(len(found), 2)
        self.assertAlmostEqual(found[0], 5)

    def test_compares_only_equal_bodies(self):
        head = "peer,input,n,dimension,softening,force_ms,mean_error\n"
        for row, count in (
            ("A,plummer,1000,3,0.001,1,1e-3", 1),
            ("A,,1000,,,1,1e-3", 1),
            ("A,galaxy,1000,3,0.001,1,1e-3", 0),
            ("A,plummer,1001,3,0.001,1,1e-3", 0),
            ("A,plummer,1000,2,0.001,1,1e-3", 0),
            ("A,plummer,1000,3,0.002,1,1e-3", 0),
        ):
            self.assertEqual(len(self.ratios([(1, 1e-3)], head + row + "\n")), count, row)

    def test_shows_larger_errors_beside_the_mean(self):
        text = compare.text_of(
            self.compared(
                [(0.01, 1e-3)],
                "peer,n,force_ms,mean_error,error_99_percent\n" "A,1000,1,1e-4,4e-4\nA,1000,0.1,1e-2,4e-2\n",
            )
        )
        self.assertRegex(
            text, r"octree on cpu  1000 +1\.0e-03  7\.0e-03    -  0\.01     A    4\.0e-03         -    0\.316"
        )

    def test_reads_the_tables_of_other_codes(self):
        for name, count in (("peers-h200.csv", 18), ("peers-cpu.csv", 26)):
            series = compare.series_of(BENCHMARKS / name)
            self.assertGreater(len(series), 3)
            self.assertLessEqual(sum(map(len, series.values())), count)

    def test_bad_table_is_named(self):
        path = self.write("a.csv", "peer,n,mean_error\nA,1,1e-3\n")
        self.assertEqual(compare.series_of(path), {})
        with contextlib.redirect_stdout(io.StringIO()) as out:
            self.assertEqual(compare.main([str(path), str(path)]), 1)
        self.assertIn("Nothing to compare", out.getvalue())
        for text in ("a,b\n1,2\n", None):
            bad = self.write("b.csv", text) if text else self.folder / "none.csv"
            with self.assertRaisesRegex(SystemExit, re.escape(str(bad))):
                compare.main([str(bad), str(path)])


if __name__ == "__main__":
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        PROGRAM = Path(sys.argv.pop(1))
    unittest.main()

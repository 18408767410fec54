"""Whether the documents say what the committed results say, and which of these are old."""

import difflib
import re
import sys

from reproduce import readme
from reproduce.machine import output_of
from reproduce.questions import QUESTIONS
from reproduce.results import Results, number_or_text, read_csv

# Folders whose changes can change a measurement: not files, sessions and images, which `bench` does not use.
MEASURED = ("sim/analysis", "sim/core", "sim/cpu", "sim/cuda", "sim/scenes", "sim/solvers", "app/bench")


# Documents with figures; a figure with a source is a link: [5.13 s](PATH.csv "step_ms pairs=half n=100000").
PAGES = ("assets/benchmarks/README.md", "assets/benchmarks/performance.md", "assets/benchmarks/fmm.md", "README.md",
         "sim/solvers/README.md")
FIGURE = re.compile(r'\[([^\]]+)\]\(([^() ]+\.csv) "([^" ]+)((?: [^" ]+=[^" ]+)*)"\)')
CITED = re.compile(r"`([a-z][a-z-]*)\.([a-z0-9_]+)`")  # in remarks and questions: `measurement.column`


def says(text, column, value):
    """Whether a figure such as "5.13 s" or "33 %" is this value of the column, rounded to its digits."""
    number, unit = re.fullmatch(r"([\d.,]+(?:e-?\d+)?) ?(.*)", text).groups()
    number = number.replace(",", "")
    value *= 1e-3 if column.endswith("_ms") and unit == "s" else 100 if unit == "%" else 1
    digits = len(number.split("e")[0].replace(".", "").lstrip("0"))
    return float(f"{value:.{digits}g}") == float(number)


def wrong_figures(root):
    """One sentence for each figure of a document that its CSV does not contain."""
    for page in (root / name for name in PAGES if (root / name).is_file()):
        for text, target, column, filters in FIGURE.findall(page.read_text()):
            wanted = {key: number_or_text(value) for key, value in (word.split("=") for word in filters.split())}
            found = [row[column] for row in read_csv(page.parent / target)[1]
                     if all(row.get(key) == value for key, value in wanted.items())]
            if not found or not says(text, column, found[0]):
                yield f"{page.relative_to(root)}: {text} is not {column}{filters} of {target}: {found[:1] or 'no such row'}"


def unknown_citations(committed, documents):
    """One sentence for each `measurement.column` of a remark or question that no measurement has."""
    folders = readme.folders_with_results(committed, documents)
    for document in documents:
        tables = {}
        for results in (Results(folder, document) for folder in folders):
            for name, rows in results.tables.items():
                tables.setdefault(name, set()).update(*rows)
        names = {measurement.name for measurement in document.MEASUREMENTS}
        texts = [(row.id, row.remark) for row in document.PUBLISHED]
        texts += [(each.asks, each.columns) for each in QUESTIONS if each.document is document]
        for what, text in texts:
            for name, column in CITED.findall(text):
                if name not in names or column not in tables.get(name, [column]):
                    yield f"{document.name}, {what}: no measurement has `{name}.{column}`"


def later_commits(folder, commit):
    """Number of commits after this one that changed what is measured; None if Git does not know."""
    words = ["git", "-C", str(folder), "rev-list", "--count", f"{commit}..HEAD", "--", *(f":/{name}" for name in MEASURED)]
    count = output_of(*words)
    return int(count) if count.isdigit() else None


def age_of(results, name, folder):
    """Why a measurement may no longer describe the program; empty if nothing changed."""
    commit = results.commit(name)
    if not commit:
        return "without the commit of its program"
    later = later_commits(folder, commit)
    if later is None:
        return f"of {commit}, which is not in this repository"
    return f"{later} commits after {commit} change what it measures" if later else ""


def stale(committed, documents):
    """One sentence for each machine, document and reason."""
    lines = []
    for folder in readme.folders_with_results(committed, documents):
        for document in documents:
            results, reasons = Results(folder, document), {}
            for name in results.tables:
                if reason := age_of(results, name, committed):
                    reasons.setdefault(reason, []).append(name)
            lines += [f"{folder.name}/{document.name}: {', '.join(names)}: {reason}" for reason, names in reasons.items()]
    return lines


def main(committed, documents):
    """Exit code: 1 if the documents differ from the results."""
    for line in stale(committed, documents):
        print(f"Old: {line}.", file=sys.stderr)
    old, new = (committed / "README.md").read_text(), readme.whole_text(committed, documents, committed)
    wrong = [*wrong_figures(committed.parents[1]), *unknown_citations(committed, documents)]
    for line in wrong:
        print(line + ".", file=sys.stderr)
    if old == new:
        return 1 if wrong else 0
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), "README.md", "the results", lineterm="", n=0)
    print("README.md does not say what the CSV files say. Write it with --publish --report:", file=sys.stderr)
    print("\n".join(lines), file=sys.stderr)
    return 1

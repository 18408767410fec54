"""Whether the committed README.md says what the committed results say, and which of these are old."""

import difflib
import sys

from reproduce import readme
from reproduce.machine import output_of
from reproduce.results import Results

# Folders whose changes can change a measurement: not files, sessions and images, which `bench` does not use.
MEASURED = ("sim/analysis", "sim/core", "sim/cpu", "sim/cuda", "sim/scenes", "sim/solvers", "app/bench")


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
    """Exit code: 1 if README.md differs from the results."""
    for line in stale(committed, documents):
        print(f"Old: {line}.", file=sys.stderr)
    old, new = (committed / "README.md").read_text(), readme.whole_text(committed, documents, committed)
    if old == new:
        return 0
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), "README.md", "the results", lineterm="", n=0)
    print("README.md does not say what the CSV files say. Write it with --publish --report:", file=sys.stderr)
    print("\n".join(lines), file=sys.stderr)
    return 1

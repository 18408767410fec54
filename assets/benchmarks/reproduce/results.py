"""Reading the CSV files of a machine."""

import csv
import math
import re

PROVENANCE = ("machine: ", "program: ", "date: ")


def read_csv(path):
    """Comments (without '# ') and rows; numbers are converted."""
    lines = path.read_text().splitlines()
    comments = [line.removeprefix("#").strip() for line in lines if line.startswith("#")]
    rows = [
        {key: number_or_text(value) for key, value in row.items()}
        for row in csv.DictReader(line for line in lines if line and not line.startswith("#"))
    ]
    return comments, rows


def number_or_text(text):
    try:
        return float(text)
    except (TypeError, ValueError):
        return text or ""


class Results:
    """Measurements of one document on one machine."""

    def __init__(self, folder, document):
        self.folder, self.document = folder, document
        self.comments, self.tables = {}, {}
        for path in sorted((folder / document.name).glob("*.csv")):
            self.comments[path.stem], self.tables[path.stem] = read_csv(path)

    @staticmethod
    def in_folder(folder):
        """Whether the folder has results of any document."""
        return any(path.read_text()[:18] == "# pericenter bench" for path in folder.glob("*/*.csv"))

    def rows(self, name, **filters):
        return [
            row
            for row in self.tables.get(name, [])
            if all(row.get(key) in (value if isinstance(value, tuple) else (value,)) for key, value in filters.items())
        ]

    def value(self, name, column, **filters):
        """The first number of the column; None if there is none."""
        for row in self.rows(name, **filters):
            if isinstance(row.get(column), float):
                return row[column]
        return None

    def notes(self, name, *prefixes):
        return [comment for comment in self.comments.get(name, []) if comment.startswith(prefixes)]

    def machines(self):
        """Machine, program and date of the measurements, as sentences."""
        texts = {
            "; ".join(note.removeprefix(prefix) for prefix in PROVENANCE for note in self.notes(name, prefix))
            for name in self.comments
        }
        return sorted(texts - {""})

    def commit(self, name):
        """Of the program; None if the file does not say."""
        found = [re.search(r"commit (\w+)", note) for note in self.notes(name, "program: ")]
        return found[0][1] if found and found[0] else None


def quotient(a, b):
    return a / b if isinstance(a, float) and isinstance(b, float) and b else None


def slope(points):
    """Exponent of a power law through points (x, y): least squares in logarithms; None with fewer than two points."""
    logs = [(math.log(x), math.log(y)) for x, y in points if x > 0 and y > 0]
    if len(logs) < 2:
        return None
    x_mean, y_mean = (sum(log[k] for log in logs) / len(logs) for k in (0, 1))
    return sum((x - x_mean) * (y - y_mean) for x, y in logs) / sum((x - x_mean) ** 2 for x, _ in logs)


def crossover(a, b):
    """x from which on curve b is below curve a, interpolated in logarithms; None if it never is, or always."""
    common = sorted(set(dict(a)) & set(dict(b)))
    ratios = [(x, math.log(dict(a)[x] / dict(b)[x])) for x in common]
    for (x0, r0), (x1, r1) in reversed(list(zip(ratios, ratios[1:]))):
        if r0 < 0 <= r1:
            return math.exp(math.log(x0) + math.log(x1 / x0) * -r0 / (r1 - r0))
    return None

"""Writes the tables of published and measured values between two marks of README.md."""

from pathlib import Path

from reproduce.questions import QUESTIONS
from reproduce.results import Results
from reproduce.runner import command_comments, write_whole

BEGIN, END = "<!-- written by reproduce.py: begin -->", "<!-- written by reproduce.py: end -->"
EMPTY = f"# Benchmarks\n\n{BEGIN}\n{END}\n"


def number(value):
    """Three significant digits; whole numbers in full."""
    if value is None:
        return "–"
    if isinstance(value, tuple):
        return f"{number(value[0])} ({number(value[1])})"
    if isinstance(value, str):
        return value or "–"
    if value == int(value) and abs(value) < 1e7:
        return f"{value:,.0f}"
    if abs(value) >= 1e7 or abs(value) < 1e-3:
        return f"{value:.2e}".replace("e-0", "e-").replace("e+0", "e")
    return f"{float(f'{value:.3g}'):,.6g}"


def as_tuple(values):
    return values if isinstance(values, (tuple, list)) else (values,)


def joined(values):
    texts = [number(value) for value in values]
    return "–" if set(texts) == {"–"} else "; ".join(texts)


def ratios(published, ours):
    published, ours = (
        [value[0] if isinstance(value, tuple) else value for value in side] for side in (published, ours)
    )
    pairs = [
        b / a if isinstance(a, (int, float)) and isinstance(b, (int, float)) and a else None
        for a, b in zip(published, ours)
    ]
    return "" if set(pairs) == {None} else joined(pairs)


def label(folder):
    """Heading of a machine: "H200", "two cores"."""
    return folder.name.replace("-", " ") if "-" in folder.name else folder.name.upper()


def table(document, machines):
    heads = ["", "figure", "published", *(head for folder in machines for head in (label(folder), "ratio")), "remark"]
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    for row in document.PUBLISHED:
        cells = [row.id, row.what, joined(row.values)]
        for results in machines.values():
            ours = as_tuple(row.ours(results))
            cells += [joined(ours), ratios(row.values, ours)]
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in [*cells, row.remark]) + " |")
    return lines


def questions(folders):
    """What authors would ask, with the answers of each machine that has any."""
    machines = [folder for folder in folders if any(Results(folder, each.document).tables for each in QUESTIONS)]
    heads = ["document", "the author asks", "figure", *map(label, machines), "columns"]
    lines = ["### What an author would ask", "", "| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    for each in QUESTIONS:
        answers = [joined(as_tuple(each.answer(Results(folder, each.document)))) for folder in machines]
        answers = answers if set(answers) != {"–"} else ["not measured yet"] * len(answers)
        lines.append("| " + " | ".join([each.document.name, each.asks, each.what, *answers, each.columns]) + " |")
    return [*lines, ""]


def missing(document, folder, results):
    """A sentence for each reason why measurements have no rows on this machine."""
    reasons = {}
    for measurement in document.MEASUREMENTS:
        if results.rows(measurement.name):
            continue
        notes = results.notes(measurement.name, "not measured: ", "skipped: ")
        reason = (
            notes[0].removeprefix("not measured: ")
            if notes
            else "it needs a GPU" if measurement.on == "cuda" and not has_gpu(folder, [document]) else "not run yet"
        )
        reasons.setdefault(reason.split("; ")[0].rstrip("."), []).append(f"`{measurement.name}`")
    return [f"- Not measured on {label(folder)}: {', '.join(names)}: {reason}." for reason, names in reasons.items()]


def earlier(document, folder, results):
    """A sentence about measurements whose commands are no longer those of the document."""
    cuda = has_gpu(folder, [document])
    names = [f"`{each.name}`" for each in document.MEASUREMENTS if results.rows(each.name) and results.notes(
        each.name, "pericenter ") not in [command_comments(each.commands(cuda, quick)) for quick in (False, True)]]
    return [f"- Measured on {label(folder)} with an earlier command, which its CSV has: {', '.join(names)}."] if names else []


def links(document, folder, out):
    if folder.parent != out:
        return []
    paths = [folder / document.name / f"{name}.svg" for name in document.FIGURES]
    found = [f"[{path.stem}]({folder.name}/{document.name}/{path.name})" for path in paths if path.is_file()]
    return [f"- Figures, {label(folder)}: {', '.join(found)}."] if found else []


def section(document, folders, out):
    machines = {folder: results for folder in folders if (results := Results(folder, document)).tables}
    lines = [f"### {document.TITLE}", "", document.SOURCE, "", *table(document, machines), ""]
    for folder, results in machines.items():
        lines += links(document, folder, out) + missing(document, folder, results) + earlier(document, folder, results)
    return lines + [""]


def measured_on(folders, documents, out):
    lines = []
    for folder in folders:
        texts = sorted({text for document in documents for text in Results(folder, document).machines()})
        place = f"[{folder.name}]({folder.name})" if folder.parent == out else "committed"
        lines += [f"- {label(folder)}, {place}: {text}" for text in texts]
    return lines


def has_gpu(folder, documents):
    return any(
        row.get("backend") == "cuda"
        for document in documents
        for rows in Results(folder, document).tables.values()
        for row in rows
    )


def folders_with_results(out, documents):
    found = (path for path in out.glob("*") if Results.in_folder(path))
    return sorted(found, key=lambda path: (not has_gpu(path, documents), path.name))


def text_of(out, documents, committed):
    """The results in `out`, and beside them the committed ones."""
    folders = folders_with_results(out, documents)
    if out.resolve() != committed.resolve():
        folders += folders_with_results(committed, documents)
    lines = [
        "Ratio is ours over published. Values of a row are separated by semicolons; – is not measured. The first lines",
        "of each CSV have its commands, program, machine and date. Machines:",
        "",
        *measured_on(folders, documents, out),
        "",
        *questions(folders),
    ]
    for document in documents:
        lines += section(document, folders, out)
    return "\n".join(lines)


def whole_text(out, documents, committed):
    """README.md with this text between the marks."""
    path = out / "README.md"
    old = path.read_text() if path.is_file() else EMPTY
    if BEGIN not in old or END not in old:
        old += f"\n{BEGIN}\n{END}\n"
    before, after = old.split(BEGIN)[0], old.split(END)[1]
    return f"{before}{BEGIN}\n\n{text_of(out, documents, committed)}\n{END}{after}"


def write(out, documents, committed):
    """Replaces the text between the marks; returns the path."""
    path = Path(out) / "README.md"
    write_whole(path, whole_text(Path(out), documents, committed))
    return path

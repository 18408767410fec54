"""Runs the measurements that are not finished."""

import csv
import io
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from reproduce import agreement, profile
from reproduce.machine import message_of
from reproduce.results import read_csv

INTERRUPTED = 130


def say(text):
    print(text, file=sys.stderr, flush=True)


def command_comments(commands):
    return [f"pericenter {' '.join(words)}" for words in commands.values()]


def is_finished(path, commands, machine):
    """Whether the file has the results of these commands, this program and this machine."""
    if not path.is_file():
        return False
    comments, rows = read_csv(path)
    same = [line for line in comments if line.startswith("pericenter ")] == command_comments(commands)
    return bool(rows) and same and all(line in comments for line in machine.identity)


def last_duration(path):
    """Seconds that the measurement took when it was last done; None if unknown."""
    comments = read_csv(path)[0] if path.is_file() else []
    return next((float(line.split()[1]) for line in comments if line.startswith("seconds: ")), None)


def write_whole(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_text(text)
    os.replace(part, path)


def bench(program, words, cwd=None):
    """Runs pericenter bench in the folder `cwd`. Returns its rows (list of dicts) and what it left out."""
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "bench.csv"
        done = subprocess.run(
            [program, *words, "--csv", table, "--no-progress"], capture_output=True, text=True, check=False, cwd=cwd
        )
        if done.returncode >= 128:
            raise KeyboardInterrupt
        skipped = [line for line in done.stderr.splitlines() if "skipped: " in line]
        if done.returncode or not table.is_file():
            return [], [f"not measured: {message_of(done.stderr)}"]
        with table.open(newline="") as file:
            return list(csv.DictReader(file)), [line.removeprefix("pericenter: ") for line in skipped]


def measure(measurement, commands, machine):
    """Rows and comments of all cases."""
    rows, comments, program = [], [], Path(machine.program).resolve()
    with tempfile.TemporaryDirectory() as folder:
        for label, words in commands.items():
            if measurement.files:
                measurement.files.write_inputs(Path(folder), words)
            if measurement.kernel:
                new, notes = profile.run(program, words, measurement.kernel, folder)
            elif measurement.positions:
                new, notes = agreement.bench(program, words, bench)
            else:
                new, notes = bench(program, words, folder)
            rows += [{"case": label, **row} if label else row for row in new]
            comments += [note for note in notes if note not in comments]
    return rows, comments


def csv_text(commands, machine, seconds, comments, rows):
    text = io.StringIO()
    for comment in [*command_comments(commands), *machine.identity, *machine.state, f"seconds: {seconds:.1f}", *comments]:
        text.write("# " + comment.replace("\n", " ") + "\n")
    if rows:
        writer = csv.DictWriter(text, list(dict.fromkeys(key for row in rows for key in row)), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return text.getvalue()


def minutes(seconds):
    return "less than a minute" if seconds < 60 else f"about {seconds / 60:.0f} min"


def remaining(todo, done_seconds):
    """Estimate from the previous durations of these measurements, otherwise from the mean of this run."""
    mean = sum(done_seconds) / len(done_seconds) if done_seconds else None
    seconds = [known if known is not None else mean for known in (last_duration(path) for _, path, _ in todo)]
    return "" if None in seconds else f", {minutes(sum(seconds))} left"


def plan(documents, machine, folder, quick, again):
    """[(measurement, path, commands)] of the measurements to be done, and how many are finished."""
    todo, finished = [], 0
    for document in documents:
        for measurement in document.MEASUREMENTS:
            path, commands = folder / document.name / f"{measurement.name}.csv", measurement.commands(
                machine.cuda, quick
            )
            if commands and not again and is_finished(path, commands, machine):
                finished += 1
            elif commands:
                todo.append((measurement, path, commands))
    return todo, finished


def run(documents, machine, folder, quick, again):
    """Measures what is not finished. Returns an exit code: 130 after Ctrl+C."""
    say("\n".join([*machine.identity, *machine.state, f"Results: {folder}"]))
    todo, finished = plan(documents, machine, folder, quick, again)
    if finished:
        say(f"{finished} measurements of this program and machine are finished; --again repeats them.")
    if machine.cuda and any(measurement.kernel for measurement, _, _ in todo) and not shutil.which("ncu"):
        say("No hardware counters: ncu (Nsight Compute) is not installed.")
    done_seconds = []
    for k, (measurement, path, commands) in enumerate(todo):
        say(f"[{k + 1}/{len(todo)}] {path.parent.name}/{measurement.name}{remaining(todo[k:], done_seconds)}")
        start = time.monotonic()
        try:
            rows, comments = measure(measurement, commands, machine)
        except KeyboardInterrupt:
            say("Interrupted. Finished measurements are kept; the same command continues.")
            return INTERRUPTED
        done_seconds.append(time.monotonic() - start)
        for comment in comments:
            say("  " + comment)
        write_whole(path, csv_text(commands, machine, done_seconds[-1], comments, rows))
    return 0

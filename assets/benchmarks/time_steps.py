#!/usr/bin/env python3
"""Compares runs with a time step and with a quarter of it: energy error, times of passages, radii, thickness of discs.

    assets/benchmarks/time_steps.py PROGRAM OUT.csv N SCENE:DT:END[:BACKEND[:SOFTENING]] ...

Each run goes from 0 to END (scene units; twice the key moment) with N bodies and the suggested settings, or another softening. OUT.csv
gets a row per run. Needs numpy and h5py. Columns: CPU time (s); the largest |E - E0| / |E0| at 200 times; the times at which the separation of two galaxies has
an extremum; radii around the densest place with 1, 10 and 50 % of the mass (kpc, or scene units); of the stars between one and
three half-mass radii of a disc, the median height and the dispersion of the vertical velocity."""

import csv
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

SAMPLES = 200
DISCS = ("galaxy", "unstable-disc", "spiral", "winding-arms", "bar")
STARS = "PartType4"


def extrema(time, separation):
    """Times of the extrema, between samples from the parabola through three of them."""
    found = []
    for k in range(2, len(time) - 2):
        near = separation[max(0, k - 6):k + 7]
        if separation[k] not in (near.min(), near.max()) or not np.isfinite(near).all():
            continue
        before, here, after = separation[k - 1:k + 2]
        curvature = before - 2 * here + after
        shift = 0.5 * (before - after) / curvature if curvature else 0
        found.append(time[k] + shift * (time[k + 1] - time[k]))
    return found


def densest(position, mass):
    """Centre of mass inside a sphere that shrinks around it."""
    center = np.average(position, axis=0, weights=mass)
    radius = np.linalg.norm(position - center, axis=1).max()
    while True:
        inside = np.linalg.norm(position - center, axis=1) < radius
        if inside.sum() < max(500, len(position) // 200):
            return center
        center = np.average(position[inside], axis=0, weights=mass[inside])
        radius *= 0.85


def structure(snapshot, is_disc):
    with h5py.File(snapshot) as file:
        parts = [file[name] for name in file if name.startswith("PartType")]
        position, velocity = (np.concatenate([part[field][:] for part in parts]).astype(float)
                              for field in ("Coordinates", "Velocities"))
        mass = np.concatenate([part["Masses"][:] for part in parts]).astype(float)
        stars = np.concatenate([np.full(len(part["Masses"]), part.name.endswith(STARS)) for part in parts])
    center = densest(position, mass)
    radii = np.linalg.norm(position - center, axis=1)
    order = np.argsort(radii)
    shares = np.cumsum(mass[order]) / mass.sum()
    row = {f"r{100 * share:g}": radii[order][np.searchsorted(shares, share)] for share in (0.01, 0.1, 0.5)}
    if is_disc:
        distance = np.hypot(*(position - center)[:, :2].T)
        half = np.median(distance[stars])
        disc = stars & (distance > half) & (distance < 3 * half)
        height = position[disc, 2] - np.median(position[disc, 2])
        row |= {"height": np.median(np.abs(height)), "dispersion": np.std(velocity[disc, 2])}
    return row


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(program, scene, bodies, dt, end, backend="auto", softening=None):
    steps, started = round(end / dt), cpu_seconds()
    with tempfile.TemporaryDirectory() as folder:
        table, snapshot = Path(folder) / "run.csv", Path(folder) / "end.hdf5"
        subprocess.run([program, "--headless", "--no-progress", "--backend", backend, "--scene", scene, "-n", bodies, "--dt", repr(dt),
                        "-s", str(steps), "--csv", table, "--energy-every", str(max(1, round(steps / SAMPLES))), "--save", snapshot,
                        *(["--softening", softening] if softening else [])],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with table.open(newline="") as file:
            rows = [row for row in csv.DictReader(file) if row["energy_error"]]
        time, separation = (np.array([float(row[name] or "nan") for row in rows]) for name in ("time", "separation"))
        return {"scene": scene, "n": bodies, "softening": softening or "", "dt": dt, "end": end, "cpu": cpu_seconds() - started,
                "energy_error": max(abs(float(row["energy_error"])) for row in rows),
                "extrema": " ".join(f"{at:.5g}" for at in extrema(time, separation)), **structure(snapshot, scene in DISCS)}


def main(program, out, bodies, *runs):
    columns = ["scene", "n", "softening", "dt", "end", "cpu", "energy_error", "extrema", "r1", "r10", "r50", "height", "dispersion"]
    with open(out, "w", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        for words in runs:
            scene, dt, end, *others = words.split(":")
            for step in (float(dt), float(dt) / 4):
                row = run(program, scene, bodies, step, float(end), *others)
                writer.writerow({key: f"{value:.5g}" if isinstance(value, float) else value for key, value in row.items()})
                file.flush()


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])

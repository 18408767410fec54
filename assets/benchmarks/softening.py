#!/usr/bin/env python3
"""Finds the softening with the smallest force error for numbers of bodies.

    assets/benchmarks/softening.py PROGRAM OUT.csv SCENE N:REALISATIONS ...

The error is that of Athanassoula et al. 2000 (doi:10.1046/j.1365-8711.2000.03316.x): the mean square difference between the softened
forces of N bodies and the forces of the galaxy that they sample, here of REFERENCE bodies with hardly any softening. It is taken at
stars and at places of equal mass, and divided by the mean square force. OUT.csv has its root by N and softening (scene units), and
the softening of the minimum. Needs numpy and h5py."""

import csv
import subprocess
import sys
import tempfile
from multiprocessing import Pool
from pathlib import Path

import h5py
import numpy as np

REFERENCE, REFERENCE_SOFTENING = 4_000_000, 0.01
POINTS = 500
SOFTENINGS = 0.01 * 2 ** np.arange(0, 5.25, 0.5)
STARS = "PartType4"
BLOCK = 4096


def bodies(program, scene, count, seed):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bodies.hdf5"
        subprocess.run([program, "--headless", "--no-progress", "--backend", "cpu", "--theta", "1.2", "--scene", scene, "-n",
                        str(count), "--seed", str(seed), "-s", "0", "--save", path], check=True, stdout=subprocess.DEVNULL)
        with h5py.File(path) as file:
            parts = [file[name] for name in file if name.startswith("PartType")]
            position, mass = (np.concatenate([part[field][:] for part in parts])
                              for field in ("PericenterCoordinates", "PericenterMasses"))
            stars = np.concatenate([np.full(len(part["Masses"]), part.name.endswith(STARS)) for part in parts])
    return position, mass, stars


def forces(points, position, mass, softenings):
    """Direct sums: one row of forces per softening."""
    sums = np.zeros((len(softenings), len(points), 3))
    for start in range(0, len(mass), BLOCK):
        chosen = slice(start, start + BLOCK)
        for first in range(0, len(points), 64):
            some = slice(first, first + 64)
            offset = position[chosen] - points[some, None]
            square = np.einsum("ijk,ijk->ij", offset, offset)
            for row, softening in zip(sums, softenings):
                near = square + np.float32(softening**2)
                row[some] += np.einsum("ij,ijk->ik", mass[chosen] / (near * np.sqrt(near)), offset)
    return sums


def sample_errors(task):
    """Mean square errors of one realisation: by group of points and softening."""
    program, scene, count, seed, points, exact = task
    position, mass, _ = bodies(program, scene, count, seed)
    difference = forces(points, position, mass, SOFTENINGS) - exact
    return (difference**2).sum(axis=2).reshape(len(SOFTENINGS), -1, POINTS).mean(axis=2).T


def minimum(errors):
    """Softening of the smallest error, from the parabola through three values."""
    k = int(np.clip(np.argmin(errors), 1, len(errors) - 2))
    before, here, after = errors[k - 1:k + 2]
    return SOFTENINGS[k] * 2 ** (0.25 * (before - after) / (before - 2 * here + after))


def main(program, out, scene, *counts):
    position, mass, stars = bodies(program, scene, REFERENCE, 10**6)
    random = np.random.default_rng(1)
    groups = {"stars": mass * stars, "mass": mass}
    points = position[np.concatenate([random.choice(len(mass), POINTS, p=weight.astype(float) / weight.astype(float).sum())
                                      for weight in groups.values()])]
    with Pool() as pool, open(out, "w", newline="") as file:
        pieces = np.array_split(points, 16)
        exact = np.concatenate(pool.starmap(forces, [(piece, position, mass, [REFERENCE_SOFTENING]) for piece in pieces]), axis=1)
        square = (exact[0]**2).sum(axis=1).reshape(-1, POINTS).mean(axis=1)
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["scene", "n", "at", "best", *(f"{softening:.4g}" for softening in SOFTENINGS)])
        for words in counts:
            count, realisations = map(int, words.split(":"))
            tasks = [(program, scene, count, seed, points, exact) for seed in range(1, realisations + 1)]
            errors = np.mean(pool.map(sample_errors, tasks, chunksize=1), axis=0)
            for group, row, scale in zip(groups, errors, square):
                values = np.sqrt(row / scale)
                writer.writerow([scene, count, group, f"{minimum(values):.3g}", *(f"{value:.4g}" for value in values)])
                print(scene, count, group, f"{minimum(values):.3g}", flush=True)
            file.flush()


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])

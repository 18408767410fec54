#!/usr/bin/env bash
# Zoomin 1.0.1, which finds the particles of a halo in Enzo's files for initial conditions of higher resolution: its box
# is periodic, distances from the centre of the halo are not. A halo at a face of the box loses the particles on the
# other side, and so does the refined region. The centre is moved by MUSIC's shift of the domain and is not taken back
# into the box: then only the other side is found, or nothing. Seen on 2026-11-30: of 1,062 particles of a halo, 519 are
# found with its centre at x = 0, and the other 543 at x = 1, which is the same place; at x = 0.5, all are.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==2.4.6 h5py==3.16.0 matplotlib==3.11.2 \
  setuptools==80.9.0 wheel==0.45.1
environment/bin/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation Zoomin==1.0.1
MPLBACKEND=Agg environment/bin/python -W ignore - <<'END'
import contextlib, io

import h5py, numpy
from Zoomer.collect_halo_particles import collect_particles

radius = 0.02  # of the box
offsets = numpy.random.default_rng(1).uniform(-radius, radius, (2000, 3))
inside = int((numpy.linalg.norm(offsets, axis=1) <= radius).sum())
found = {}
for x in (0.5, 0.0, 1.0):
    places = (offsets + [x, 0.5, 0.5]) % 1
    with h5py.File("output.cpu0000", "w") as file:
        file.create_group("Metadata")
        grid = file.create_group("Grid00000001")
        grid["particle_type"], grid["particle_index"] = numpy.ones(2000, int), numpy.arange(2000)
        for axis, values in zip("xyz", places.T):
            grid[f"particle_position_{axis}"] = values
    with contextlib.redirect_stdout(io.StringIO()):
        found[x] = len(collect_particles(["output.cpu0000"], halo_center=numpy.array([x, 0.5, 0.5]), halo_rad=radius))
    print(f"halo at x = {x}: {found[x]} of {inside} particles are found")
assert found[0.5] == inside and 0 < found[0.0] < inside and found[0.0] + found[1.0] == inside
END

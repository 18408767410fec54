#!/usr/bin/env bash
# arepoICgen 0.2.8: virialParam, documented as the ratio of kinetic and gravitational energy by which turbulent
# velocities are scaled (2 if it is not given), has no effect: it is replaced by 2, since only a parameter of another
# name is looked for, with the line "No virial parameter specified". And 2 is used as the inverse of the ratio. Seen
# on 2026-11-30: with virialParam 0.25, 0.5, 1 and 2, the ratio is 0.5 in all files, with the energy 3/5 G M^2 / R
# that the package uses.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check arepoICgen==0.2.8 numpy==2.4.6 scipy==1.17.1 \
  h5py==3.16.0 numba==0.68.1 matplotlib==3.11.2
environment/bin/python -W ignore - <<'END'
import contextlib
import io

import h5py
import numpy
from arepoICgen import arepoICgen
from scipy.io import FortranFile

size, random = 16, numpy.random.default_rng(1)
with FortranFile("turbulence", "w") as file:  # a cube for each component of the velocity
    for _ in range(3):
        file.write_record(random.normal(size=(size, size, size)))

for wanted in 0.25, 0.5, 1.0, 2.0:
    config = {"grid": "sphereRan", "turbulence": "turbFile", "turbFile": "turbulence", "turbSize": size,
              "filename": "cells"}
    params = {"ngas": 2000, "radii": 1e18, "mass": 1000.0, "temp": 1e-9, "mu": 2.4, "virialParam": wanted,
              "uMass": 1.0, "uDist": 1.0, "uVelo": 1.0, "uEner": 1.0}  # cgs; cold, so that no energy is thermal
    with contextlib.redirect_stdout(io.StringIO()) as said:
        arepoICgen(config, params)
    with h5py.File("cells.hdf5") as file:
        masses, places, velocities = (file[f"PartType0/{name}"][:] for name in ("Masses", "Coordinates", "Velocities"))
    radius = numpy.linalg.norm(places - places.mean(0), axis=1).max()
    kinetic = (masses * (velocities**2).sum(1)).sum() / 2
    ratio = kinetic / (0.6 * 6.67e-8 * masses.sum() ** 2 / radius)
    print(f"virialParam {wanted:g}: kinetic / gravitational energy {ratio:.6f}")
    assert abs(ratio - 0.5) < 1e-6 and "No virial parameter specified" in said.getvalue()
END

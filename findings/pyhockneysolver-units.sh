#!/usr/bin/env bash
# pyHockneySolver 0.2.0, a Poisson solver for particles with open boundaries: the Green's function of a cell with itself
# is that of a distance of 1, whatever the cells' size is: fields depend on the unit of length. For cells larger than
# 1, the potential of each cell is dominated by the particles in it. Seen on 2026-11-30, 20,000 particles of a normal
# distribution on 32^3 cells, sigma 1 and cells of 0.35: the median field between 0.5 and 2 sigma is 0.905 times the exact
# one; the same particles with coordinates in a unit that is 1,000 times smaller have 7.45 times the exact one.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check pyhockneysolver==0.2.0 numpy==2.4.6
environment/bin/python - <<'END'
import contextlib, io
from math import erf, exp, pi

import numpy
from open_poisson_solver.hockney import solve_open_poisson_hockney

places = numpy.random.default_rng(1).normal(size=(20000, 3))
radii = numpy.linalg.norm(places, axis=1)
exact = numpy.array([(erf(r / 2**0.5) - (2 / pi)**0.5 * r * exp(-r * r / 2)) / (4 * pi * r * r) for r in radii])
there = (radii > 0.5) & (radii < 2)
ratios = {}
for scale in (1e-3, 1.0, 1e3):
    with contextlib.redirect_stdout(io.StringIO()):
        result = solve_open_poisson_hockney(scale * places, charge_per_particle=1 / 20000, grid_shape=(32, 32, 32))
    field = (result["E_particles"] * places).sum(axis=1) / radii * scale**2
    ratios[scale] = numpy.median((field / exact)[there])
    print(f"sigma {scale:g}, cells of {result['spacing'][0]:.3g}: field / exact field {ratios[scale]:.3f}")
assert abs(ratios[1.0] - 0.905) < 0.01 and abs(ratios[1e-3] - 0.898) < 0.01 and abs(ratios[1e3] - 7.45) < 0.1
END

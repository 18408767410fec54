#!/usr/bin/env bash
# GravHopper 1.2.1: the sphere of IC.Hernquist is not in equilibrium. At a given radius, energies are drawn from the
# distribution function f(E) alone, without the factor v of the density of states, so that bodies are too slow. Seen on
# 2026-11-29, seed 1: between a and 5 a, the mean square of the speed of 20,000 bodies (cutoff 1000) is 0.729 times that
# of Hernquist 1990 (doi:10.1086/168845, eq. 10). A sphere of 4,000 bodies with the values of the example in the
# documentation collapses: its median radius falls from 1.79 to 1.21 kpc within 20 Myr.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check gravhopper==1.2.1 astropy==7.2.3 \
  numpy==2.4.6 scipy==1.17.1
environment/bin/python -W ignore - <<'END'
import numpy
from astropy import constants, units
from gravhopper import IC, Simulation

kpc, mass = 1 * units.kpc, 1e10 * units.Msun
bodies = IC.Hernquist(N=20000, a=kpc, totmass=mass, cutoff=1000.0, seed=1)
s = numpy.linalg.norm(bodies["pos"].to_value("kpc"), axis=1)
square = (bodies["vel"].to_value("km/s")**2).sum(axis=1) / (constants.G * mass / kpc).to_value("km2/s2")
exact = (12 * s * (1 + s)**3 * numpy.log(1 + 1 / s) - s / (1 + s) * (25 + 52 * s + 42 * s**2 + 12 * s**3)) / 4
there = (s > 1) & (s < 5)
ratio = square[there].mean() / exact[there].mean()

run = Simulation(dt=0.2 * units.Myr, eps=20 * units.pc, algorithm="tree")
run.add_IC(IC.Hernquist(N=4000, a=kpc, totmass=mass, seed=1))
run.run(100)
start, end = (float(numpy.median(numpy.linalg.norm(run.positions[k].to_value("kpc"), axis=1))) for k in (0, 100))
print(f"mean square of the speed / exact {ratio:.3f}; median radius {start:.2f} kpc, after 20 Myr {end:.2f} kpc")
assert abs(ratio - 0.729) < 0.005 and abs(start - 1.79) < 0.01 and abs(end - 1.21) < 0.05
END

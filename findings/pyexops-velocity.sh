#!/usr/bin/env bash
# pyexops 0.1.39, light and velocity of stars with planets: the mean anomaly is counted from the transit as if that were
# the pericentre: with other arguments of pericentre than 90 degrees, the planet is elsewhere at its transit. The
# beaming factor has the wrong sign: a star that comes nearer gets dimmer. The light that a planet reflects does not
# depend on its distance in an eccentric orbit. Seen on 2026-11-30, e = 0.3, argument 0: the velocity of the star at the
# transit is 1.3 instead of 0.3 times the amplitude; 0.9999833 for a star that comes nearer by 1 km/s.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==2.3.5 scipy==1.16.3 matplotlib==3.10.7 \
  distributed==2025.11.0 dask==2025.11.0 ipywidgets==8.1.8
environment/bin/pip install --quiet --disable-pip-version-check --no-deps pyexops==0.1.39
MPLBACKEND=Agg environment/bin/python -W ignore - <<'END'
import numpy
from pyexops.orbital_solver import OrbitalSolver as solver

times = numpy.linspace(0, 10, 2001)
velocity = solver.calculate_stellar_radial_velocity(1.0, 1.0, 10.0, 20.0, 90.0, 0.0, times, 0.3, 0.0)
amplitude = (velocity.max() - velocity.min()) / 2
# at the transit, the planet is in front of the star: argument of pericentre + true anomaly = 90 degrees
print(f"velocity at the transit {velocity[0] / amplitude:.3f} times the amplitude, should be {0.3:.3f}")
assert abs(velocity[0] / amplitude - 1.3) < 1e-3

for speed in (-1e3, 1e3):
    factor = solver.calculate_doppler_beaming_factor(numpy.array([speed]))[0]
    print(f"velocity {speed:.0f} m/s: light {factor:.7f}, should be {'more' if speed < 0 else 'less'} than 1")
    assert (factor < 1) == (speed < 0)

light = [solver.calculate_reflected_flux(1.0, 0.1, 10.0, 10.0, 0.5, 0.0, times, e, 90.0) for e in (0.0, 0.6)]
print(f"largest difference between the reflected lights with e = 0 and 0.6: {abs(light[0] - light[1]).max()}")
assert (light[0] == light[1]).all()
END

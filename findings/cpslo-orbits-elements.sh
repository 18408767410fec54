#!/usr/bin/env bash
# cpslo-orbits 0.1.1: tle_to_coes() takes a day for 3,600 days: the semi-major axis of a satellite is 3600^(2/3) = 235
# times too large. statevector_to_coes() computes the semi-major axis with the mass of the Earth, even if another one is
# given, and universal_variable_propagation() of a hyperbolic orbit is not a number. Seen on 2026-11-30: a satellite with
# 15.5 revolutions a day, that is at 6,796 km, has 1,596,000 km; the Earth's orbit around the Sun has 333,000 AU.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check cpslo-orbits==0.1.1 numpy==2.4.6 pandas==3.0.3 \
  scipy==1.17.1
environment/bin/python -W ignore - <<'END'
import numpy
from cpslo_orbits import orbitalcore

earth, sun, unit = 398600.4418, 1.32712440018e11, 1.495978707e8  # km^3/s^2, km
right = (earth * (86400 / 15.5 / (2 * numpy.pi)) ** 2) ** (1 / 3)
seen = orbitalcore.tle_to_coes([51.6, 120.0, 0.0005, 30.0, 60.0, 15.5]).semi_major
print(f"15.5 revolutions a day: semi-major axis {seen:.0f} km, should be {right:.0f} km, ratio {seen / right:.1f}")
assert abs(seen / right / 3600 ** (2 / 3) - 1) < 1e-3

state = [unit, 0, 1e6, 0, (sun / unit) ** 0.5, 0]
around = orbitalcore.statevector_to_coes(state, mu=sun)
print(f"a circular orbit at 1 AU around the Sun: eccentricity {around.ecc:.4f}, semi-major axis "
      f"{around.semi_major / unit:.0f} AU, that is {around.semi_major / unit / (sun / earth):.4f} times the ratio of "
      "the masses of the Sun and the Earth")
assert around.ecc < 0.01 and abs(around.semi_major / unit / (sun / earth) - 1) < 1e-3

place = orbitalcore.universal_variable_propagation([7000.0, 0, 0], [0, 12, 0], 600.0)  # escape velocity is 10.67
print(f"a hyperbolic orbit after 600 s: {place}")
assert numpy.isnan(place).all()
END

#!/usr/bin/env bash
# gemae-orbit 0.4.3, orbits of binary stars: velocity_curve_jd and velocity_curve_from_phase do not hand the given
# eccentricity on to the formula of the velocity, which takes 0.734. The distance radiovector2 has 2 for the factor of the
# eccentricity: (1 - 2 e²) / (1 + 2 e cos(theta)), which is negative.
# Seen on 2026-12-01: the mean velocity of a circular orbit with gamma = 34 and K = 110.5 km/s is 115.1 km/s; the second
# star of an orbit with e = 0.734 is at -0.031 a at the pericentre.
# Right value: v = gamma + K (cos(theta + omega) + e cos(omega)), r = a (1 - e²) / (1 + e cos(theta)).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==1.26.4 scipy==1.13.1 setuptools==69.5.1 \
  wheel==0.43.0
environment/bin/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation gemae-orbit==0.4.3
environment/bin/python -W ignore - <<'END'
from importlib.metadata import version

import numpy
from orbit import Orbit, velocity_curve_jd

print("gemae-orbit", version("gemae-orbit"))
days, gamma, amplitude = numpy.linspace(0.0, 10.0, 41)[:-1], 34.0, 110.5
found = velocity_curve_jd(days, T0=0.0, P=10.0, e=0.0, K=amplitude, omega=0.0, gamma=gamma)
right = gamma + amplitude * numpy.cos(2 * numpy.pi * days / 10)
print(f"mean velocity of a circular orbit {found.mean():.1f} km/s, should be {right.mean():.1f}")
assert numpy.allclose(found - right, 0.734 * amplitude)

e = 0.734
orbit = Orbit(phases=[0.0, 0.5], e=e)
right = [1 - e, 1 + e]
print(f"distances at pericentre and apocentre: {orbit.radiovector1.round(4)} and, for the second star, "
      f"{orbit.radiovector2.round(4)}, should be in the ratio of {numpy.round(right, 4)}")
assert numpy.allclose(orbit.radiovector1, right)
assert numpy.allclose(orbit.radiovector2, (1 - 2 * e**2) / (1 + 2 * e * numpy.array([1, -1])))
END

#!/usr/bin/env bash
# astrosis 0.1.1, a propagator of satellites: the radiation pressure is multiplied by the vector from the Sun in km instead
# of its direction: it is 1.5e8 times too large. The forces of J3 have the wrong sign; J2 and J4 are right. Seen on
# 2026-11-30: at 42,164 km, with 10 m^2 and 1,000 kg, which are the values of its passes, the pressure changes the speed by
# 10.3 m/s each second, where 6.8e-8 m/s is right; the acceleration differs by 2 J3 from the gradient of the potential
# of J2 to J4, and agrees with it to 1e-10 if J3 changes its sign.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==2.4.6 scipy==1.17.1
environment/bin/pip install --quiet --disable-pip-version-check --no-deps astrosis==0.1.1
environment/bin/python - <<'END'
import numpy
from astrosis import constants
from astrosis.core.propagator import rk4_step

place, velocity = numpy.array([42164.0, 0, 0]), numpy.array([0, 3.0747, 0])  # km, km/s

def change(area):
    return numpy.array(rk4_step((*place, *velocity), 1.0, mjd0=60000.0, area=area, mass=1000.0)[3:]) - velocity

seen = numpy.linalg.norm(change(10.0) - change(0.0)) * 1000
right = constants.P_SR * 1.5 * 10.0 / 1000.0  # reflectivity 1.5
print(f"radiation pressure: {seen:.4g} m/s^2, should be {right:.3g} m/s^2, ratio {seen / right:.4g}")
assert 1.4e8 < seen / right < 1.6e8

def potential(place, sign):
    distance = numpy.linalg.norm(place)
    s, ratio = place[2] / distance, constants.RE / distance
    legendre = (3 * s**2 - 1) / 2, (5 * s**3 - 3 * s) / 2, (35 * s**4 - 30 * s**2 + 3) / 8
    terms = zip((constants.J2, sign * constants.J3, constants.J4), legendre, (2, 3, 4))
    return constants.MU / distance * (1 - sum(j * value * ratio**n for j, value, n in terms))

here = numpy.array([5000.0, -3000.0, 4500.0])
acceleration = numpy.array(rk4_step((*here, 0.0, 0.0, 0.0), 1e-3)[3:]) / 1e-3
for sign in (1, -1):
    gradient = [(potential(here + step, sign) - potential(here - step, sign)) for step in 0.5 * numpy.eye(3)]
    error = numpy.linalg.norm(acceleration - gradient)
    print(f"J3 times {sign}: difference from the gradient of the potential {error:.3g} km/s^2")
    assert error > 4e-8 if sign == 1 else error < 1e-10
END

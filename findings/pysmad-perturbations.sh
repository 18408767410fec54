#!/usr/bin/env bash
# pysmad 0.1.0, for orbits of satellites: the settings of a state (srp_scalar, "used for srp acceleration", and
# use_perturbations) are lost when its propagator RK4 copies it: radiation pressure is never applied, and perturbations
# of Sun, Moon and the Earth's figure always. If they are set in the propagator's own state, they hold for the first of
# the four evaluations of the first step only. Seen on 2026-11-30: a geostationary orbit after a day is the same to the last
# digit with a pressure of 4.56e-9 km/s^2, without, and with two bodies alone, which should be 0.8 km and more away.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check pysmad==0.1.0 numpy==2.4.6
environment/bin/python - <<'END'
import numpy
from pysmad.bodies.celestial import Earth
from pysmad.coordinates.states import GCRF
from pysmad.math.linalg import Vector3D
from pysmad.propagators.inertial import RK4
from pysmad.time import Epoch

start, radius = Epoch.from_gregorian(2024, 3, 20, 12, 0, 0.0), 42164.0
speed = (Earth.MU / radius) ** 0.5

def after_a_day(pressure, perturbed, later=False):
    state = GCRF(start, Vector3D(radius, 0, 0), Vector3D(0, speed, 0))
    propagator = RK4(state) if later else None
    settings = propagator.state if later else state
    settings.srp_scalar, settings.use_perturbations = pressure, perturbed
    propagator = propagator or RK4(state)
    propagator.step_to_epoch(start.plus_days(1.0))
    place = propagator.state.position
    return numpy.array([place.x, place.y, place.z]), settings.acceleration_from_srp().magnitude()

plain = after_a_day(0.0, True)[0]
angle = 86400 * speed / radius
two_bodies = radius * numpy.array([numpy.cos(angle), numpy.sin(angle), 0])
for name, pressure, perturbed in (("with radiation pressure", 1.0, True), ("two bodies alone", 0.0, False)):
    place, force = after_a_day(pressure, perturbed)
    later = numpy.linalg.norm(after_a_day(pressure, perturbed, later=True)[0] - plain)
    print(f"{name}, pressure {force:.3g} km/s^2: difference from all but pressure {numpy.abs(place - plain).max()} km, "
          f"set in the propagator {later:.2g} km")
    assert (place == plain).all() and 0 < later < 0.1
expected = 0.5 * 4.56e-9 * 86400**2
print(f"two bodies alone should be {numpy.linalg.norm(two_bodies - plain):.2f} km away; half of pressure times time "
      f"squared is {expected:.1f} km")
assert numpy.linalg.norm(two_bodies - plain) > 0.5
END

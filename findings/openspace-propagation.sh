#!/usr/bin/env bash
# openspace 2.5.1, propagators.inertial.RK4: it copies a state by epoch, position and velocity alone, and so loses the
# attributes use_perturbations ("boolean to determine if perturbations are modeled during propagation") and srp_scalar
# (the radiation pressure, which Spacecraft sets) at once, and again in each stage: Moon, Sun and the bulge of the Earth
# cannot be switched off, and radiation pressure never acts, though derivative() of the state obeys both. And
# Spacecraft.finite_maneuver() takes the matrix from the frame of the Earth to the radial, in-track and cross-track axes
# for the one back: a burn goes in another direction than the same burn of impulsive_maneuver(). Seen on 2026-11-30: a
# polar orbit at 7,000 km without perturbations is 29.0 km from its place after a period (0 is right), as with them; a
# pressure that pushes by 8 km a period moves it by 0; an in-track burn of 1 m/s lowers the semimajor axis by 1.86 km
# instead of raising it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check openspace==2.5.1
environment/bin/python -W ignore - <<'END'
from math import pi
from openspace.bodies.artificial import Spacecraft
from openspace.bodies.celestial import Earth
from openspace.coordinates.states import GCRF
from openspace.math.linalg import Vector3D
from openspace.propagators.inertial import RK4
from openspace.time import Epoch

epoch = Epoch.from_gregorian(2020, 3, 1, 6, 30, 0)
period, speed = 2 * pi * (7000**3 / Earth.MU) ** 0.5, (Earth.MU / 7000) ** 0.5


def initial(perturbed=True, pressure=0.0):
    state = GCRF(epoch, Vector3D(7000, 0, 0), Vector3D(0, 0, speed))
    state.use_perturbations, state.srp_scalar = perturbed, pressure
    return state


def after_a_period(state):
    propagator = RK4(state)
    propagator.MAX_STEP = 30
    propagator.step_to_epoch(epoch.plus_days(period / 86400))
    return propagator.state.position


def acceleration(state):
    return state.derivative()[1]


free, perturbed, pressed = (after_a_period(initial(*each)) for each in ((False, 0.0), (True, 0.0), (True, 100.0)))
miss, apart = free.minus(initial().position).magnitude(), free.minus(perturbed).magnitude()
print(f"after a period without perturbations {miss:.2f} km from the first place, should be 0; {apart} km from the perturbed")
assert 28 < miss < 30 and apart == 0

# the states themselves know the difference
kepler = acceleration(initial(False)).minus(initial().acceleration_from_earth()).magnitude()
push = acceleration(initial(True, 100.0)).minus(acceleration(initial())).magnitude() * period**2 / 2
moved = pressed.minus(perturbed).magnitude()
print(f"acceleration without perturbations is that of a point within {kepler} km/s^2")
print(f"the pressure pushes by some {push:.1f} km in a period, and moves the satellite by {moved} km")
assert kepler == 0 and push > 5 and moved == 0

axes = []
for kind in ("impulsive", "finite"):
    craft = Spacecraft(GCRF(epoch, Vector3D(0, 7000, 0), Vector3D(-speed, 0, 0)))
    before = craft.sma()
    getattr(craft, kind + "_maneuver")(Vector3D(0, 0.001, 0))
    axes.append(craft.sma() - before)
print(f"in-track burn of 1 m/s: semimajor axis {axes[0]:+.2f} km at once, {axes[1]:+.2f} km in a burn of a minute")
assert axes[0] > 1.7 and axes[1] < -1
END

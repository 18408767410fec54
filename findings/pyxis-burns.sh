#!/usr/bin/env bash
# pyxis-toolkit 1.1.0, motion of satellites: a finite manoeuvre is turned by the matrix from inertial to local axes instead
# of its transpose, so that it points elsewhere; the propellant grows instead of being used; and a burn of more than
# 300 s starts each step of the integration with the full mass, so that its change of velocity is too small.
# Seen on 2026-12-01: a satellite on the y axis that asks for 0.1 km/s along its track is slowed by 0.1 km/s, and its
# propellant grows; a burn of 1 km/s that takes 48 minutes yields 0.86 km/s.
# Right value: along the track is along the velocity of a circular orbit; the rocket equation, dv = g I ln(m0 / m).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check --no-deps pyxis-toolkit==1.1.0
environment/bin/python -W ignore - <<'END'
from importlib.metadata import version
from math import sqrt

from pyxis.astro.bodies.artificial import Spacecraft
from pyxis.astro.bodies.celestial import Earth
from pyxis.astro.coordinates import GCRFstate
from pyxis.astro.propagators.inertial import RK4
from pyxis.math.linalg import Vector3D
from pyxis.time import Epoch

print("pyxis-toolkit", version("pyxis-toolkit"))
start = Epoch.from_gregorian(2022, 1, 1, 0, 0, 0)


def difference(state, propagator):
    """Change of velocity relative to the same flight without a burn, and the duration of the burn in seconds."""
    free = RK4(state)
    free.step_to_epoch(propagator.state.epoch)
    return propagator.state.velocity.minus(free.state.velocity), (propagator.state.epoch.value - start.value) * 86400


radius = 1e6
state = GCRFstate(start, Vector3D(0, radius, 0), Vector3D(-sqrt(Earth.MU / radius), 0, 0))
craft = Spacecraft(state)
craft.m_dot = craft.total_mass() / 1000
before = craft.propellant_mass
craft.finite_maneuver(Vector3D(0, 0.1, 0))
change, duration = difference(state, craft.propagator)
print(f"0.1 km/s along the track, which is along -x: ({change.x:.3f}, {change.y:.3f}, {change.z:.3f}), should be "
      f"(-0.100, 0.000, 0.000)")
print(f"propellant {before:.2f} kg before and {craft.propellant_mass:.2f} kg after a burn of {duration:.0f} s, should be "
      f"{before - craft.m_dot * duration:.2f}")
assert abs(change.x - 0.1) < 1e-3 and craft.propellant_mass > before

for flow in (1.0, 0.25, 0.1):
    propagator = RK4(state)
    propagator.maneuver(Vector3D(1.0, 0, 0), flow, 1000.0, 300.0)
    change, duration = difference(state, propagator)
    print(f"1 km/s in a burn of {duration:.0f} s: {change.magnitude():.3f} km/s")
    assert abs(change.magnitude() - 1) < 1e-3 if duration < 300 else change.magnitude() < 0.89
END

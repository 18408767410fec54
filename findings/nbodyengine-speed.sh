#!/usr/bin/env bash
# nBodyEngine 1.0.0: the speed of a body is its square. Kinetic energies have the fourth power of the speed, and with
# special relativity (includeSR) the mass of a body with more than 17.3 km/s, the root of the speed of light in m/s, is
# not a number: that of the Earth on its way around the Sun. The time step does not multiply the acceleration: in one
# second and in one hour, gravity changes a velocity by the same. Seen on 2026-11-30: the kinetic energy of 1 kg at 2 m/s
# is 8 J instead of 2; at 29.78 km/s, the mass is nan; in steps of 1 s and of 3600 s, 5.93e-03 m/s are gained.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check nBodyEngine==1.0.0 matplotlib==3.11.1 numpy==2.4.6
MPLBACKEND=Agg environment/bin/python -W ignore - <<'END'
import math

from nBodyEngine.Body import Body, G

def body(mass, place, velocity, **options):
    return Body([mass, place, velocity, 1.0], [], **options)

energy = body(1.0, [0, 0], [2, 0]).getAttribute(1)
masses = [body(5.97e24, [0, 0], [0, speed], includeSR=True).m for speed in (17000, 29780.0)]
print(f"1 kg at 2 m/s: {energy:g} J; mass of the Earth at 17 km/s {masses[0]:.3e} kg, at 29.78 km/s {masses[1]} kg")
assert energy == 8 and math.isnan(masses[1])

sun, distance, gained = body(1.98892e30, [0, 0], [0, 0]), 1.495978707e11, []
for step in (1.0, 3600.0):
    planet = body(1.0, [distance, 0], [0, 0])
    planet.bodies = [sun, planet]
    planet.update(step)
    gained.append(-planet.velocity[0])
    right = G * sun.mass / distance**2 * step
    print(f"at rest at 1 AU, step of {step:g} s: velocity {gained[-1]:.3e} m/s, should be {right:.3e}")
assert gained[0] == gained[1]
END

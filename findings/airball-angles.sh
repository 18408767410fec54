#!/usr/bin/env bash
# airball 0.11.2, energy_change_adiabatic_estimate(): in the formula of Roy and Haddow 2003 (Celestial Mechanics and
# Dynamical Astronomy 87, 411), cos(2 i - 1) stands for cos(2 i) - 1, and the Bessel function J_2 at 0 for that at e.
# The energy that a passing star gives to a binary is ten times too small, or has the other sign, unless the orbits are
# in one plane. Seen on 2026-11-30, two bodies of half a solar mass with e = 0.3: -2.5e-4 at an inclination of 90
# degrees, where REBOUND has -2.5e-3; 5.2e-4 at 180 degrees, where it has -1.0e-4.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check airball==0.11.2 rebound==4.4.10 numpy==1.26.4 scipy==1.13.1 \
  astropy==6.1.7 joblib==1.5.3
environment/bin/python -W ignore - <<'END'
import airball, numpy, rebound

near, shape, e = 3.5, 1.5, 0.3  # pericentre of the star in AU, its eccentricity, that of the binary of 1 AU
width = near / (shape - 1)
impact, speed = width * (shape**2 - 1) ** 0.5, (2 / width) ** 0.5 * 29.784692  # AU, km/s at infinity


def binary():
    simulation = rebound.Simulation()
    simulation.units = ("Msun", "AU", "yr2pi")
    simulation.add(m=0.5)
    simulation.add(m=0.5, a=1.0, e=e)  # both at their pericentre at the time of the star's
    simulation.move_to_com()
    return simulation


def integrated(angles):
    energies = []
    for sign in (-1, 1):  # to the past and to the future from the pericentre
        simulation = binary()
        simulation.add(m=1.0, a=-width, e=shape, f=0.0, primary=simulation.com(), **angles)
        simulation.move_to_com()
        for body in simulation.particles:
            body.vx, body.vy, body.vz = sign * body.vx, sign * body.vy, sign * body.vz
        simulation.integrate(200)
        first, second = simulation.particles[:2]
        energies.append(-0.25 / (2 * second.orbit(primary=first).a))
    return energies[1] - energies[0]


for inclination, argument, node, low, high in ((90, 45, 45, 5, 20), (180, 60, 0, -20, -0.1), (0, 60, 0, 0.8, 1.1)):
    angles = {name: numpy.radians(each) for name, each in (("inc", inclination), ("omega", argument), ("Omega", node))}
    star = airball.Star(m=1.0, b=impact, v=speed, **angles)
    found, right = float(airball.energy_change_adiabatic_estimate(binary(), star).value), integrated(angles)
    print(f"inclination {inclination}: energy {found:+.2e}, integrated by REBOUND {right:+.2e}")
    assert low < right / found < high
END

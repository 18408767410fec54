#!/usr/bin/env bash
# kozai 0.3.0, TripleDelaunay with gr=True: the eccentricity loses by gravitational waves as de/dt with c^4 in the place
# of c^5, 299,792,458 times (the speed of light in m/s) too fast; the semimajor axis and the periastron follow Peters
# 1964 (doi:10.1103/PhysRev.136.B1224) and Blaes et al. 2002, which the package names. A wide binary becomes a circle
# within millennia, and any Kozai cycle ends, while a stays. Seen on 2026-11-30, two stars of 1.4 solar masses, a = 0.1
# AU, e = 0.6, without a perturber: e is 0.286 after 20,678 years, where 0.6 is right (its time scale is 4.2e12 years).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check kozai==0.3.0 numpy==2.3.5 scipy==1.16.3
environment/bin/python -W ignore - <<'END'
import numpy
from scipy.integrate import solve_ivp
from kozai.delaunay import TripleDelaunay

triple = TripleDelaunay(a1=0.1, a2=1000, e1=0.6, e2=0.0, inc=30, m1=1.4, m2=1.4, m3=0.001)
triple.quadrupole = triple.octupole = False
triple.gr = True
history = triple.evolve(2e4)
years, axes, eccentricities = history[:, 0], history[:, 1], history[:, 2]

gravity, light, unit, sun, year = 6.67384e-11, 299792458.0, 149597870700.0, 1.989e30, 3.15569e7
strength = gravity**3 * (1.4 * sun) ** 2 * 2.8 * sun


def peters(_, state, power):
    a, e = state[0] * unit, state[1]
    wide = -64 / 5 * strength / (light**5 * a**3 * (1 - e**2) ** 3.5) * (1 + 73 / 24 * e**2 + 37 / 96 * e**4)
    round_ = -304 / 15 * e * strength / (light**power * a**4 * (1 - e**2) ** 2.5) * (1 + 121 / 304 * e**2)
    return wide * year / unit, round_ * year


paths = [solve_ivp(peters, (0, years[-1]), (0.1, 0.6), args=(power,), rtol=1e-9, atol=1e-12) for power in (5, 4)]
right, seen = (path.y[:, -1] for path in paths)
print(f"after {years[-1]:.0f} years: e = {eccentricities[-1]:.4f}, should be {right[1]:.9f}; with c^4 {seen[1]:.4f}")
print(f"a has lost {1 - axes[-1] / 0.1:.1e}, should lose {1 - right[0] / 0.1:.1e}")
assert abs(eccentricities[-1] - seen[1]) < 1e-4 and abs(right[1] - 0.6) < 1e-6 and eccentricities[-1] < 0.35
assert abs(axes[-1] / 0.1 - 1) < 1e-7
END

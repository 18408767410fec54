#!/usr/bin/env bash
# LambertProblem 0.8: of the two times of transfer on ellipses of a given axis, the first is always that of an angle
# below 180 degrees, and the second is the rest of the same ellipse, which goes the other way around; with a given time,
# the search starts at an axis of 1.2, and raises RuntimeError between distances above 2.4. Seen on 2026-11-30, from 1
# to 1.5 with axis 1.3: 2.165 and 7.148 for 90 degrees (2.165 and 6.945 are right), and the same for 270 degrees (2.368
# and 7.148 are right).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==2.3.5 scipy==1.16.3
environment/bin/pip install --quiet --disable-pip-version-check --no-deps LambertProblem==0.8
environment/bin/python -W ignore - <<'END'
from math import pi, sqrt
import numpy
from scipy.integrate import quad
from scipy.optimize import brentq
from LambertProblem import LambertProblem


def times(a, r1, r2, angle):
    """Times on both ellipses with this axis through both points, from Kepler's second law."""
    def eccentricity(w):  # solves a (1 - e^2) = r1 (1 + e cos w)
        b = r1 * numpy.cos(w)
        return (-b + sqrt(b * b + 4 * a * (a - r1))) / (2 * a)

    def miss(w):  # distance by which the second point is missed
        e = eccentricity(w)
        return a * (1 - e * e) / (1 + e * numpy.cos(w + angle)) - r2

    found, grid = [], numpy.linspace(-pi, pi, 2001)
    for low, high in zip(grid, grid[1:]):
        if miss(low) * miss(high) < 0:
            w = brentq(miss, low, high)
            e = eccentricity(w)
            p = a * (1 - e * e)
            found.append(quad(lambda f: (p / (1 + e * numpy.cos(f))) ** 2 / sqrt(p), w, w + angle)[0])
    return sorted(found)


short, rest = LambertProblem(1.0, 1.5, pi / 2, a=1.3)
right = times(1.3, 1.0, 1.5, pi / 2)
print(f"90 degrees, axis 1.3: times {short:.3f} and {rest:.3f}, should be {right[0]:.3f} and {right[1]:.3f}")
assert abs(short - right[0]) < 1e-6 and abs(short + rest - 2 * pi * 1.3**1.5) < 1e-9 and rest - right[1] > 0.2
found, right = LambertProblem(1.0, 1.5, 3 * pi / 2, a=1.3), times(1.3, 1.0, 1.5, 3 * pi / 2)
print(f"270 degrees: {found[0]:.3f} and {found[1]:.3f}, should be {right[0]:.3f} and {right[1]:.3f}")
assert abs(found[0] - short) < 1e-9 and right[0] - found[0] > 0.2
try:
    print(LambertProblem(1.0, 9.5, pi * 0.9, t=40.0))
    raise SystemExit("no error any more")
except RuntimeError as error:
    print(f"from the Earth to Saturn in {40 / (2 * pi):.1f} years: RuntimeError,", error)
END

#!/usr/bin/env bash
# gw-integrator 0.1.0, binaries that lose energy by gravitational waves: the orbit at a time raises RuntimeError unless
# one of the times is after the merger; orbits that follow such a time in the array are moved by one place. Seen on
# 2026-11-30, 30 and 30 solar masses at 0.1 AU, which merge after 5.9e8 years: after twice, a half and a quarter of this
# time, the axis of the second is 0.0931 (that of the third) instead of 0.0841.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==2.3.5 scipy==1.16.3
environment/bin/pip install --quiet --disable-pip-version-check --no-deps gw-integrator==0.1.0
environment/bin/python -W ignore - <<'END'
import numpy
from GWintegrator import GWIntegrator

G, c, sun, au, year = 6.6743e-11, 299792458.0, 1.989e30, 1.496e11, 365.25 * 86400
merger = 5 / 256 * c**5 * (0.1 * au) ** 4 / (G**3 * 30 * 30 * 60 * sun**3) / year  # Peters (1964)
binary = GWIntegrator(30.0, 30.0, 0.1, 0.0)
print(f"the merger is after {merger:.4g} years")
try:
    print(binary(0.5 * merger))
    raise SystemExit("no error any more")
except RuntimeError as error:
    print("half of this time:", error)
right = 0.1 * 0.5**0.25
before = binary(numpy.array([0.5 * merger, 2 * merger]))[0]
print(f"half and twice of this time: axes {before}, should be {right:.4f} and nan")
assert abs(before[0] - right) < 1e-4 and numpy.isnan(before[1])
after = binary(merger * numpy.array([2, 0.5, 0.25]))[0]
third = 0.1 * 0.75**0.25
print(f"twice, a half and a quarter: axes {after[:2]} and another, should be nan, {right:.4f} and {third:.4f}")
assert numpy.isnan(after[0]) and abs(after[1] - third) < 1e-4
END

#!/usr/bin/env bash
# resonanceX 0.1.0, resonances of planets: simulate_orbits takes periods in days, but a = P^(2/3) AU holds for years, so
# that planets are 51 times too far away. detect_resonances of its module detector divides the first period by the second
# and compares with the nearest integer, which is 0 for an inner planet: far pairs are resonant, 2 : 1 is not.
# Seen on 2026-12-01: a planet with a period of 1.51 days makes 0.018 turns in 10 days; periods of 1 and 30 days have the
# resonance 0.
# Right value: 10 / 1.51 = 6.62 turns around one solar mass; a^3 = P^2 with P in years of 365.25 days.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==1.26.4 rebound==4.4.10
environment/bin/pip install --quiet --disable-pip-version-check --no-deps resonanceX==0.1.0
environment/bin/python -W ignore - <<'END'
from importlib.metadata import version

import numpy
from resonanceX.detector import detect_resonances
from resonanceX.simulator import simulate_orbits

print("resonanceX", version("resonanceX"))
period, duration = 1.51, 10.0
x, y = numpy.array(simulate_orbits([period, 2.42], [1e-6, 1e-6], duration=duration, steps=2001)[0]).T
angle = numpy.unwrap(numpy.arctan2(y, x))
turns = (angle[-1] - angle[0]) / (2 * numpy.pi)
print(f"turns in {duration} days with a period of {period}: {turns:.4f}, should be {duration / period:.2f}")
distance, right = numpy.hypot(x, y).mean(), (period / 365.25) ** (2 / 3)
print(f"distance {distance:.3f} AU, should be {right:.4f}")
assert 0.01 < turns < 0.03 and 45 < distance / right < 55
for periods in ([1.0, 30.0], [1.0, 2.0], [2.0, 1.0]):
    print(f"resonances of the periods {periods}: {detect_resonances(periods)}")
assert detect_resonances([1.0, 30.0]) == [(1.0, 30.0, 0)]
assert detect_resonances([1.0, 2.0]) == [] and detect_resonances([2.0, 1.0]) == [(2.0, 1.0, 2)]
END

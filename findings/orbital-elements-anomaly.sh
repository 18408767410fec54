#!/usr/bin/env bash
# orbital-elements 0.0.1: the mean anomaly of a two-line element set, in degrees, is carried to now with the mean
# motion multiplied by the seconds of a day in the place of divided, in radians; Kepler's equation then mixes degrees
# with radians and is iterated without taking over the result. Seen on 2026-11-30, of a satellite with 15.5 revolutions
# a day: 8.4e6 radians a second (0.00113 is right), a mean anomaly of 3.2e12 degrees after 4.3 days.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check orbital-elements==0.0.1 pytz==2025.2 numpy==2.4.6 \
  matplotlib==3.11.2
environment/bin/python -W ignore - <<'END'
import math

from orbital_elements.tle import Tle

tle = Tle(["1 25544U 98067A   26330.50000000  .00016717  00000-0  10270-3 0  9005",
           "2 25544  51.6400 208.9163 0006703 130.5360 325.0288 15.50000000 37850"])
motion = 2 * math.pi * 15.5 / 86400
assert abs(tle.semi_major_axis / (398600.4418 / motion**2) ** (1 / 3) - 1) < 1e-9
days = tle.elapsed_time.total_seconds() / 86400
right = (325.0288 + 360 * 15.5 * days) % 360
print(f"mean motion {tle.motion_per_second:.4g} radians per second, should be {motion:.4g}")
print(f"mean anomaly after {days:.3f} days {tle.mean_anomaly:.4g} degrees, should be {right:.2f}")
print(f"true anomaly {tle.true_anomaly:.2f} degrees, should be within 0.1 of the mean one")
assert abs(tle.motion_per_second / (15.5 * 2 * math.pi * 86400) - 1) < 1e-9 and tle.motion_per_second > 1e9 * motion
assert abs(tle.mean_anomaly / (tle.motion_per_second * 86400 * days) - 1) < 1e-6
END

#!/usr/bin/env bash
# OrbitPy 0.0.0: getSunData() takes the cosine of degrees for the distance of the Sun, and its declination is that of
# today for all dates; the equation of the centre of the planets takes the sine of degrees; Julian dates lack the hour.
# Seen on 2026-11-30: the Sun is at 1.0052 AU on 2025-01-01 and at 0.9833 AU on 2025-07-03 (0.983 and 1.017 are right),
# and has the same declination at both solstices.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check --no-deps OrbitPy==0.0.0
environment/bin/python -W ignore - <<'END'
from datetime import datetime
from math import radians, sin
from OrbitPy import orbit

dates = (datetime(2025, 1, 1), datetime(2025, 7, 3), datetime(2025, 6, 21), datetime(2025, 12, 21))
sun = [orbit.getSunData(50.0, date) for date in dates]
for date, data, right in zip(dates, sun, (0.9833, 1.0166)):
    print(f"{date:%Y-%m-%d}: distance {data.dist:.4f} AU, should be {right}")
    assert abs(data.dist - right) > 0.01
print(f"declination on 2025-06-21 {sun[2].dec:.2f}, on 2025-12-21 {sun[3].dec:.2f}, should be 23.44 and -23.44 degrees")
assert sun[2].dec == sun[3].dec
dates = [orbit.juliandate(datetime(2000, 1, 1, hour)) for hour in (0, 12)]
print("2000-01-01, midnight and noon: Julian dates", dates, "should be 2451544.5 and 2451545.0")
assert dates == [2451544.5, 2451544.5]
orbit.planetMeanAnomaly = lambda planet: 90.0  # a quarter of a turn after the perihelion
found = orbit.planetEquationOfCenter("mars")
right = sum(c * sin(n * radians(90)) for n, c in enumerate((10.6912, 0.6228, 0.0503, 0.0046, 0.0005), 1))
print(f"equation of the centre of Mars at 90 degrees: {found:.3f} degrees, should be {right:.3f}")
assert abs(found - right) > 1
END

#!/usr/bin/env bash
# satellite-constellation 0.2.2: with a number of satellites per plane that does not divide 360, those of a Walker
# constellation are not evenly spaced, and other planes start at other places; in a flower constellation, the equation
# of the centre is added to degrees in radians, and no satellite has the argument of pericentre that was asked for. Seen
# on 2026-11-30: 7 satellites in a plane are 51 degrees apart, and the second plane starts at 357; at a mean anomaly of
# 280 degrees and e = 0.396, the true anomaly is 279.2 instead of 236 degrees.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==2.3.5
environment/bin/pip install --quiet --disable-pip-version-check --no-deps satellite-constellation==0.2.2
environment/bin/python -W ignore - <<'END'
from math import atan, cos, degrees, radians, sin, sqrt, tan
from satellite_constellation.Constellation import FlowerConstellation, WalkerConstellation

walker = WalkerConstellation(14, 2, 0, 45, 1000, 0, 20)
places = [satellite.perigee + satellite.ta for satellite in walker.satellites]
print("places in the first plane:", places[:7], "in the second:", places[7:])
assert places[:7] == [51 * i for i in range(7)] and places[7:] == [357] + [51 * i for i in range(6)]

flower = FlowerConstellation(8, 1, 9, 1, 9, 270, 63.4, 600, 30)
e, errors = flower.eccentricity, []
for mean, found, satellite in zip(flower.mean_anomaly, flower.true_anomaly, flower.satellites):
    angle = radians(mean)
    for step in range(50):
        angle -= (angle - e * sin(angle) - radians(mean)) / (1 - e * cos(angle))
    right = degrees(2 * atan(sqrt((1 + e) / (1 - e)) * tan(angle / 2))) % 360
    errors.append(abs(found - right))
    print(f"mean anomaly {mean:.0f}, e = {e:.3f}: true anomaly {found:.1f}, should be {right:.1f}; "
          f"argument of pericentre {satellite.perigee:.1f}, should be 270")
    assert satellite.perigee == found
assert max(errors) > 40
END

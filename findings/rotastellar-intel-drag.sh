#!/usr/bin/env bash
# rotastellar-intel 0.1.1, propagate_sgp4(): the lines that it writes for SGP4 lack the drag of the satellite, which it
# has read. Seen on 2026-11-30, an orbit like that of the space station: after 30 days, the satellite is at latitude
# 47.2 instead of 37.1 degrees.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check sgp4==2.25 numpy==2.3.5
environment/bin/pip install --quiet --disable-pip-version-check --no-deps rotastellar-intel==0.1.1 rotastellar==0.1.1
environment/bin/python -W ignore - <<'END'
from datetime import timedelta
from math import asin, degrees
from rotastellar_intel.tle import TLE
from sgp4.api import Satrec

first = "1 25544U 98067A   20001.00000000  .00016717  00000-0  10270-3 0  9006"
second = "2 25544  51.6400 120.0000 0005000  90.0000 270.0000 15.50000000 10008"
elements, satellite = TLE.parse([first, second]), Satrec.twoline2rv(first, second)
assert elements.bstar == satellite.bstar > 0
for days in (0, 7, 30):
    found = elements.propagate_sgp4(elements.epoch + timedelta(days=days)).latitude
    x, y, z = satellite.sgp4(satellite.jdsatepoch, satellite.jdsatepochF + days)[1]
    right = degrees(asin(z / (x * x + y * y + z * z) ** 0.5))
    print(f"after {days} days: latitude {found:.2f}, should be {right:.2f}")
    assert abs(found - right) > 9 if days == 30 else abs(found - right) < 1
END

#!/usr/bin/env bash
# astropynamic 0.1.0: the height of a ground station above the plane of the equator has a minus sign for a product, and
# its velocity is a product of components in the place of the cross product: stations are almost in that plane and move
# along the axis. Julian dates are not rounded down in their parts: they are up to some days off, and a day may have
# 2.4. Seen on 2026-11-30 at 45 degrees: z = 0.0047 Earth radii (0.704 is right), velocity along z; noon of 2000-01-01
# is 2,451,544.10 (2,451,545 is right); from 2020-02-29 to 03-01 it is 2.41 days.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check astropynamic==0.1.0 numpy==2.4.6
environment/bin/python -W ignore - <<'END'
import datetime

import numpy
from astropynamic.constants import EarthRotation, Shape
from astropynamic.time import julian_date
from astropynamic.twobody import site_position_velocity

latitude, square = numpy.pi / 4, Shape.earth_eccentricity
height = (1 - square) * numpy.sin(latitude) / (1 - square * numpy.sin(latitude) ** 2) ** 0.5
place, velocity = (numpy.array(each) for each in site_position_velocity(latitude, 0.0, 0.0))
right = numpy.cross([0, 0, EarthRotation.angular_rotation], [place[0], place[1], height])
print(f"station at 45 degrees: {place.round(4)} Earth radii, z should be {height:.4f}; velocity {velocity.round(5)}, "
      f"should be {right.round(5)}")
assert abs(place[2] - 0.00474) < 1e-4 and abs(height - 0.704) < 0.01 and abs(velocity @ right) < 1e-9

dates = [datetime.datetime(2000, 1, 1, 12), datetime.datetime(2020, 2, 29), datetime.datetime(2020, 3, 1)]
found = [julian_date(each.year, each.month, each.day, each.hour, 0, 0) for each in dates]
right = [2451545 + (each - dates[0]) / datetime.timedelta(days=1) for each in dates]
for date, one, other in zip(dates, found, right):
    print(f"{date}: Julian date {one:.3f}, should be {other:.3f}")
assert abs(found[0] - right[0]) > 0.9 and abs(found[2] - found[1] - 2.41) < 0.01
END

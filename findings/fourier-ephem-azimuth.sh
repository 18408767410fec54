#!/usr/bin/env bash
# fourier_ephem 1.0.2 (commit 4fd6d29), positions of Sun and Moon: north of the equator, azimuths are 180 degrees off, as
# the vector to the north is the vertical one divided by its product with the Earth's axis, which has the sign of the
# latitude. The angular distance of two bodies, documented in degrees, is in radians.
# Seen on 2026-12-01: at the solstice of June at 7:00, the Sun is at 66 degrees one degree south of the equator, and at
# 246 degrees one degree north of it; the Moon is 0.625 "degrees" from the Sun, which are 35.8.
# Right value: cos(azimuth) = (sin(declination) - sin(latitude) sin(altitude)) / (cos(latitude) cos(altitude)), measured
# from north to east, with the altitude of the program itself. Needs git.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
git init --quiet program
git -C program fetch --quiet --depth 1 https://github.com/PedroKKr/fourier_ephem 4fd6d29dba706e5278d288d516779823bc9119bf
git -C program checkout --quiet FETCH_HEAD
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==1.26.4
# The package reads its data from the folder in which it is started.
cd program/fourier_ephem
grep "version = " ../setup.py
"$folder/environment/bin/python" -W ignore - <<'END'
import numpy
from fourier_ephem import alt, az, get_date, moon_position, observer_position, separation, sun_position

time, declination = get_date(2023, 6, 21, 7, 0, 0), numpy.radians(23.44)
sun, moon = sun_position(time), moon_position(time)
for latitude in (-40, -1, 1, 40):
    observer, rotation = observer_position(time, latitude, 0.0, return_rotation=True)
    height, found, phi = numpy.radians(alt(observer, sun)), az(observer, rotation, sun), numpy.radians(latitude)
    cosine = (numpy.sin(declination) - numpy.sin(phi) * numpy.sin(height)) / (numpy.cos(phi) * numpy.cos(height))
    right = numpy.degrees(numpy.arccos(cosine))
    print(f"latitude {latitude}: azimuth of the Sun in the morning {found:.1f} degrees, should be {right:.1f}")
    assert abs(found - right - (180 if latitude > 0 else 0)) < 0.5
found = separation(observer, sun, moon)
one, other = sun - observer, moon - observer
right = numpy.degrees(numpy.arctan2(numpy.linalg.norm(numpy.cross(one, other)), one @ other))
print(f"Sun and Moon are {found:.3f} degrees apart, should be {right:.1f}")
assert abs(numpy.degrees(found) - right) < 1e-6
END

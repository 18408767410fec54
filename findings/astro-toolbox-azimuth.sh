#!/usr/bin/env bash
# astro_toolbox 0.1.3: azimuths come from an arcsine alone, which knows no south: a star in the south is shown in the
# north. The longitude has the opposite sign in times of rise and set than in sidereal times: they are off by twice the
# longitude. Seen on 2026-11-30, at 45 degrees north and 20 east: a star of declination 10 that transits in the south
# has azimuth 0 (180 is right); its rise is 2 hours 40 minutes late. (Its wheel lacks the list of sites, which is empty
# here.)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==1.26.4 rich==14.2.0 xmltodict==1.0.2 click==8.3.1 \
  matplotlib==3.9.4 Pillow==12.0.0 setuptools==80.9.0
environment/bin/pip install --quiet --disable-pip-version-check --no-deps astro_toolbox==0.1.3
sites=$(environment/bin/python -c "import sysconfig; print(sysconfig.get_paths()['purelib'])")/astro_toolbox/coordinates/data
mkdir -p "$sites"
echo '{}' >"$sites/sites.json"
MPLBACKEND=Agg environment/bin/python -W ignore - <<'END'
import math

from astro_toolbox.coordinates.equatorial import Equatorial
from astro_toolbox.coordinates.location import Location
from astro_toolbox.time.core import AstroDateTime

north, east, height = 45.0, 20.0, 10.0
place = Location(name="place", latitude=(45, 0, 0), longitude=(20, 0, 0), elevation=0)
star = Equatorial(alpha=(5, 0, 0), delta=(10, 0, 0), name="star")


def degrees(parts):
    return math.copysign(abs(parts[0]) + parts[1] / 60 + parts[2] / 3600, parts[0])


def horizontal(angle):
    h, d, p = (math.radians(each) for each in (angle, height, north))
    up = math.sin(p) * math.sin(d) + math.cos(p) * math.cos(d) * math.cos(h)
    to_north = math.sin(d) * math.cos(p) - math.cos(d) * math.cos(h) * math.sin(p)
    azimuth = math.degrees(math.atan2(-math.cos(d) * math.sin(h), to_north)) % 360
    return azimuth, math.degrees(math.asin(up))


for hour in (3, 5, 7):  # sidereal times
    azimuth, up = (degrees(each) for each in star.to_horizontal((hour, 0, 0), place))
    right = horizontal((hour - 5) * 15)
    print(f"hour angle {hour - 5:+d} h: azimuth {azimuth:.1f}, should be {right[0]:.1f}; altitude {up:.1f}, should be {right[1]:.1f}")
    assert abs(up - right[1]) < 0.1 and abs((azimuth + right[0]) % 360 - 180) < 0.2

date = (2024, 3, 1)
rise = star.calculate_rise_time(place, date)
local = degrees(AstroDateTime(date + rise).get_lst(place)) * 15
altitude = horizontal(local - 75)[1]
print(f"rises at {rise[0]}:{rise[1]:02.0f} UT, when the star is {altitude:.1f} degrees high, should be 0")
assert altitude > 20
END

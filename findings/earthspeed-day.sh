#!/usr/bin/env bash
# earthspeed 1.2, the velocity of the Earth in the halo of dark matter: J2000.0 is put on noon of 1999-12-31, a day
# early: the Earth is ahead by a day in its orbit, and its longitude counts from the equinox of date while the axes of
# the Galaxy are of J2000. Seen on 2026-11-30: its velocity around the Sun is 0.7 km/s off all the year 2024, 0.2 km/s
# if dates are given a day early; the greatest speed is on 05-31 (06-02 is right).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check earthspeed==1.2 numpy==2.4.6 astropy==8.0.2
environment/bin/python -W ignore - <<'END'
import datetime

import numpy
from astropy import units
from astropy.coordinates import ICRS, CartesianRepresentation, Galactic, get_body_barycentric_posvel
from astropy.time import Time
from earthspeed.windfinder import km_s, vEt


def earth(date):
    velocities = (get_body_barycentric_posvel(body, Time(date))[1].xyz for body in ("earth", "sun"))
    relative = (next(velocities) - next(velocities)).to_value(units.km / units.s)
    return ICRS(CartesianRepresentation(relative)).transform_to(Galactic()).cartesian.xyz.value


day = datetime.timedelta(days=1)
dates = [datetime.datetime(2024, 1, 1, 12) + 30 * k * day for k in range(12)]
errors = {}
for shift in (0, 1):
    own = [(vEt(date - shift * day) - vEt(date, at_Sun=True)) / km_s for date in dates]
    errors[shift] = [numpy.linalg.norm(one - earth(date)) for one, date in zip(own, dates)]
    print(f"dates {shift} days early: velocity around the Sun {min(errors[shift]):.2f} to {max(errors[shift]):.2f} km/s off")
assert min(errors[0]) > 0.6 and max(errors[1]) < 0.3

hours = [datetime.datetime(2024, 5, 25) + k * day / 4 for k in range(60)]
sun = vEt(hours[0], at_Sun=True) / km_s
found = hours[numpy.argmax([numpy.linalg.norm(vEt(date) / km_s) for date in hours])]
right = hours[numpy.argmax([numpy.linalg.norm(sun + earth(date)) for date in hours])]
print(f"greatest speed at {found}, should be {right}")
assert datetime.timedelta(days=1) <= right - found <= datetime.timedelta(days=2)
END

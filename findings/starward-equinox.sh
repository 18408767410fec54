#!/usr/bin/env bash
# starward 0.4.1: to_icrs() of Sun and Moon returns coordinates of the equinox of date, to_icrs() of planets those of
# J2000, and both are called ICRS: separations of the Moon from stars and planets, and elongations of planets, are off
# by the precession since 2000. Seen on 2026-11-30, for 2025-11-21: Sun and Moon are 0.36 and 0.34 degrees from their
# places in ICRS, more than the radius of the Moon (0.26), and within 0.03 degrees of those of date; Venus and Mars are
# within 0.01 degrees of ICRS.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check starward==0.4.1 numpy==2.4.6 astropy==8.0.2
environment/bin/python -W ignore - <<'END'
from astropy import units
from astropy.coordinates import TETE, SkyCoord, get_body
from astropy.time import Time
from starward.core.moon import moon_position
from starward.core.planets import Planet, planet_position
from starward.core.sun import sun_position
from starward.core.time import JulianDate

day = 2461000.5
date, instant = JulianDate(day), Time(day, format="jd")
own = {"sun": sun_position(date), "moon": moon_position(date)}
own |= {planet.value.lower(): planet_position(planet, date) for planet in (Planet.VENUS, Planet.MARS)}
for name, position in own.items():
    found = position.to_icrs()
    body = get_body(name, instant)  # geocentric, with the axes of ICRS
    off = []
    for right in (body, body.transform_to(TETE(obstime=instant))):
        place = SkyCoord(found.ra.degrees * units.deg, found.dec.degrees * units.deg)
        off.append(place.separation(SkyCoord(right.ra, right.dec)).deg)
    print(f"{name}: to_icrs() is {off[0]:.3f} degrees from the place in ICRS, {off[1]:.3f} from that of date")
    if name in ("sun", "moon"):
        assert off[0] > 0.3 and off[1] < 0.03
    else:
        assert off[0] < 0.02 and off[1] > 0.3
END

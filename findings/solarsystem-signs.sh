#!/usr/bin/env bash
# solarsystem 0.1.8: angles between 0 and -1 degree lose their sign in degrees and minutes: the Sun is north of the
# equator a day before the equinox of March. Times of sunrise and sunset raise ValueError where they are on another day
# of the given time zone. Seen on 2026-11-30: "0° 31.86'" for the Sun's declination on 2025-03-19 at 9:00, which is
# -0.53 degrees; Tokyo and New York have no sunrise in universal time.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check --no-deps solarsystem==0.1.8
environment/bin/python -W ignore - <<'END'
from solarsystem import Geocentric, Sunriseset
from solarsystem.functions import demical2arcs

sun = Geocentric(2025, 3, 19, 9, 0, plane="equatorial").position()["Sun"]
text = demical2arcs(sun[1])
print(f"declination of the Sun {sun[1]:.3f} degrees: {text}")
assert -1 < sun[1] < 0 and not text.startswith("-") and demical2arcs(-1.5).startswith("-1")
assert text == demical2arcs(-sun[1])
for name, longitude, latitude, zone in (("Tokyo", 139.7, 35.7, 9), ("New York", -74.0, 40.7, -5)):
    print(name, "in its time zone:", *Sunriseset(2025, 6, 21, zone, 0, longitude, latitude).riseset())
    try:
        Sunriseset(2025, 6, 21, 0, 0, longitude, latitude).riseset()
        raise SystemExit("no error any more")
    except ValueError as error:
        print(name, "in universal time: ValueError,", error)
END

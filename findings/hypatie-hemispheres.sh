#!/usr/bin/env bash
# hypatie 2.20.2: geocentric_to_geodetic() puts places at x < 0 on the other side of the Earth; angular_separation()
# beyond 90 degrees is negative; the Planck 2018 model starts with a scale factor of 0.0154: nothing is farther than z =
# 63.8. Seen on 2026-11-30: Tokyo gets longitude -40.3 instead of 139.7; stars 120 degrees apart are -60 apart; at
# 380,000 years, z = 63.5 instead of some 1,090.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==2.3.5 scipy==1.16.3 matplotlib==3.10.7 \
  pandas==2.3.3 requests==2.32.5
environment/bin/pip install --quiet --disable-pip-version-check --no-deps hypatie==2.20.2
MPLBACKEND=Agg environment/bin/python -W ignore - <<'END'
from hypatie.cosmology import Planck18
from hypatie.earth import geocentric_to_geodetic, geodetic_to_geocentric
from hypatie.transform import angular_separation

for name, place in (("Paris", (2.35, 48.85, 35)), ("Tokyo", (139.7, 35.7, 40))):
    found = geocentric_to_geodetic(geodetic_to_geocentric(place))
    print(f"{name}: longitude {found[0]:.2f}, latitude {found[1]:.2f}, should be {place[0]}, {place[1]}")
    assert abs(found[1] - place[1]) < 0.01 and (name == "Paris") == (abs(found[0] - place[0]) < 0.01)
found = angular_separation(0.0, 0.0, 120.0, 0.0)
print(f"places 120 degrees apart on the equator: separation {found:.2f}")
assert abs(found + 60) < 1e-9
found = Planck18().z(0.00038)
print(f"redshift 380,000 years after the start: {found:.1f}, should be some 1090")
assert 60 < found < 66
END

#!/usr/bin/env bash
# unyt 3.2.0, the units of yt and swiftsimio: Mearth is the mass of the Earth with the Moon, 1.23 % more than that of the
# Earth. Only a remark in the source tells it (the masses are those of "whole systems (planet + moons)"). Seen on
# 2026-11-29: 1 Mearth is 6.04564e+24 kg, in astropy 8.0.2 5.97217e+24 kg, ratio 1.0123; with unyt, a satellite at 42,164
# km needs 85,638 s for a turn, with astropy 86,164 s, a sidereal day.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check unyt==3.2.0 astropy==8.0.2 numpy==2.4.6
environment/bin/python -W ignore - <<'END'
from math import pi

import astropy.constants, unyt

masses = {"unyt": float(unyt.unyt_quantity(1, "Mearth").to("kg")), "astropy": astropy.constants.M_earth.value}
gravity = astropy.constants.G.value
turns = {name: 2 * pi * (42164e3**3 / (gravity * mass))**0.5 for name, mass in masses.items()}
for name in masses:
    print(f"{name}: the Earth has {masses[name]:.6g} kg, and a satellite at 42,164 km needs {turns[name]:,.0f} s")
print(f"ratio of the masses {masses['unyt'] / masses['astropy']:.4f}, that of Earth with Moon to Earth 1.0123")
assert abs(masses["unyt"] / masses["astropy"] - 1.0123) < 1e-4 and abs(turns["astropy"] - 86164) < 2
END

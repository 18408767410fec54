#!/usr/bin/env bash
# ploonetide 1.0.6, which simulates tides of moons of exoplanets: the factor of the Roche radius of a planet, 2.7 by
# Guillochon et al. 2011 (doi:10.1088/0004-637X/732/2/74), is handed over and not used: the radius is the rigid one,
# 1.26 in its place. And in its table, Jupiter has about the period of Saturn and Saturn that of Jupiter. Seen on
# 2026-11-30: factors of 1.26, 2.44 and 2.7 give the same radius; Jupiter's year lasts 29.5 years and Saturn's 10.8.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==2.4.6 scipy==1.17.1 astropy==8.0.2 \
  matplotlib==3.11.2 tqdm==4.67.1 pyfiglet==1.0.4 pandas==3.1.1 h5py==3.16.0 setuptools==80.9.0
environment/bin/pip install --quiet --disable-pip-version-check --no-deps ploonetide==1.0.6
MPLBACKEND=Agg environment/bin/python -W ignore - <<'END'
from ploonetide.utils.constants import PLANETS, YEAR
from ploonetide.utils.functions import roche_radius_masses

star, planet, radius = 1.989e30, 1.898e27, 7e7
found = []
for factor in (1.26, 2.44, 2.7):
    found.append(float(roche_radius_masses(star, planet, radius, factor)))
    right = factor * radius * (star / planet) ** (1 / 3)
    print(f"factor {factor}: Roche radius {found[-1] / 1e3:.0f} km, should be {right / 1e3:.0f} km")
assert len(set(found)) == 1 and abs(right / found[-1] - 2.143) < 0.001
for name in ("Jupiter", "Saturn"):
    print(f"{name}'s period: {getattr(PLANETS, name).P / YEAR:.1f} years")
assert abs(PLANETS.Jupiter.P / YEAR - 29.5) < 0.01 and abs(PLANETS.Saturn.P / YEAR - 10.8) < 0.01
END

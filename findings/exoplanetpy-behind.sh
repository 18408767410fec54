#!/usr/bin/env bash
# ExoplanetPy 0.1.1, light curves of planets: with an inclination of 90 degrees, a planet behind its star takes away as
# much light as one in front of it; with other inclinations it takes none. Seen on 2026-11-30, radius 0.1 of the star:
# two dips of 1.08 % in each period at 90 degrees, one at 89.9.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==1.26.4 scipy==1.12.0 matplotlib==3.7.5 \
  seaborn==0.13.2
environment/bin/pip install --quiet --disable-pip-version-check --no-deps ExoplanetPy==0.1.1
MPLBACKEND=Agg environment/bin/python -W ignore - <<'END'
import numpy
import scipy.constants
from ExoplanetPy.planet import Planet
from ExoplanetPy.system import System

for inclination in (89.9, 90.0):
    system = System({"Mass": 1.0, "Radius": 1.0}, [Planet(e=0.0, a=10.0, omega=0.0, i=inclination, r_p=0.1)])
    system.n, system.time_split = 1, 200
    light = system.calc_lum(normalise=True)
    time = numpy.linspace(0, 1, len(light))
    first, second = (1 - light[part].min() for part in (time < 0.5, time >= 0.5))
    print(f"inclination {inclination}: light missing in the halves of a period {100 * first:.2f} and "
          f"{100 * second:.2f} %")
    assert first > 0.01 and (second > 0.01 if inclination == 90 else second == 0)
END

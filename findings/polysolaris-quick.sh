#!/usr/bin/env bash
# polysolaris 0.1.1, an N-body simulation of planets: with quick_sim=True, which its comment calls the algorithm of
# Barnes and Hut, no forces are computed: all bodies go straight on. Seen on 2026-11-30: a planet on a circle of radius
# 10 is 62.8 from its place after a period, where it should be back (as it is without quick_sim).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==2.4.6 matplotlib==3.11.2 imageio-ffmpeg==0.6.0
environment/bin/pip install --quiet --disable-pip-version-check --no-deps polysolaris==0.1.1
MPLBACKEND=Agg environment/bin/python -W ignore - <<'END'
import math

from system_simulation.body import solar_sys_body
from system_simulation.solar_system import SolarSystemSimulation
from system_simulation.vector import Vector

away = {}
for quick in (False, True):
    system = SolarSystemSimulation(100, 1, None, 1e-3)
    solar_sys_body(system, 1, 1000.0, Vector(0, 0, 0))
    planet = solar_sys_body(system, 1, 1e-3, Vector(10, 0, 0), stable_orbit=True, mass_of_central_body=1000.0)
    for _ in range(round(2 * math.pi * 10**1.5 / 1000**0.5 / 1e-3)):
        system.calculate_body_interactions(quick)
        system.update_all()
    away[quick] = (planet.position - Vector(10, 0, 0)).get_magnitude()
    print(f"quick_sim={quick}: after a period, the planet is {away[quick]:.2f} from its first place")
assert away[False] < 0.5 and abs(away[True] / (20 * math.pi) - 1) < 1e-3
END

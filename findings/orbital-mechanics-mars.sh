#!/usr/bin/env bash
# orbital-mechanics 2.0.1: the gravity of Mars is 9 m/s^2 (3.72 is right): its satellites are 1.56 times too fast. Seen
# on 2026-11-30: 5,294 m/s at a height of 300 km (3,407 is right), a period of 73 minutes (113 is right).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check orbital-mechanics==2.0.1
environment/bin/python - <<'END'
from orbital_mechanics.utils import Constants, orbital_period, orbital_speed

height, bodies = 300e3, (("Earth", Constants.Earth, 6371e3, 3.986004e14), ("Mars", Constants.Mars, 3389.5e3, 4.282837e13))
for name, planet, radius, strength in bodies:
    speed, minutes = orbital_speed(planet, radius, height), orbital_period(planet, radius, height) / 60
    right = (strength / (radius + height)) ** 0.5
    print(f"{name}: {speed:.0f} m/s and {minutes:.0f} minutes, should be {right:.0f} m/s and "
          f"{2 * 3.14159265 * (radius + height) / right / 60:.0f} minutes")
    assert abs(speed / right - 1) < 0.01 if name == "Earth" else abs(speed / right - 1.556) < 0.01
END

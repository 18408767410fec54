#!/usr/bin/env bash
# leoss 0.4.0, satellites of the Earth: the force of the flattening along the axis has the factor of the other two
# directions. The mean anomaly of the Sun lacks 300 degrees. Seen on 2026-11-30: at 7,000 km over the pole, the force of
# J2 on 1 kg is 0.0439 instead of 0.0219 N; on 2025-07-04, the Sun's longitude is 99.7 instead of 102.3 degrees.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==1.26.4 tqdm==4.66.1 pyIGRF==0.3.3
environment/bin/pip install --quiet --disable-pip-version-check --no-deps leoss==0.4.0
environment/bin/python -W ignore - <<'END'
import importlib
import sys
import sysconfig
import types
from datetime import datetime
from math import atan2, degrees, hypot, radians, sin

package = types.ModuleType("leoss")  # without the parts that draw
package.__path__ = [sysconfig.get_paths()["purelib"] + "/leoss"]
sys.modules["leoss"] = package
main = importlib.import_module("leoss.main")
system, J2, step = main.LEOSS(), 1082.6276e-6, 10.0


def potential(x, y, z):
    r = (x * x + y * y + z * z) ** 0.5
    return system.mu * J2 * system.radi**2 / r**3 * (3 * (z / r) ** 2 - 1) / 2


for name, place in (("equator", (7e6, 0.0, 0.0)), ("45 degrees", (4.95e6, 0.0, 4.95e6)), ("pole", (0.0, 0.0, 7e6))):
    total = main.systemGravity(system, 1.0, main.Vector(*place), "EARTHJ2")
    sphere = main.systemGravity(system, 1.0, main.Vector(*place), "SPHERICAL2BODY")
    x, y, z = place
    found = (total.x - sphere.x, total.z - sphere.z)
    right = ((potential(x - step, y, z) - potential(x + step, y, z)) / (2 * step),
             (potential(x, y, z - step) - potential(x, y, z + step)) / (2 * step))
    print(f"{name}: force of J2 along x and z {found[0]:.5f}, {found[1]:.5f}, should be {right[0]:.5f}, {right[1]:.5f} N")
    assert abs(found[0] - right[0]) < 1e-6 and (abs(found[1] - right[1]) > 0.005) == (name != "equator")

for date in (datetime(2025, 1, 4), datetime(2025, 4, 4), datetime(2025, 7, 4)):
    system.datenow = lambda: date
    sun = main.systemSun(system)[0]
    found = degrees(atan2(hypot(sun.y, sun.z) * (1 if sun.y > 0 else -1), sun.x)) % 360
    days = (date - datetime(2000, 1, 1, 12)).total_seconds() / 86400
    anomaly = radians(357.528 + 0.9856003 * days)
    right = (280.460 + 0.9856474 * days + 1.915 * sin(anomaly) + 0.02 * sin(2 * anomaly)) % 360
    print(f"{date:%Y-%m-%d}: longitude of the Sun {found:.2f}, should be {right:.2f} degrees")
    assert 0.3 < right - found < 3
END

#!/usr/bin/env bash
# exoorbit 0.1.20, orbits of exoplanets: a variable of the solver of Kepler's equation has the name of the eccentricity,
# and its iteration ends after one step: the eccentric anomaly equals the mean anomaly for all eccentricities. Seen on
# 2026-11-30, e = 0.5: after a quarter of the period, the planet is at 1 instead of 1.22 times the semi-major axis, and
# its true anomaly is 120 instead of 140 degrees.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==1.26.4 scipy==1.13.1 astropy==6.1.7 \
  numba==0.60.0
environment/bin/pip install --quiet --disable-pip-version-check --no-deps exoorbit==0.1.20
environment/bin/python -W ignore - <<'END'
import importlib
import sys
import sysconfig
import types
from math import atan, cos, degrees, pi, sin, sqrt, tan
import numpy

package = types.ModuleType("exoorbit")  # without its classes, which need an older Python
package.__path__ = [sysconfig.get_paths()["purelib"] + "/exoorbit"]
bodies = types.ModuleType("exoorbit.bodies")
bodies.Planet = bodies.Star = None
sys.modules.update({"exoorbit": package, "exoorbit.bodies": bodies})
orbit = importlib.import_module("exoorbit.orbit")

e, time = 0.5, numpy.array([100.0])  # a quarter of the period of 400 days after the pericentre
anomaly = pi / 2
for step in range(50):
    anomaly -= (anomaly - e * sin(anomaly) - pi / 2) / (1 - e * cos(anomaly))
right = degrees(2 * atan(sqrt((1 + e) / (1 - e)) * tan(anomaly / 2)))
found = degrees(orbit._eccentric_anomaly(time, 0.0, 400.0, e)[0])
true = degrees(orbit._true_anomaly(time, 0.0, 400.0, e)[0])
distance = orbit._distance(time, 0.0, 1.0, 400.0, e)[0]
print(f"eccentric anomaly {found:.2f}, should be {degrees(anomaly):.2f} degrees; true anomaly {true:.2f}, should be "
      f"{right:.2f}; distance {distance:.3f}, should be {1 - e * cos(anomaly):.3f} axes")
assert abs(found - 90) < 1e-3 and right - true > 20 and abs(distance - 1) < 1e-3
END

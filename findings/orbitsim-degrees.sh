#!/usr/bin/env bash
# orbitsim 0.2.0, koe_to_osv(): the angles of the elements are converted to radians, but the result is thrown away:
# degrees are taken as radians. Orbits that start from elements start elsewhere. Seen on 2026-11-30: an orbit with i =
# 90 degrees has an inclination of 116.6 degrees, and a satellite that is a quarter of a turn after its pericentre is 63
# degrees before it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==1.26.4 scipy==1.13.1
environment/bin/pip install --quiet --disable-pip-version-check --no-deps orbitsim==0.2.0
environment/bin/python -W ignore - <<'END'
import importlib
import sys
import sysconfig
import types
from math import acos, degrees, sqrt
import numpy

package = types.ModuleType("orbitsim")  # without its packages for drawing
package.__path__ = [sysconfig.get_paths()["purelib"] + "/orbitsim"]
mayavi, kepler = types.ModuleType("mayavi"), types.ModuleType("kepler")
mayavi.mlab = None
sys.modules.update({"orbitsim": package, "mayavi": mayavi, "kepler": kepler})
util = importlib.import_module("orbitsim.util")

mu, a, e = 398600.4418, 8000.0, 0.1
for inclination, anomaly in ((90.0, 0.0), (0.0, 90.0), (51.6, 30.0)):
    state = numpy.array(util.koe_to_osv((a, e, inclination, 0.0, 0.0, anomaly), mu))
    h = numpy.cross(state[:3], state[3:])
    found = degrees(acos(h[2] / numpy.linalg.norm(h)))
    distance = a * (1 - e * e) / (1 + e * numpy.cos(numpy.radians(anomaly)))
    print(f"inclination {found:.1f}, should be {inclination} degrees; distance {numpy.linalg.norm(state[:3]):.0f}, "
          f"should be {distance:.0f} km")
    assert abs(found - inclination) > 5 or abs(numpy.linalg.norm(state[:3]) - distance) > 100
END

#!/usr/bin/env bash
# satorbit 0.5.1, simulate_orbit() with the flattening of the Earth: the pericentre and the node of the last time are
# written to the elements of the caller: the same call gives another orbit. They have turned by the mean anomaly of the
# start at time 0, where the satellite is not at its elements. Seen on 2026-11-30, an orbit of 7,432 km for 30 days: at
# the start, the satellite is 22 km from its elements, and in a second call 10,100 km from the first.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==2.3.5
environment/bin/pip install --quiet --disable-pip-version-check --no-deps satorbit==0.5.1
environment/bin/python -W ignore - <<'END'
import importlib.util
import sysconfig
import numpy

file = sysconfig.get_paths()["purelib"] + "/satorbit/kepler.py"  # alone, without the parts that need other packages
spec = importlib.util.spec_from_file_location("kepler", file)
kepler = importlib.util.module_from_spec(spec)
spec.loader.exec_module(kepler)
elements = {"semimajoraxis": 7432.0, "eccentricity": 0.12, "inclination": numpy.radians(85.0), "raan": 0.3,
            "argumentofperigee": 1.5, "initial_mean_anomaly": 5.0, "mu": 398600.4415, "re": 6378.1363,
            "j2": 1082.6357e-6}
anomaly = kepler.true_anomaly_from_mean_anomaly(elements["initial_mean_anomaly"], elements["eccentricity"])
right = kepler.kepler_to_cartesian(elements, anomaly)
times = [0.0, 30 * 86400.0]
first = kepler.simulate_orbit(elements, times)
second = kepler.simulate_orbit(elements, times)
start = numpy.linalg.norm(first[0][:3] - right[:3])
moved = numpy.linalg.norm(second[0][:3] - first[0][:3])
print(f"at time 0, {start:.1f} km from the place of its elements; in a second call, {moved:.0f} km from the first")
assert start > 10 and moved > 1000
END

#!/usr/bin/env bash
# orbittools 0.1.0, kepler.simulate_orbit() writes the perigee and the node of the last instant into the elements of its
# caller: the next orbit from the same dictionary is another one, as the second of the two in its own example. And the
# perigee and the node of the first instant have moved already, by what they move from perigee to the mean anomaly given.
# Seen on 2026-11-30, in an orbit like that of the example (85 degrees, 7432 km, e = 0.124): after a simulation of 30
# days, the same call starts 9,054 km away from where it started before.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==2.4.6
environment/bin/pip install --quiet --disable-pip-version-check --no-deps orbittools==0.1.0
environment/bin/python - <<'END'
import numpy
from orbittools import kepler

elements = {"semimajoraxis": 7432.0, "eccentricity": 925 / 7432, "inclination": numpy.radians(85.0),
            "argumentofperigee": numpy.radians(90.0), "raan": 0.0, "initial_mean_anomaly": 0.0,
            "mu": 398600.4415, "re": 6378.1363, "j2": 1082.6357e-6}
first = kepler.simulate_orbit(elements, numpy.arange(0, 30 * 86400, 60.0))[0]
again = kepler.simulate_orbit(elements, [0.0])[0]
apart = numpy.linalg.norm(first[:3] - again[:3])
print(f"start {first[:3].round(1)} km, of the same call again {again[:3].round(1)} km: {apart:.1f} km apart; "
      f"argument of perigee now {numpy.degrees(elements['argumentofperigee']):.2f} degrees")
assert apart > 1000

elements |= {"argumentofperigee": numpy.radians(90.0), "raan": 0.0, "initial_mean_anomaly": 3.0}
true = kepler.true_anomaly_from_mean_anomaly(3.0, elements["eccentricity"])
right = kepler.kepler_to_cartesian(elements, true)
moved = numpy.linalg.norm(kepler.simulate_orbit(elements, [0.0])[0][:3] - right[:3])
print(f"mean anomaly of 3 at the first instant: {moved:.2f} km away from the elements")
assert moved > 1
END

#!/usr/bin/env bash
# exotides 0.1.1, a port of TIDES: cartesian_to_keplerian() returns an argument of pericentre of 0 for each orbit in the
# plane z = 0: the direction of its pericentre is lost without a warning. keplerian_to_cartesian() of the result, which
# should return the state that was given, puts the body elsewhere. Seen on 2026-11-30: an orbit of eccentricity 0.3 with
# its pericentre at 115 degrees comes back with its pericentre at 0, and the body is 1.21 a away; inclined by 0.001
# radians, it comes back to 1e-15 a.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check exotides==0.1.1 numpy==2.4.6 matplotlib==3.11.2
MPLBACKEND=Agg environment/bin/python -W ignore - <<'END'
import numpy
from exotides.orbital import cartesian_to_keplerian, keplerian_to_cartesian

for inclination, away in ((0.0, 1.2123), (1e-3, 0.0)):
    given = dict(a=1.0, e=0.3, i=inclination, lan=0.0, aop=2.0, ta=0.5)
    place, velocity = keplerian_to_cartesian(*given.values(), 1.0)
    elements = cartesian_to_keplerian(place, velocity, 1.0)
    again, _ = keplerian_to_cartesian(*(elements[name] for name in given), 1.0)
    distance = numpy.linalg.norm(again - place)
    print(f"inclination {inclination}: pericentre {numpy.degrees(given['aop']):.1f} degrees, comes back as "
          f"{numpy.degrees(elements['aop'] + elements['lan']):.1f}, body {distance:.4g} a away")
    assert abs(elements["e"] - 0.3) < 1e-9 and abs(elements["ta"] - 0.5) < 1e-6 and abs(distance - away) < 1e-4
END

#!/usr/bin/env bash
# xymass 2.0, sample_orbit_2body(): the angular momentum of its binaries, "units of AU^2/yr", lacks the semi-major axis: it
# is the square root of G M (1 - e^2) instead of G M a (1 - e^2), and its unit is AU^1.5 / yr. And without inclination and
# longitude, for which there is a case, it raises KeyError. Seen on 2026-11-30, period 8 years, masses 1 and 0.5, e = 0.5:
# 6.664 instead of 14.260, which is r x v of its own positions and velocities; its energy agrees with them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check xymass==2.0 numpy==2.4.6 scipy==1.17.1 astropy==7.2.3 \
  matplotlib==3.11.2
MPLBACKEND=Agg environment/bin/python -W ignore - <<'END'
import numpy, xymass
from astropy import units

phases = numpy.array([0.0, 0.3, 0.8])
given = dict(period=8 * units.yr, eccentricity=0.5, mass_primary=1 * units.M_sun, mass_ratio=0.5)
orbit = xymass.sample_orbit_2body(phases, **given, inclination=0 * units.rad, longitude=0 * units.rad)
place, velocity = orbit.r_xyz.value, orbit.v_xyz.value
right = numpy.cross(place, velocity)[:, 2]
energy = 0.5 * (velocity**2).sum(axis=1) - 4 * numpy.pi**2 * 1.5 / numpy.linalg.norm(place, axis=1)
print(f"angular momentum {orbit.angular_momentum}, r x v {right} AU2 / yr; ratio^2 "
      f"{(right / orbit.angular_momentum.value)**2}, semi-major axis {orbit.semimajor_axis}")
assert numpy.allclose(orbit.energy.value, energy)
assert numpy.allclose(right / orbit.angular_momentum.value, orbit.semimajor_axis.value**0.5)
assert orbit.angular_momentum.unit == units.AU**1.5 / units.yr
try:
    xymass.sample_orbit_2body(phases, **given)
    raise SystemExit("without inclination and longitude, it works")
except KeyError as error:
    print(f"without inclination and longitude: KeyError {error}")
END

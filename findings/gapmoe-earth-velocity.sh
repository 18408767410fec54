#!/usr/bin/env bash
# gapmoe 0.1.0, calc_vEarth(): the "heliocentric Earth velocity" is that of the Sun as seen from the Earth, with the
# opposite sign; it is added to the geocentric proper motion of a lens, times the relative parallax, where the Earth's
# is right (Gould 2004, doi:10.1086/382782). Heliocentric proper motions of microlensing events are wrong by twice the
# correction. Seen on 2026-11-30, towards the bulge on 2020-05-31: -0.11 and -5.86 AU per year to north and east, where
# 0.11 and 5.86 are right; a lens with a parallax of 0.5 mas moves by 5.86 mas per year to the east too little.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==2.4.6 astropy==8.0.2 jax==0.10.2 jaxlib==0.10.2
environment/bin/pip install --quiet --disable-pip-version-check --no-deps gapmoe==0.1.0
environment/bin/python -W ignore - <<'END'
import numpy
from astropy import units
from astropy.coordinates import get_body_barycentric_posvel
from astropy.time import Time
from gapmoe.EarthMotion import calc_vEarth
from gapmoe.parameterizations.single_lens import SingleLensUseThEParameterization

day, longitude, latitude = 2459000.5, 268.0, -29.0
earth, sun = (get_body_barycentric_posvel(body, Time(day, format="jd"))[1].xyz for body in ("earth", "sun"))
velocity = (earth - sun).to_value(units.AU / units.yr)
a, d = numpy.radians([longitude, latitude])
north = numpy.array([-numpy.sin(d) * numpy.cos(a), -numpy.sin(d) * numpy.sin(a), numpy.cos(d)])
right = numpy.array([velocity @ north, velocity @ [-numpy.sin(a), numpy.cos(a), 0]])
found = numpy.array(calc_vEarth(day, longitude, latitude))
print(f"velocity of the Earth: {found.round(3)} AU per year to north and east, should be {right.round(3)}")
assert numpy.abs(found + right).max() < 0.01

einstein, parallax = 1.0, 0.5  # mas, in units of the Einstein radius
theta = numpy.array([day, 100.0, 0.1, einstein, 0.0, parallax, 8.0])  # t0, tE in days, u0, thE, piEN, piEE, DS in kpc
east = float(SingleLensUseThEParameterization().to_physical(theta, {"vEarth": tuple(found)})[4])
geocentric = einstein / 100 * 365.25
print(f"proper motion to the east: {east:.2f} mas per year, should be {geocentric + parallax * right[1]:.2f}")
assert abs(geocentric - parallax * right[1] - east) < 0.02
END

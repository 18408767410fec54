#!/usr/bin/env bash
# hohmannpy 0.1.0, for orbits of satellites: SolarRadiation, "disabled whenever the satellite lies in" the Earth's shadow,
# is also off between Earth and Sun: the cosine of the angle to the Sun is compared with 1 instead of 0. Its irradiance,
# "based on the number of days since Earth's last aphelion", varies with one period a day instead of a year; and the
# day is compared with July where the month should be. state_2_classical() returns inclination and argument of
# pericentre in the reverse of its documented order, which is that of classical_2_state(): elements are of another orbit.
# Seen on 2026-11-30: between Earth and Sun, the acceleration is 0; it changes by 6.9 % within 12 hours; 21 March 2026
# is -105 days after aphelion; a body at 7,681 km that is converted and back is 13,600 km away.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==2.4.6 scipy==1.17.1 pandas==3.0.3
environment/bin/pip install --quiet --disable-pip-version-check --no-deps hohmannpy==0.1.0
environment/bin/python - <<'END'
import sys, types

import numpy
# the viewer, which needs Qt, and the ground tracks are not used
sys.modules["hohmannpy.viewer"] = types.SimpleNamespace(viewing=None)
sys.modules["hohmannpy.astro.groundtracks"] = types.SimpleNamespace(Groundtrack=None)
from hohmannpy import astro
from hohmannpy.dynamics import dcms

radiation = astro.SolarRadiation()
radiation._finalize__init__(astro.Time("03/21/2026", "12:00:00"), astro.Time("03/25/2026", "12:00:00"))  # as Mission does
days = radiation._initial_jd_since_aphelion
print(f"21 March 2026: {days:.0f} days after aphelion, should be 260")
orbit = astro.Orbit(position=numpy.array([4.2e7, 0, 0]), velocity=numpy.array([0, 3070.0, 0]))
body = astro.Satellite("body", orbit, mass=1000.0, mean_reflective_area=10.0, reflectivity=1.5)
sun = -dcms.euler_2_dcm(numpy.deg2rad(-23.439291115), 1) @ radiation.earth_orbit_spline(0.0)
sun /= numpy.linalg.norm(sun)
side = numpy.cross(sun, [0, 0, 1])
places = {"between Earth and Sun": sun, "at a right angle": side / numpy.linalg.norm(side), "behind the Earth": -sun}
seen = {name: [numpy.linalg.norm(radiation.evaluate(hours * 3600.0, numpy.append(4.2e7 * place, [0, 0, 0]), body))
               for hours in (6, 18)] for name, place in places.items()}
for name, values in seen.items():
    print(f"{name}: acceleration {values[0]:.4g} and, 12 hours later, {values[1]:.4g} m/s^2")
ratio = seen["at a right angle"][0] / seen["at a right angle"][1]
assert days < 0 and seen["between Earth and Sun"] == [0, 0] and abs(ratio - 1.0688) < 1e-3

place, velocity = numpy.array([7e6, 1e6, 3e6]), numpy.array([-1e3, 6e3, 4e3])
elements = astro.state_2_classical(place, velocity)
away = numpy.linalg.norm(astro.classical_2_state(*elements)[0] - place)
a, e, node, third, fourth, anomaly = elements
exchanged = numpy.linalg.norm(astro.classical_2_state(a, e, node, fourth, third, anomaly)[0] - place)
print(f"state, elements, state: {away / 1000:.0f} km away; with two elements exchanged {exchanged / 1000:.3g} km")
assert away > 1e7 and exchanged < 1e-3
END

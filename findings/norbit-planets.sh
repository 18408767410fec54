#!/usr/bin/env bash
# NOrbit 1.0.2: the planets of its class Object have the longitude of the node, the longitude of perihelion and the mean
# longitude in the places where orbit() reads the argument of perihelion, the longitude of the node and the mean anomaly.
# And the time step of orbit() is as many times too long as the star has solar masses: its mass multiplies where it
# should divide. Seen on 2026-11-30: the planets start at heliocentric longitudes that are up to 152 degrees away from
# those of the same elements, the Earth at 194.0 instead of 100.4 degrees; around a star of 4 solar masses, "one orbit"
# is four.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check NOrbit==1.0.2 numpy==2.4.6 pydantic==2.13.4
environment/bin/python - <<'END'
import numpy
from NOrbit import NOrbit, Object

def longitude(elements):
    a, e, inclination, node, perihelion, mean = numpy.concatenate([elements[:2], numpy.radians(elements[2:6])])
    anomaly = mean - perihelion
    for _ in range(50):
        anomaly = mean - perihelion + e * numpy.sin(anomaly)  # Kepler's equation
    true = 2 * numpy.arctan(((1 + e) / (1 - e)) ** 0.5 * numpy.tan(anomaly / 2))
    angle = true + perihelion - node
    return (node + numpy.arctan2(numpy.sin(angle) * numpy.cos(inclination), numpy.cos(angle))) % (2 * numpy.pi)

places = NOrbit(object_elements=Object.planets_solar_system, m_primary=1.0).orbit(dt=0.5, n_orbits=1)[0][0]
away = []
for name, planet, place in zip(Object.planets_solar_system_names, Object.planets_solar_system, places[1:] - places[0]):
    seen, right = numpy.degrees([numpy.arctan2(place[1], place[0]) % (2 * numpy.pi), longitude(planet[0])])
    away.append((seen - right + 180) % 360 - 180)
    print(f"{name}: longitude {seen:.1f} degrees, from the elements {right:.1f}")
    if name == "Earth":
        assert abs(right - 100.4) < 0.1 and abs(seen - right) > 80

turns = []
for mass in (1.0, 4.0):
    planet = [numpy.array([1.0, 0, 0, 0, 0, 0, 0])]
    places = NOrbit(object_elements=[planet], m_primary=mass).orbit(dt=0.01, n_orbits=1)[0]
    way = numpy.unwrap(numpy.arctan2(*(places[:, 1] - places[:, 0])[:, 1::-1].T))
    turns.append((way[-1] - way[0]) / (2 * numpy.pi))
    print(f"star of {mass:g} solar masses, n_orbits=1: {turns[-1]:.3f} revolutions")
assert numpy.abs(away).max() > 90 and abs(turns[0] - 1) < 0.01 and abs(turns[1] - 4) < 0.05
END

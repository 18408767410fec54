#!/usr/bin/env bash
# gala 1.11.0: mass_enclosed() and circular_velocity() take distances from the origin of coordinates, not from the origin
# of a potential that has been moved; energy, gradient and density are around the latter. Seen on 2026-11-30: 2 kpc from
# the centre of a Hernquist sphere of 1e10 solar masses at x = 10 kpc, the enclosed mass is 1.6e11 solar masses on the
# far side, 36 times the right one and 16 times the total, and the circular velocity 6^(1/2) times the right one; on the
# near side, the enclosed mass is 16 times the right one. The same sphere at the origin has the right values.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check gala==1.11.0 astropy==8.0.2 numpy==2.4.6
environment/bin/python -W ignore - <<'END'
import numpy
from astropy import units
from gala.potential import HernquistPotential
from gala.units import galactic

mass, distance = 1e10, 2.0
right = mass * (distance / (distance + 1)) ** 2
seen = {}
for centre, side in ((0.0, 1), (10.0, 1), (10.0, -1)):
    sphere = HernquistPotential(m=mass * units.Msun, c=1 * units.kpc, origin=[centre, 0, 0] * units.kpc, units=galactic)
    place = [centre + side * distance, 0, 0] * units.kpc
    density = sphere.density(place)[0].value / (mass / (2 * numpy.pi * distance * (1 + distance) ** 3))
    enclosed = sphere.mass_enclosed(place)[0].value
    speed = sphere.circular_velocity(place)[0].to_value("km/s")
    seen[centre, side] = (enclosed / right, speed)
    print(f"centre at {centre:g} kpc, {side * distance:+g} kpc from it: density / the right one {density:.4f}, enclosed "
          f"mass {enclosed:.4g} Msun = {enclosed / right:.4f} of the right one, circular velocity {speed:.2f} km/s")
    assert abs(density - 1) < 1e-6
assert abs(seen[0.0, 1][0] - 1) < 1e-3
assert abs(seen[10.0, 1][0] - 36) < 0.1 and abs(seen[10.0, -1][0] - 16) < 0.1
assert abs(seen[10.0, 1][1] / seen[0.0, 1][1] - 6**0.5) < 0.01
END

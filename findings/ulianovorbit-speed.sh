#!/usr/bin/env bash
# ulianovorbit 1.4.0, orbits of planets: calc_orb_time() divides the way of a fixed angle by the time step: its
# velocities depend on the step. calc_orb_angle() appends the first velocity along y to those along x.
# calc_orbit_time_ue_v0() gives its parameters to the ellipse in the wrong order. Seen on 2026-11-30, the Earth's orbit:
# its speed is 54 m/s with steps of a day, 1,305 m/s with steps of an hour (30.3 km/s is right), and its period 2.4e-9
# days.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==2.3.5 matplotlib==3.10.7
environment/bin/pip install --quiet --disable-pip-version-check --no-deps ulianovorbit==1.4.0 ulianovellipse==1.8.4
MPLBACKEND=Agg environment/bin/python -W ignore - <<'END'
import numpy
from ulianovorbit import ou, uom_params

AU, sun = 1.495978707e11, 1.98847e30
R0, Ue, V0 = ou.kepler_to_ulianov(AU, 0.0167, sun)
right = 2 * numpy.pi * (AU**3 / (6.6743e-11 * sun)) ** 0.5 / 86400
periods = [ou.calc_orbit_time_r0v0_m(R0, V0, sun) / 86400, ou.calc_orbit_time_ue_v0(Ue, R0, V0) / 86400]
print(f"period {periods[0]:.1f} days from the mass, {periods[1]:.2g} from the speed; should be {right:.1f}")
assert abs(periods[0] - right) < 0.1 and periods[1] < 1e-8
orbit = uom_params(R0=R0, V0=V0, Ue=Ue)
for step in (86400, 3600):
    found = ou.calc_orb_time(orbit, 0, step, 20 * 86400, alpha_max_dg=360)
    speed = numpy.hypot(found.v_x[1], found.v_y[1])
    print(f"steps of {step} s: speed {speed:.0f} m/s, should be {V0:.0f}")
    assert abs(speed * step - 4.699e6) < 1e4
found = ou.calc_orb_angle(orbit, 0, 90, 1)
print(f"a quarter of the orbit has {len(found.e_x)} places, {len(found.v_x)} velocities along x, {len(found.v_y)} along y")
assert (len(found.e_x), len(found.v_x), len(found.v_y)) == (91, 92, 90)
END

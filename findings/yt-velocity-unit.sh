#!/usr/bin/env bash
# yt 4.4.3: load_particles ignores its argument velocity_unit ("conversion factor from simulation velocity units to
# cm/s") for the velocities of the particles: their unit is length_unit / time_unit, where time_unit is 1 s if it is
# not given. Seen on 2026-11-28: with kpc and km/s, a velocity of 1 is 3.08568e+21 cm/s, while velocity_unit is 1
# km/s.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check yt==4.4.3 numpy==2.4.6
environment/bin/python -W ignore - <<'END'
import numpy, yt

yt.set_log_level(50)
data = {f"particle_{kind}_{axis}": numpy.ones(2) for kind in ("position", "velocity") for axis in "xyz"}
data["particle_mass"] = numpy.ones(2)
loaded = yt.load_particles(data, length_unit="kpc", mass_unit="Msun", velocity_unit="km/s", bbox=[[0.0, 10]] * 3)
speed = float(loaded.all_data()["all", "particle_velocity_x"][0].to("cm/s"))
print(f"velocity_unit is {loaded.velocity_unit.to('km/s')}; a velocity of 1 is {speed:.6g} cm/s instead of 100000")
assert abs(float(loaded.velocity_unit.to("km/s")) - 1) < 1e-9 and abs(speed - 3.0856776e21) < 1e16
END

#!/usr/bin/env bash
# yt 4.4.3: to_dataframe mixes units in one table, and the table names none: positions are in code_length, velocities
# in cm/s and masses in g. A CSV file of it has no consistent units. Seen on 2026-11-28: a body at 1 kpc with 1 km/s
# and 1 Msun gives the row 1, 100000, 1.98842e+33.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check yt==4.4.3 pandas==3.1.1 numpy==2.4.6
environment/bin/python -W ignore - <<'END'
import numpy, yt

yt.set_log_level(50)
data = {f"particle_{kind}_{axis}": numpy.ones(2) for kind in ("position", "velocity") for axis in "xyz"}
data["particle_mass"] = numpy.ones(2)
loaded = yt.load_particles(data, length_unit="kpc", mass_unit="Msun", time_unit=(1, "kpc/km*s"), bbox=[[0.0, 10]] * 3)
fields = [("all", "particle_" + name) for name in ("position_x", "velocity_x", "mass")]
frame = loaded.all_data().to_dataframe(fields)
row = [float(value) for value in frame.iloc[0]]
print(list(frame.columns), ", ".join(f"{value:.6g}" for value in row))
assert numpy.allclose(row, [1, 1e5, 1.988416e33], rtol=1e-5)
END

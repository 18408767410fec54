#!/usr/bin/env bash
# AMUSE 2024.6.0: its G (CODATA 2018) times its MSun (1.98892e30 kg) is 0.025 % more than the well-known G M of the Sun
# (1.3271244e20 m^3/s^2, IAU 2015), so that planets are too fast. Seen on 2026-11-30: a body at 1 AU needs 365.2106 days
# for a turn around 1 MSun instead of 365.2569, 67 minutes less. AMUSE's 1 MSun is 1.00026 solar masses of astropy.
# Needs MPI (apt install libopenmpi-dev).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
echo setuptools==75.8.0 >constraints.txt # the newest that AMUSE can be built with
PIP_CONSTRAINT=$folder/constraints.txt environment/bin/pip install --quiet --disable-pip-version-check \
  --only-binary mpi4py amuse-framework==2024.6.0 mpi4py==4.1.2 numpy==2.4.6 setuptools==75.8.0
HOME=$folder environment/bin/python -W ignore - <<'END'
from math import pi

from amuse.units import constants, units

mass = (1 | units.MSun).value_in(units.kg)
stated, known = (constants.G * (1 | units.MSun)).value_in(units.m**3 / units.s**2), 1.3271244e20
turns = [2 * pi * (149597870700.0**3 / value)**0.5 / 86400 for value in (stated, known)]
print(f"MSun {mass:.6g} kg, G MSun / G M of the Sun {stated / known:.6f}; a turn at 1 AU needs {turns[0]:.4f} instead "
      f"of {turns[1]:.4f} days, {1440 * (turns[1] - turns[0]):.0f} minutes less")
assert abs(stated / known - 1.000254) < 1e-6 and abs(turns[1] - 365.2569) < 1e-4
END

#!/usr/bin/env bash
# satellitic 0.1.30, which simulates satellites: with collisions switched on, their gravity on each other is added
# without the constant of gravitation, 1.5e10 times too strong; and since the 27 cells around one fall on few places of
# the table of cells, neighbours are counted several times. Seen on 2026-11-30: two satellites of 1,000 kg that are 1
# km apart attract each other by 0.007 m/s^2, which is 7 m / r^2 (6.7e-14 is right).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==2.4.6 scipy==1.17.1 jax==0.10.2 jaxlib==0.10.2 \
  astropy==8.0.2 sgp4==2.25 pandas==3.1.1 matplotlib==3.11.2 requests==2.32.5
environment/bin/pip install --quiet --disable-pip-version-check --no-deps satellitic==0.1.30
environment/bin/python -W ignore - <<'END'
import collections

import jax.numpy as jnp
from satellitic.gravity import accel_hashgrid

Options = collections.namedtuple("Options", "cell_size grid_capacity cutoff")
places = jnp.array([[7e6, 0.0, 0.0], [7e6 + 1e3, 0.0, 0.0]])
found = float(accel_hashgrid(places, jnp.array([1e3, 1e3]), Options(1e4, 8, 5e3))[0, 0])
right = 6.6743e-11 * 1e3 / 1e3**2
print(f"two satellites of 1000 kg at 1 km: {found:.3g} m/s^2, should be {right:.3g}")
assert abs(found / (1e3 / 1e3**2) - 7) < 1e-4
END

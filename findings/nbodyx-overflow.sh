#!/usr/bin/env bash
# nbodyx 0.0.1rc56.post1: in the numbers of single precision that JAX has by default, the product of the package's own
# constants for the mass of the Sun and the astronomical unit is infinite, and so is the acceleration of the Earth. Seen
# on 2026-11-30: inf instead of 5.93e-3 m/s^2 at 1 AU; right with numbers of double precision.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check jax==0.4.35 jaxlib==0.4.35 numpy==2.0.2 scipy==1.14.1
environment/bin/pip install --quiet --disable-pip-version-check --no-deps nbodyx==0.0.1rc56.post1
environment/bin/python -W ignore - <<'END'
import jax
import jax.numpy as jnp
from nbodyx.constants import AU, G, M_earth, M_sun
from nbodyx.ode import make_n_body_ode


def acceleration(distance):
    motion = make_n_body_ode(jnp.array([M_sun, M_earth]))
    state = jnp.array([0.0, 0.0, distance, 0.0, 0.0, 0.0, 0.0, 0.0])
    return -float(motion(0.0, state, jnp.zeros(4))[6])


right = G * M_sun / AU**2
single = acceleration(AU)
jax.config.update("jax_enable_x64", True)
double = acceleration(AU)
print(f"acceleration at 1 AU: {single} in single and {double:.4g} in double precision, should be {right:.4g} m/s^2")
assert single == float("inf") and abs(double / right - 1) < 1e-9
END

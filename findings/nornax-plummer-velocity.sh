#!/usr/bin/env bash
# nornax 0.0.1: sample_plummer_sphere() has parameters total_mass and scale_radius, and its documentation says that the
# sphere is in approximate virial equilibrium. But the velocities are those for mass 1 and radius 1: the escape speed
# lacks the factor sqrt(G M / a) (Aarseth et al. 1974, 1974A&A....37..183A). Seen on 2026-11-30: of 2,000 bodies,
# -2 T / W is 1.02 for mass and radius 1, 0.102 for mass 10, and 10.2 for radius 10, where the sphere flies apart.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check nornax==0.0.1 jax==0.10.2 jaxlib==0.10.2 \
  diffrax==0.7.2 equinox==0.13.8 jaxtyping==0.3.11 beartype==0.23.1 scipy==1.17.1 numpy==2.4.6
JAX_ENABLE_X64=1 environment/bin/python -W ignore - <<'END'
import jax
from nornax.diagnostics import gravitational_potential_energy
from nornax.initial_conditions import sample_plummer_sphere

seen = []
for mass, radius in ((1, 1), (10, 1), (1, 10)):
    positions, velocities, masses = sample_plummer_sphere(jax.random.key(1), 2000, total_mass=mass, scale_radius=radius)
    kinetic = 0.5 * (masses[:, None] * velocities**2).sum()
    seen.append(float(-2 * kinetic / gravitational_potential_energy(positions, masses)))
    print(f"mass {mass}, radius {radius}: -2 T / W = {seen[-1]:.3g}")
assert abs(seen[0] - 1) < 0.05 and abs(seen[1] / seen[0] - 0.1) < 1e-6 and abs(seen[2] / seen[0] - 10) < 1e-4
END

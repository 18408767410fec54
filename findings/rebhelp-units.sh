#!/usr/bin/env bash
# rebhelp 0.2.0, helpers for REBOUND: sim_set(), which should take the constant of gravitation from a simulation, sets
# variables of its own that nobody reads: all functions stay in kilometres, kilograms and seconds. Seen on 2026-11-30,
# in AU, solar masses and years: the Earth's circular velocity is 2.6e-10 instead of 6.28 AU a year, its period 2.4e10
# years.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==2.3.5 rebound==4.4.10
environment/bin/pip install --quiet --disable-pip-version-check --no-deps rebhelp==0.2.0
environment/bin/python -W ignore - <<'END'
from math import pi
import rebhelp

simulation = rebhelp.simgen.astro()
simulation.add(m=1.0)
simulation.add(a=1.0)
rebhelp.sim_set(simulation)
sun = simulation.particles[0]
speed, period = rebhelp.v_circ(1.0, sun), rebhelp.period(1.0, sun)
energy = rebhelp.orbital_energy(sun, simulation.particles[1])
print(f"circular velocity {speed:.3g} AU a year, should be {2 * pi:.3g}; period {period:.3g} years, should be 1; "
      f"energy {energy:.3g}, should be {-2 * pi**2:.3g}")
assert abs(simulation.particles[1].P - 1) < 1e-3 and abs(speed - 6.6743e-20**0.5) < 1e-14
assert period > 2e10 and energy > 0
END

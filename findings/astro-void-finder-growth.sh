#!/usr/bin/env bash
# astro-void-finder 0.2.0: the linear growth factor lacks the factor H(a) in front of its integral: in a universe of matter
# alone it is a^2.5 instead of a. The linear power spectrum has the slope n - 1 of the primordial curvature instead of n.
# density_field_estimate() loses what the clouds of particles have beyond the upper faces of the cube. And
# OptimizedNBody, its N-body code, raises TypeError always. Seen on 2026-11-30: at z = 1, growth 0.177 instead of 0.5 for
# Omega_m = 1, 0.347 instead of 0.612 for Omega_m = 0.3; slope -0.04 instead of 0.96; 9.0 % of the mass are missing
# on 16^3 cells.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==2.4.6 scipy==1.17.1 numba==0.68.1
environment/bin/pip install --quiet --disable-pip-version-check --no-deps astro-void-finder==0.2.0
environment/bin/python -W ignore - <<'END'
import numpy
from astrolib.cosmology import Cosmology
from astrolib.optimized_nbody import OptimizedNBody, SimulationConfig
from astrolib.voidfinder import density_field_estimate
from scipy.integrate import quad

for matter in (1.0, 0.3):
    hubble = lambda a: (matter / a**3 + 1 - matter) ** 0.5
    right = [hubble(a) * quad(lambda b: (b * hubble(b)) ** -3, 1e-9, a)[0] for a in (0.5, 1)]
    seen = Cosmology(Om0=matter, Ode0=1 - matter).growth_factor(1.0)
    print(f"Omega_m = {matter}: growth factor at z = 1 {seen:.4f}, should be {right[0] / right[1]:.4f}")
    assert abs(seen * hubble(0.5) - right[0] / right[1]) < 1e-3
spectrum = Cosmology().linear_power_spectrum(numpy.array([1e-5, 1e-4]), 0.0)
slope = numpy.log10(spectrum[1] / spectrum[0])
print(f"slope of the power spectrum at small wave numbers {slope:.3f}, should be 0.96")
assert abs(slope + 0.04) < 1e-3

places = numpy.random.default_rng(1).uniform(size=(20000, 3))
share = density_field_estimate(places, numpy.ones(20000), 16).sum() / 20000
print(f"mass in the density field / mass of the particles {share:.4f}")
assert abs(share - 0.91) < 0.01
try:
    OptimizedNBody(SimulationConfig(use_cache=False)).simulate_chunk(places[:10], numpy.zeros((10, 3)), numpy.ones(10))
    raise SystemExit("OptimizedNBody works")
except TypeError as error:
    print(f"OptimizedNBody: TypeError, {error}")
END

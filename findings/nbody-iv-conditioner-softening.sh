#!/usr/bin/env bash
# nbody-iv-conditioner 0.0.3: contotene(), which "conditionates the total energy", misses it with a softening: its search
# for the scale of the places diverges, and they are infinite, although a scale near 1 is right.
# general_inertia_tensor() returns the angular momentum of masses and places instead of a tensor; contotangmom(), for the
# angular momentum, raises TypeError always. Seen on 2026-11-30, 10 bodies with distances of 2, G = 2, energy -3 asked for:
# softening 0: -3.000000; 0.5: -3.000251; 0.7: not a number, where a potential energy of -99.7 is needed, that is -96.7
# before, and can be as low as -292.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check nbody-iv-conditioner==0.0.3 numpy==2.4.6
environment/bin/python -W ignore - <<'END'
import numpy
from nbody_iv_conditioner.api import Conditioners, Utils

def bodies():
    random = numpy.random.default_rng(1)
    masses = random.uniform(1, 2, 10)
    return (masses, *(numpy.asfortranarray(random.normal(size=(3, 10))) for _ in range(2)))

energies = {}
for softening in (0.0, 0.5, 0.7):
    masses, places, momenta = Conditioners.contotene(-3.0, *bodies(), 2.0, softening)
    distances = numpy.linalg.norm(places[:, :, None] - places[:, None], axis=0)
    pairs = numpy.triu_indices(10, 1)
    potential = -2.0 * (numpy.outer(masses, masses)[pairs] / (distances[pairs] ** 2 + softening**2) ** 0.5).sum()
    energies[softening] = (momenta**2 / masses).sum() / 2 + potential
    own = Utils.total_energy(masses, places, momenta, 2.0, softening)
    print(f"softening {softening}: energy {energies[softening]:.6f}, by its own total_energy() {own:.6f}, should be -3")
assert abs(energies[0.0] + 3) < 1e-9 and 2e-4 < abs(energies[0.5] + 3) < 3e-4 and numpy.isnan(energies[0.7])

masses, places, momenta = bodies()
tensor = Utils.general_inertia_tensor(masses, places)
print(f"general_inertia_tensor(): shape {tensor.shape}, should be (3, 3)")
assert tensor.shape == (3,)
try:
    Conditioners.contotangmom(numpy.array([1.0, 2.0, 3.0]), masses, places, momenta)
    raise SystemExit("contotangmom() works")
except TypeError as error:
    print(f"contotangmom(): TypeError, {error}")
END

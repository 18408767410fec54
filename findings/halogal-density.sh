#!/usr/bin/env bash
# halogal 0.1.0, galaxies in haloes: number densities and luminosity functions integrate the mass function over log10(M).
# That of colossus is multiplied by ln(10) for this (though documented as dn / dln(M)), that of halomod, used once a
# correlation function has been asked for, is not: densities then fall to 1 / ln(10).
# Seen on 2026-12-01: the same call gives 0.00226 galaxies per Mpc³ before and 0.00088 after
# initialize_correlation_model; with halomod's mass function, 0.00202 is right.
# Right value: the integral of (galaxies in a halo) dn / dln(M) over ln(M).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check halogal==0.1.0 numpy==2.2.6 scipy==1.15.3 \
  colossus==1.4.0 halomod==2.2.2 hmf==3.5.2 camb==2.0.5 astropy==7.1.1
environment/bin/python -W ignore - <<'END'
from importlib.metadata import version

import numpy
from colossus.cosmology import cosmology
from colossus.lss import mass_function
from halogal.cosmology import get_halo_mass_function
from halogal.model import HODModel, Observables

print("halogal", version("halogal"))
masses, found = get_halo_mass_function(6.0, num_points=100)
h = cosmology.getCurrent().h
right = mass_function.massFunction(10**masses * h, 6.0, mdef="vir", model="watson13", q_out="dndlnM") * h**3
print(f"documented dn / dln(M): {found[50] / right[50]:.4f} times that of colossus, in the same unit")
assert numpy.allclose(found / right, numpy.log(10))
observables = Observables(HODModel(z=6.0))
before = observables.number_density(-19.0)
observables.initialize_correlation_model(MUV_thresh1=-19.1, exclusion_model="DblSphere", theta_num=10, znum=10, rnum=20)
after = observables.number_density(-19.0)
haloes = observables._halomod_model
galaxies = observables.hod_model.Ngal(haloes.m / h, -19.0)
right = numpy.trapezoid(galaxies * haloes.dndlnm * h**3, numpy.log(haloes.m))
print(f"galaxies per Mpc³ brighter than -19: {before:.5f}, and after a correlation function {after:.5f}, should be "
      f"{right:.5f}")
assert abs(before / right - 1) < 0.2 and abs(right / after - numpy.log(10)) < 0.01
END

#!/usr/bin/env bash
# baryonic-correction 0.0.1: in the share of stars of the central galaxy (the form of Behroozi et al. 2013,
# doi:10.1088/0004-637X/770/1/57, that Schneider and Teyssier 2015, doi:10.1088/1475-7516/2015/12/049, use), 10^alpha x
# stands for 10^(alpha x), and exp(10 x) for exp(10^-x): a galaxy like ours has 1 / 168 of its stars. And
# mass_profile() of a truncated halo omits the truncation if that is beyond 5 scale radii: its mass grows without
# bound. Seen on 2026-11-30: 0.00025 of a halo of 1e12 solar masses are stars (0.0425 is right); 37.1 and 123 within 50
# and 50,000 scale radii of a halo that is truncated at 6 (10.3 is right).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check baryonic-correction==0.0.1 numpy==1.26.4 scipy==1.13.1 \
  matplotlib==3.9.4 h5py==3.12.1 hdf5plugin==5.0.0 tqdm==4.67.1
MPLBACKEND=Agg environment/bin/python -W ignore - <<'END'
import numpy
from Baryonic_Correction.abundance_fractions import f_cgal
from Baryonic_Correction.density_profiles import mass_profile, rho_nfw
from scipy.integrate import quad


def behroozi(x, alpha=-1.779, delta=4.394, gamma=0.547):
    rise = delta * numpy.log10(1 + numpy.exp(x)) ** gamma / (1 + numpy.exp(10**-x))
    return rise - numpy.log10(10 ** (alpha * x) + 1)


for mass, low, high in ((1e12, 160, 176), (1e13, 650, 730)):
    ratio = mass / 1.526e11
    right = 0.023 / ratio * 10 ** (behroozi(numpy.log10(ratio)) - behroozi(0))
    print(f"share of stars in {mass:.0e} solar masses: {f_cgal(mass):.3g}, should be {right:.3g}")
    assert low < right / f_cgal(mass) < high

halo = {"r_s": 1.0, "rho0": 1.0, "r_tr": 6.0}
for radius in (50.0, 5e4):
    found = mass_profile(radius, rho_nfw, **halo)
    right = quad(lambda t: 4 * numpy.pi * numpy.exp(3 * t) * rho_nfw(numpy.exp(t), **halo), -18, numpy.log(radius),
                 limit=300)[0]
    print(f"mass within {radius:.0f} scale radii: {found:.1f}, should be {right:.2f}")
    assert abs(right - 10.338) < 0.01 and found > 3.5 * right
END

#!/usr/bin/env bash
# deepszsim 0.1.2, which simulates maps of galaxy clusters on the cosmic background radiation: CAMB gets Omega_b for
# Omega_b h^2, and Omega_m for Omega_c h^2: the background is that of a universe with 2.5 times the matter. Seen on
# 2026-11-30, Planck 2015: the first peak is at l = 224 with 4,923 microkelvin^2 (220 and 5,250 are right), the rms of
# the background 100 microkelvin (108 is right).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==1.26.4 scipy==1.13.1 astropy==6.1.7 camb==1.5.9 \
  pixell==0.28.4 colossus==1.3.7 matplotlib==3.9.4 PyYAML==6.0.3 tqdm==4.67.1 h5py==3.12.1
environment/bin/pip install --quiet --disable-pip-version-check --no-deps deepszsim==0.1.2
MPLBACKEND=Agg environment/bin/python -W ignore - <<'END'
import camb, numpy
from astropy.cosmology import Planck15
from deepszsim import simtools

handed = {}
original = camb.set_params
camb.set_params = lambda **options: handed.update(options) or original(**options)
found = simtools.get_cls(0.96, Planck15)[0][0]
baryons, matter = (float(each) * Planck15.h**2 for each in (Planck15.Ob0, Planck15.Om0))
print(f"CAMB gets {handed['ombh2']:.4f} and {handed['omch2']:.4f} for the baryons and the cold dark matter, should be "
      f"{baryons:.4f} and {matter - baryons:.4f}")
assert abs(handed["ombh2"] - Planck15.Ob0) < 1e-9 and abs(handed["omch2"] - Planck15.Om0) < 1e-9

parameters = original(ns=0.96, H0=Planck15.H0.value, ombh2=baryons, omch2=matter - baryons, lmax=2000)
right = camb.get_results(parameters).get_total_cls(CMB_unit="muK", raw_cl=True)[:, 0]
l = numpy.arange(len(right))
for name, power in (("found", found), ("right", right)):
    scaled = power * l * (l + 1) / (2 * numpy.pi)
    peak = scaled[100:400].argmax() + 100
    spread = ((power * (2 * l + 1))[2:2000].sum() / (4 * numpy.pi)) ** 0.5
    print(f"{name}: first peak at l = {peak} with {scaled[peak]:.0f} microkelvin^2, rms {spread:.1f} microkelvin")
assert numpy.abs(found / right - 1)[2:2000].max() > 0.15
END

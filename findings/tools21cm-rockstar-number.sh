#!/usr/bin/env bash
# tools21cm 2.4.3: HaloRockstar with max_select_number, "the max number of halos to read", reads none: it goes on
# while there are more haloes than this number, not fewer. Only -1, which stands for no limit, reads any. There is no
# warning, and read_from_file() returns True ("if all the halos were read"). Seen on 2026-11-30: of a Rockstar list of
# 5 haloes, 5 are read with -1, and 0 with 1, 3 and 10.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check tools21cm==2.4.3 numpy==2.4.6 scipy==1.17.1 \
  astropy==8.0.2
TQDM_DISABLE=1 environment/bin/python -W ignore - <<'END'
from tools21cm.halo_list import HaloRockstar

with open("out_0.list", "w") as file:
    print("#ID DescID Mvir Vmax Vrms Rvir Rs Np X Y Z VX VY VZ JX JY JZ Spin", "#a = 0.500000",
          "#Om = 0.300000; Ol = 0.700000; h = 0.700000", "#FOF linking length: 0.280000",
          "#Unbound Threshold: 0.500000; FOF Refinement Threshold: 0.700000", "#Particle mass: 1.00000e+09 Msun/h",
          "#Box size: 100.000000 Mpc/h", "#Force resolution assumed: 0.001 Mpc/h", "#Units: Masses in Msun / h",
          "#Units: Positions in Mpc / h (comoving)", "#Units: Velocities in km / s (physical, peculiar)",
          "#Units: Halo Distances, Lengths, and Radii in kpc / h (comoving)",
          "#Units: Angular Momenta in (Msun/h) * (Mpc/h) * km/s (physical)", "#Units: Spins are dimensionless",
          "#Np is an internal debugging quantity.", "#Rockstar Version: 0.99.9-RC3+", sep="\n", file=file)
    for k in range(5):
        print(k, -1, 1e12 * (k + 1), 200, 210, 250, 20, 1000, k + 0.5, 2, 3, 10, 20, 30, 1, 2, 3, 0.03, file=file)

everything = HaloRockstar("out_0.list").halos
assert [halo.m for halo in everything] == [1e12 * (k + 1) for k in range(5)] and everything[4].pos[0] == 4.5
for limit in 1, 3, 10:
    catalogue = HaloRockstar()
    returned, read = catalogue.read_from_file("out_0.list", max_select_number=limit), len(catalogue.halos)
    print(f"max_select_number {limit}: {read} haloes of {len(everything)}, right are {min(limit, 5)}")
    assert read == 0 and returned is True
END

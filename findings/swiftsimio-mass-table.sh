#!/usr/bin/env bash
# swiftsimio 12.4.0: Writer stores the mass of the first body of a type in MassTable, also where the masses differ. In
# the GADGET layout, a mass in MassTable is that of all bodies of the type: pynbody 2.8.0 ignores the dataset Masses
# and gives all bodies the first mass. Seen on 2026-11-28: masses 1, 3, 5 Msun, MassTable 1; pynbody reads 1, 1, 1.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check swiftsimio==12.4.0 pynbody==2.8.0 h5py==3.16.0 \
  numpy==2.4.6
environment/bin/python -W ignore - <<'END'
import h5py, numpy, pynbody, swiftsimio, unyt
from swiftsimio.objects import cosmo_array

def array(values, unit, exponent):
    return cosmo_array(values, unit, comoving=True, scale_factor=1, scale_exponent=exponent)

writer = swiftsimio.Writer(unit_system="galactic", boxsize=array(numpy.full(3, 100.0), unyt.kpc, 1))
bodies = writer.dark_matter
bodies.coordinates = array(numpy.ones((3, 3)), unyt.kpc, 1)
bodies.velocities = array(numpy.zeros((3, 3)), unyt.km / unyt.s, 0)
bodies.masses = array(numpy.array([1.0, 3, 5]), unyt.Msun, 0)
writer.write("file.hdf5")

with h5py.File("file.hdf5") as file:
    table, masses = float(file["Header"].attrs["MassTable"][1]), file["PartType1/Masses"][:].tolist()
read = pynbody.load("file.hdf5")["mass"].tolist()
print(f"dataset Masses {masses}, MassTable {table}, masses in pynbody {read}")
assert masses == [1, 3, 5] and table == 1 and read == [1, 1, 1]
END

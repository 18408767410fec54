#!/usr/bin/env bash
# swiftsimio 12.4.0: Writer changes the arrays of the caller. cosmo_array shares the memory of a numpy array, and the
# assignment to a part of the Writer converts units in place. A script that uses its own array afterwards gets
# other numbers, and one that writes two files from it writes other bodies. Seen on 2026-11-28: 1 Mpc becomes 1000,
# and the second file has 1e+06 kpc.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check swiftsimio==12.4.0 h5py==3.16.0 numpy==2.4.6
environment/bin/python -W ignore - <<'END'
import h5py, numpy, swiftsimio, unyt
from swiftsimio.objects import cosmo_array

def array(values, unit, exponent):
    return cosmo_array(values, unit, comoving=True, scale_factor=1, scale_exponent=exponent)

positions, seen = numpy.ones((2, 3)), []
for path in ("first.hdf5", "second.hdf5"):
    writer = swiftsimio.Writer(unit_system="galactic", boxsize=array(numpy.full(3, 1e4), unyt.kpc, 1))
    writer.dark_matter.coordinates = array(positions, unyt.Mpc, 1)
    writer.dark_matter.velocities = array(numpy.zeros((2, 3)), unyt.km / unyt.s, 0)
    writer.dark_matter.masses = array(numpy.ones(2), unyt.Msun, 0)
    writer.write(path)
    with h5py.File(path) as file:
        seen.append((float(positions[0, 0]), float(file["PartType1/Coordinates"][0, 0])))
for (mine, written), path in zip(seen, ("first.hdf5", "second.hdf5")):
    print(f"{path}: x is {written:.6g} kpc; the array of the caller, 1 before, is {mine:.6g}")
assert numpy.allclose(seen, [(1e3, 1e3), (1e6, 1e6)])
END

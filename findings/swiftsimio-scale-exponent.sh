#!/usr/bin/env bash
# swiftsimio 12.4.0: Writer halves masses and velocities at scale factor 0.5. It stores 'a-scale exponent' 1 for
# quantities whose exponent is 0 (masses, peculiar velocities), so that swiftsimio multiplies them by a when it reads
# its own file. "Conversion factor to physical CGS" beside it is right. Seen on 2026-11-28: exponent 1.0, 3 Msun read
# as 1.5 Msun.
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
    return cosmo_array(values, unit, comoving=True, scale_factor=0.5, scale_exponent=exponent)

writer = swiftsimio.Writer(unit_system="galactic", boxsize=array(numpy.full(3, 100.0), unyt.kpc, 1),
                           scale_factor=0.5)
bodies = writer.dark_matter
bodies.coordinates = array(numpy.ones((2, 3)), unyt.kpc, 1)
bodies.velocities = array(numpy.full((2, 3), 200.0), unyt.km / unyt.s, 0)
bodies.masses = array(numpy.array([3.0, 3.0]), unyt.Msun, 0)
writer.write("file.hdf5")

with h5py.File("file.hdf5") as file:
    exponents = [float(file["PartType1"][name].attrs["a-scale exponent"][0]) for name in ("Masses", "Velocities")]
read = swiftsimio.load("file.hdf5").dark_matter
mass = float(read.masses.to_physical()[0].to_value("Msun"))
speed = float(read.velocities.to_physical()[0, 0].to_value("km/s"))
print(f"exponents of masses, velocities {exponents}; 3 Msun is read as {mass:.6g} Msun, 200 km/s as {speed:.6g} km/s")
assert exponents == [1, 1] and abs(mass - 1.5) < 1e-6 and abs(speed - 100) < 1e-6
END

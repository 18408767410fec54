#!/usr/bin/env bash
# sparepo 0.3.0: with more than 32 cells a side, particles are listed in wrong cells, because the number of the cell
# is computed in 16 bits and overflows. A region of such a hash table then has others than its own particles, without
# a warning; the documentation says: "you are guaranteed to get all particles inside". Seen on 2026-11-30, a box of
# 100 with 64,000 particles on a lattice: of 216 particles in a region at x = 60 to 75, 216 are found with 32 cells a
# side, and 0 with 40, though 216 are read; at x = 20 to 35, where the numbers of the cells are small, both find all.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check sparepo==0.3.0 numpy==2.4.6 h5py==3.16.0 \
  numba==0.68.1
environment/bin/python -W ignore - <<'END'
import h5py
import numpy
from sparepo import create_hashtable
from sparepo.particle_types import ParticleType
from sparepo.read import SpatialLoader
from sparepo.regions import CartesianSpatialRegion

side, lattice = 100.0, 40
axis = (numpy.arange(lattice) + 0.5) * side / lattice
places = numpy.stack(numpy.meshgrid(axis, axis, axis), -1).reshape(-1, 3)
with h5py.File("snapshot.0.hdf5", "w") as file:
    numbers = numpy.array([1, len(places), 0, 0, 1, 1])  # the table needs these types
    file.create_group("Header").attrs.update(
        NumPart_ThisFile=numbers, NumPart_Total=numbers, NumPart_Total_HighWord=0 * numbers, NumFilesPerSnapshot=1,
        BoxSize=side, HubbleParam=0.7, Time=1.0, Redshift=0.0, UnitLength_in_cm=3.085678e21)
    for kind in 0, 1, 4, 5:
        file[f"PartType{kind}/Coordinates"] = places[:numbers[kind]]

def inside(places, start):
    return int(((places >= [start, 20, 20]) & (places <= [start + 15, 35, 35])).all(1).sum())

found = {}
for cells in 32, 40:
    create_hashtable("snapshot.0.hdf5", cells, "table.hdf5")
    loader = SpatialLoader("table.hdf5", "snapshot.0.hdf5")
    for start in 20, 60:
        region = CartesianSpatialRegion(x=(start, start + 15), y=(20, 35), z=(20, 35))
        read = loader.read_dataset(ParticleType.DARK_MATTER, "Coordinates", region)
        found[cells, start] = inside(read, start)
        print(f"{cells} cells a side, x = {start} to {start + 15}: {found[cells, start]} of {inside(places, start)} "
              f"particles, among {len(read)} that are read")
assert inside(places, 60) == 216 and list(found.values()) == [216, 216, 216, 0]
END

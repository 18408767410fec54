#!/usr/bin/env bash
# planit 1.2.4: files that it writes are not what others read. In GADGET-2 files, the record markers are the number of
# particles; in that format (Fortran records) they are the number of bytes, and a reader needs them. In HDF5 files,
# Coordinates and Velocities have 3 N numbers in one dimension instead of N x 3, and remove() leaves place and
# velocity of the removed particle in them, so that the others get those of their neighbours. planit itself reads its
# GADGET-2 files. Seen on 2026-11-30: of 4 particles, the marker before 48 bytes of places is 4; after particle 11 of
# 10, 11, 12, 13 is removed, 3 IDs and 12 numbers of places, of which the second three are those of particle 11.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check planit==1.2.4 numpy==2.4.6 scipy==1.17.1 h5py==3.16.0 \
  numba==0.68.1
environment/bin/python -W ignore - <<'END'
import h5py
import numpy
from planit.snaptools import Snapshot

count = 4
snapshot = Snapshot()
snapshot.N, snapshot.header.BoxSize = count, 100.0
snapshot.header.npart = numpy.array([count, 0, 0, 0, 0, 0])
snapshot.header.npartTotal = snapshot.header.npart.copy()
places = numpy.arange(3.0 * count).reshape(count, 3)
snapshot.pos, (snapshot.x, snapshot.y, snapshot.z) = places, places.T.copy()
snapshot.vel, (snapshot.vx, snapshot.vy, snapshot.vz) = 0 * places, 0 * places.T
snapshot.id, snapshot.materialIDs = numpy.arange(10, 10 + count), numpy.full(count, 400)
for name in "m", "S", "rho", "hsml", "pot", "U", "P":
    setattr(snapshot, name, numpy.ones(count))

snapshot.write("snapshot")
with open("snapshot", "rb") as file:
    data = file.read()
marker = int.from_bytes(data[264:268], "little")
print(f"GADGET-2: marker before {12 * count} bytes of places: {marker}")
assert data[268:268 + 12 * count] == places.astype("<f4").tobytes() and marker == count
read = Snapshot()
read.load("snapshot")
assert (read.pos == places).all()

snapshot.remove(11)
snapshot.write("snapshot.hdf5")
with h5py.File("snapshot.hdf5") as file:
    ids, written = file["PartType0/ParticleIDs"][:], file["PartType0/Coordinates"][:] - 50  # the box is centred
print(f"HDF5: IDs {ids.tolist()}, Coordinates of shape {written.shape}: {written.astype(int).tolist()}")
assert ids.tolist() == [10, 12, 13] and written.shape == (12,) and (written[3:6] == places[1]).all()
END

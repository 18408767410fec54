#!/usr/bin/env bash
# yt 4.4.3: the IDs of particles in GADGET HDF5 files are read as float64, so that those above 2^53 are rounded, and two
# bodies may get the same. Codes store IDs of 64 bits, some of them large. Seen on 2026-11-30: the IDs 2^53 and 2^53 + 1
# are both read as 9007199254740992.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check yt==4.4.3 h5py==3.16.0 numpy==2.4.6
environment/bin/python -W ignore - <<'END'
import h5py, numpy, yt

stored = numpy.array([2**53, 2**53 + 1], dtype="u8")
with h5py.File("file.hdf5", "w") as file:
    header = file.create_group("Header").attrs
    for name in ("NumPart_ThisFile", "NumPart_Total"):
        header[name] = numpy.array([0, 2, 0, 0, 0, 0], dtype="u4")
    header["MassTable"] = numpy.zeros(6)
    header.update({"Time": 0.5, "Redshift": 0.0, "BoxSize": 10.0, "NumFilesPerSnapshot": 1, "Omega0": 0.0,
                   "OmegaLambda": 0.0, "HubbleParam": 1.0})
    bodies = file.create_group("PartType1")
    bodies["Coordinates"], bodies["Velocities"] = numpy.array([[1.0, 2, 3], [4, 5, 6]]), numpy.zeros((2, 3))
    bodies["Masses"], bodies["ParticleIDs"] = numpy.ones(2), stored
yt.set_log_level(50)
read = yt.load("file.hdf5").all_data()["all", "ParticleIDs"]
print(f"IDs in the file {stored.tolist()}, in yt {[int(value) for value in read]}, type {read.dtype}")
assert read.dtype == numpy.float64 and [int(value) for value in read] == [2**53, 2**53]
END

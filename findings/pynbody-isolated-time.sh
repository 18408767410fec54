#!/usr/bin/env bash
# pynbody 2.8.0: all snapshots of an isolated run in GADGET's HDF5 format have the same time. The time in the header is
# not read; properties["time"] is the age of a universe at Redshift, also where ComovingIntegrationOn is 0. Seen on
# 2026-11-30: snapshots at 0.5 and 2 units of 0.978 Gyr both have 9.778 Gyr, the age of an empty universe with h = 1.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check pynbody==2.8.0 h5py==3.16.0 numpy==2.4.6
environment/bin/python -W ignore - <<'END'
import h5py, numpy, pynbody

def time_read(path, time):
    """Time in Gyr that pynbody reads from a file with this time."""
    with h5py.File(path, "w") as file:
        header, parameters = file.create_group("Header").attrs, file.create_group("Parameters").attrs
        for name in ("NumPart_ThisFile", "NumPart_Total"):
            header[name] = numpy.array([0, 2, 0, 0, 0, 0], dtype="u4")
        header["MassTable"] = numpy.zeros(6)
        header.update({"Time": time, "Redshift": 0.0, "BoxSize": 0.0, "NumFilesPerSnapshot": 1})
        parameters.update({"ComovingIntegrationOn": 0, "Omega0": 0.0, "OmegaLambda": 0.0, "HubbleParam": 1.0,
                           "BoxSize": 0.0, "UnitLength_in_cm": 3.085678e21, "UnitMass_in_g": 1.989e43,
                           "UnitVelocity_in_cm_per_s": 1e5})
        bodies = file.create_group("PartType1")
        bodies["Coordinates"], bodies["Velocities"] = numpy.array([[1.0, 2, 3], [4, 5, 6]]), numpy.zeros((2, 3))
        bodies["Masses"], bodies["ParticleIDs"] = numpy.ones(2), numpy.arange(2, dtype="u4")
    return float(pynbody.load(path).properties["time"].in_units("Gyr"))

first, second = time_read("first.hdf5", 0.5), time_read("second.hdf5", 2.0)
print(f"times in the files 0.5 and 2, in pynbody {first:.4g} and {second:.4g} Gyr")
assert first == second and abs(first - 9.778) < 1e-3
END

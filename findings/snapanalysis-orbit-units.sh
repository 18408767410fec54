#!/usr/bin/env bash
# snapanalysis 0.1.1 detects units in the headers of GADGET HDF5 files, says its description. But get_particle_orbit()
# applies them twice: it multiplies positions that are in kpc already by the unit of length, velocities in km/s by that
# of velocity. Only files in kpc and km/s are read right. Seen on 2026-11-30: of a file in Mpc, a body at 50 kpc is at
# 50 kpc in the class snapshot, but at 50,000 kpc in its orbit; of a file of the same bodies in kpc, at 50 kpc in both.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check snapanalysis==0.1.1 astropy==8.0.2 h5py==3.16.0 \
  numpy==2.4.6
environment/bin/python -W ignore - <<'END'
import os

import h5py, numpy
from snapanalysis import sim, snap

for name, kpc in (("kpc", 1), ("Mpc", 1000)):
    os.mkdir(name)
    with h5py.File(f"{name}/snap_000.hdf5", "w") as file:
        file.create_group("Config")
        file.create_group("Parameters").attrs.update({"UnitLength_in_cm": kpc * 3.0856776e21, "UnitMass_in_g": 1.989e43,
                                                      "UnitVelocity_in_cm_per_s": 1e5})
        file.create_group("Header").attrs.update({"NumPart_ThisFile": [0, 2, 0, 0, 0, 0], "MassTable": [0.0] * 6,
                                                  "BoxSize": 0.0, "Time": 0.0})
        bodies = file.create_group("PartType1")
        bodies["Coordinates"] = numpy.array([[50.0, 0, 0], [-50, 0, 0]]) / kpc
        bodies["Velocities"], bodies["Masses"] = [[0.0, 100, 0], [0, -100, 0]], [1.0, 1]
        bodies["ParticleIDs"] = [1, 2]
    numpy.savetxt("centres.txt", numpy.zeros((2, 7)))  # time, position and velocity of the centre
    numpy.save("rotations.npy", numpy.eye(3)[None])
    snapshot = snap.snapshot(f"{name}/snap_000.hdf5", 1)
    snapshot.load_particle_data(["Coordinates"])
    read = snapshot.data_fields["Coordinates"][0, 0].to_value("kpc")
    orbit = sim.get_particle_orbit(name, 1, [1, 2], "centres.txt", "rotations.npy")
    in_orbit = orbit.pos[0, 0, 0].to_value("kpc")
    print(f"file in {name}: the first body is at {read:.6g} kpc in the snapshot, at {in_orbit:.6g} kpc in its orbit")
    assert abs(read - 50) < 1e-4 and abs(in_orbit / (50 * kpc) - 1) < 1e-4
END

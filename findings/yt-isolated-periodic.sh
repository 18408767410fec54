#!/usr/bin/env bash
# yt 4.4.3: an isolated system in a GADGET HDF5 file (BoxSize 0) is taken as periodic. The box around the bodies, 5 %
# wider, becomes the domain, and yt looks for neighbours through its walls. Seen on 2026-11-30, bodies at -10 and 10 on
# each axis: the domain is -10.5 to 10.5, and a sphere of radius 1.5 around x = 10 also has the body at x = -10, at a
# distance of 1.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check yt==4.4.3 h5py==3.16.0 numpy==2.4.6
environment/bin/python -W ignore - <<'END'
import h5py, numpy, yt

positions = 10.0 * numpy.concatenate([numpy.eye(3), -numpy.eye(3)])
with h5py.File("file.hdf5", "w") as file:
    header = file.create_group("Header").attrs
    for name in ("NumPart_ThisFile", "NumPart_Total"):
        header[name] = numpy.array([0, 6, 0, 0, 0, 0], dtype="u4")
    header["MassTable"] = numpy.zeros(6)
    header.update({"Time": 0.5, "Redshift": 0.0, "BoxSize": 0.0, "NumFilesPerSnapshot": 1, "Omega0": 0.0,
                   "OmegaLambda": 0.0, "HubbleParam": 1.0})
    bodies = file.create_group("PartType1")
    bodies["Coordinates"], bodies["Velocities"] = positions, numpy.zeros((6, 3))
    bodies["Masses"], bodies["ParticleIDs"] = numpy.ones(6), numpy.arange(6, dtype="u4")
yt.set_log_level(50)
loaded = yt.load("file.hdf5")
loaded.index  # finds the domain
sphere = loaded.sphere([10, 0, 0], (1.5, "code_length"))
places = sorted(sphere["all", "particle_position_x"].to_value("code_length").tolist())
distance = float(sphere["all", "particle_radius"].to_value("code_length").max())
edges = [float(edge[0].value) for edge in (loaded.domain_left_edge, loaded.domain_right_edge)]
print(f"domain {edges}, periodic {loaded.periodicity}; in the sphere: x = {places}, largest distance {distance:.6g}")
assert edges == [-10.5, 10.5] and all(loaded.periodicity) and places == [-10, 10] and abs(distance - 1) < 1e-9
END

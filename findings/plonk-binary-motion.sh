#!/usr/bin/env bash
# plonk 0.7.4, analysis.sinks: eccentricity, semi-major axis, orbital period and Hill radius of two sinks depend on
# the motion of the binary as a whole, since the energy of the orbit is the sum of both kinetic energies, not that of
# the relative motion. There is no warning. Also, temperature() ignores its parameter molecular_weight. Seen on
# 2026-11-30, Phantom HDF5 files of two stars of 0.5 Msun with an eccentricity of 0.36 and an axis of 0.735 AU: at
# rest they are right; with 7.4 and 14.9 km/s along z, the eccentricity is 0.538 and 0.877, the axis 0.901 and 2.778
# AU.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check plonk==0.7.4 numpy==2.4.6 scipy==1.17.1 h5py==3.16.0 \
  pint==0.25.3 numba==0.68.1 pandas==3.1.1 matplotlib==3.11.2
environment/bin/python -W ignore - <<'END'
import h5py
import numpy
import plonk
from plonk.analysis import particles, sinks

au, sun, gravity = 1.495978707e13, 1.98847e33, 6.6743e-8  # cgs
time = (au**3 / (gravity * sun)) ** 0.5
header = {"nparttot": 4, "ntypes": 7, "massoftype": numpy.full(7, 1e-6), "udist": au, "umass": sun, "utime": time,
          "umagfd": 1.0, "time": 0.0, "hfact": 1.2, "gamma": 5 / 3, "ieos": 2, "ndustsmall": 0, "ndustlarge": 0,
          "idust": 7, "nptmass": 2, "RK2": 0.0, "fileident": numpy.bytes_("fd:Phantom")}

for motion in 0.0, 0.25, 0.5:  # along z, in AU / time
    name = f"dump_{motion:.2f}.h5"
    with h5py.File(name, "w") as file:
        for key, value in header.items():
            file[f"header/{key}"] = value
        for key, value in {"itype": numpy.ones(4, "i1"), "xyz": numpy.eye(4, 3), "h": numpy.full(4, 0.1),
                           "vxyz": numpy.zeros((4, 3)), "u": numpy.ones(4)}.items():
            file[f"particles/{key}"] = value
        for key, value in {"m": [0.5, 0.5], "h": [0.01, 0.01], "xyz": [[-0.5, 0, 0], [0.5, 0, 0]],
                           "vxyz": [[0, -0.4, motion], [0, 0.4, motion]]}.items():
            file[f"sinks/{key}"] = numpy.array(value)
    snapshot = plonk.load_snap(name)
    eccentricity = sinks.eccentricity(snapshot.sinks).to("dimensionless").magnitude
    axis = sinks.semi_major_axis(snapshot.sinks).to("au").magnitude
    energy = 0.32 - 1  # of the relative motion with h = 0.8, divided by the reduced mass of 1/4
    right = (1 + 2 * energy * 0.64) ** 0.5, -0.5 / energy
    print(f"motion {motion * au / time / 1e5:.1f} km/s: eccentricity {eccentricity:.4f}, axis {axis:.4f} AU; "
          f"right are {right[0]:.4f} and {right[1]:.4f}")
    energy += 2 * motion**2  # with the motion of both stars
    assert abs(eccentricity - (1 + 2 * energy * 0.64) ** 0.5) < 1e-3 and abs(axis + 0.5 / energy) < 2e-3

kelvin = [particles.temperature(snapshot, molecular_weight=weight)[0].to("K").magnitude for weight in (1.0, 4.0)]
print(f"temperature for molecular weights 1 and 4: {kelvin[0]:.0f} and {kelvin[1]:.0f} K; right are 1 to 4")
assert kelvin[0] == kelvin[1]
END

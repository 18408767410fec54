#!/usr/bin/env bash
# makecloud 1.1.0, initial conditions of clouds for GIZMO: three files are not what the help says. --impact_dist, the
# "initial separation between cloud centers of mass in units of the cloud radius", moves each cloud by it, so that they
# are twice as far apart (the impact parameter is right). --makecylinder, a cylinder "of equivalent volume and mass",
# has a third of the volume, and its masses, energies and fields belong to the particles of the spherical cloud: each
# has another length than the positions. --turb_sol, the "fraction of turbulence in solenoidal modes", weighs
# amplitudes: at 0.5 two thirds of the energy are solenoidal, as without any weight. Seen on 2026-11-30, R = 10 pc:
# separation 40 instead of 20 pc; 12,240 positions with 12,376 masses and 14,752 fields, volume 1,383 instead of 4,189
# pc^3; fraction 0.68.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check makecloud==1.1.0 numpy==2.3.5 scipy==1.16.3 \
  h5py==3.15.1 docopt-ng==0.9.0
environment/bin/python -W ignore - <<'END'
import contextlib, io, os
import h5py, numpy
from makecloud import MakeCloud, TurbField

# a jittered lattice as the glass, and a small turbulent field where the program keeps those that it has made
generator = numpy.random.default_rng(1)
lattice = numpy.stack(numpy.meshgrid(*[numpy.arange(32)] * 3, indexing="ij"), -1).reshape(-1, 3)
with h5py.File("glass.hdf5", "w") as file:
    file["Coordinates"] = (lattice + 0.5 + 0.3 * (generator.random((32**3, 3)) - 0.5)) / 32
os.makedirs("turb")
field = TurbField(res=64, minmode=2, slope=2.0, sol_weight=0.5, seed=42)
numpy.save("turb/vturb2_beta2_sol0.5_seed42.npy", field[:, 16:48, 16:48, 16:48])

waves = numpy.array(numpy.meshgrid(*[numpy.fft.fftfreq(64)] * 3, indexing="ij"))
modes = numpy.array([numpy.fft.fftn(each) for each in field])
square = (waves**2).sum(0)
square[0, 0, 0] = 1.0
fraction = 1 - (abs((waves * modes).sum(0)) ** 2 / square).sum() / (abs(modes) ** 2).sum()
print(f"solenoidal fraction of the energy {fraction:.3f}, asked for 0.5")
assert 0.63 < fraction < 0.72


def cloud(**options):
    with contextlib.redirect_stdout(io.StringIO()):
        return MakeCloud(R=10.0, M=2e4, N=10000, glass_path="glass.hdf5", turb_path="turb", **options)


with h5py.File(cloud(impact_dist=2.0, impact_param=1.0, no_diffuse_gas=True, boxsize=100)) as file:
    position = file["PartType0/Coordinates"][:]
    apart = position[:10000].mean(0) - position[10000:].mean(0)
    print("separation of the clouds", apart.round(3), "pc, asked for 20 pc along x and 10 pc across")
    assert numpy.allclose(apart, [40, 10, 0], atol=1e-6)

with h5py.File(cloud(makecylinder=True).replace(".hdf5", "_CYL.hdf5")) as file:
    lengths = {name: len(data) for name, data in file["PartType0"].items()}
    position = file["PartType0/Coordinates"][:10000] - file["Header"].attrs["BoxSize"] / 2
    length, radius = 2 * abs(position[:, 0]).max(), (position[:, 1:] ** 2).sum(1).max() ** 0.5
    volume = numpy.pi * radius**2 * length
    print(f"cylinder: {lengths}; volume {volume:.0f} pc^3, of the cloud {4 / 3 * numpy.pi * 1e3:.0f} pc^3")
    assert lengths["Masses"] != lengths["Coordinates"] and lengths["MagneticField"] > lengths["Coordinates"] + 2000
    assert 1350 < volume < 1420
END

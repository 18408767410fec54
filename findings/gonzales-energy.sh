#!/usr/bin/env bash
# gonzales 0.1.2 (needs gcc): forces are softened as G m d / (d^3 + eps), the potential energy as G m m / (d + eps), which
# is not the potential of these forces. The energy that a simulation stores changes along each orbit however short the
# step, while the energy of the forces stays. Seen on 2026-11-30: two bodies of mass 1 that fall from a distance of 1 to
# one of 0.25 (eps = 0.1) have a stored energy of -0.819 at the start and -1.423 at the pericentre.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check Cython==3.2.9 h5py==3.16.0 numpy==2.4.6 psutil==7.2.2 \
  scipy==1.17.1 setuptools==80.9.0 wheel==0.45.1
environment/bin/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation gonzales==0.1.2
OMP_NUM_THREADS=1 environment/bin/python - <<'END' 2> log | tail -1
import sys
from unittest import mock

sys.modules["gonzales.ui.viewer"] = mock.MagicMock()  # its window needs Qt
import h5py, numpy, scipy.integrate
from gonzales.simulator.simulation import PPSimulation
from gonzales.simulator.space import Space

softening, masses = 0.1, numpy.ones(2)
places = numpy.array([[-0.5, 0, 0], [0.5, 0, 0]])
velocities = numpy.array([[0, -0.3, 0], [0, 0.3, 0]])
run = PPSimulation(Space(places, velocities, masses), "run.hdf5", 1.0, softening)
run.add_result("energy")
run.run(2000, 1e-3)
with h5py.File("run.hdf5") as file:
    results = file["results"]
    stored, place, speed = results["energy"][:, 0], results["position"][:], results["velocity"][:]
distance = numpy.linalg.norm(place[:, 1] - place[:, 0], axis=1)
kinetic = 0.5 * (speed**2).sum(axis=(1, 2))
closest = int(distance.argmin())
work = scipy.integrate.quad(lambda d: d / (d**3 + softening), distance[closest], distance[0])[0]
gained = kinetic[closest] - kinetic[0]
print(f"\rdistance {distance[0]:.3f} to {distance[closest]:.3f}: stored energy {stored[0]:.4f} to {stored[closest]:.4f}; "
      f"kinetic energy gained {gained:.5f}, work of the forces {work:.5f}")
assert abs(gained - work) < 1e-4 and abs(stored[closest] - stored[0]) > 0.5 * abs(stored[0])
END

#!/usr/bin/env bash
# galaxy-environment 1.0.1, knn(method="bayesian"): the surface density of all k nearest neighbours is pi k (k + 1) / 2
# by the sum of the distances, in 1 / Mpc; the estimator (Cowan and Ivezic 2008, doi:10.1086/528986) is k (k + 1) / (2
# pi) by the sum of the squared distances, in 1 / Mpc^2: the mean of that sum in a random field of density s is k (k +
# 1) / (2 pi s). Densities at two redshifts, and with the method "simple", cannot be compared. Seen on 2026-11-30, the
# same random field at z = 0.02 and 0.05, k = 10: 96.5 and 40.0 instead of 44.1 and 7.6 per Mpc^2 ("simple": 48.9 and
# 8.4).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check galaxy-environment==1.0.1 pandas==1.5.3 numpy==1.26.4
environment/bin/python -W ignore - <<'END'
import contextlib, io
import numpy, pandas
from galaxy_environment import distances, environment

generator = numpy.random.default_rng(1)
longitude = generator.uniform(150, 154, 1500)
latitude = numpy.degrees(numpy.arcsin(generator.uniform(-1, 1, 1500) * numpy.sin(numpy.radians(2))))
inside = (abs(longitude - 152) < 1) & (abs(latitude) < 1)
sky = numpy.radians(4) * 2 * numpy.sin(numpy.radians(2))
vector = numpy.stack([numpy.cos(numpy.radians(latitude)) * numpy.cos(numpy.radians(longitude)),
                      numpy.cos(numpy.radians(latitude)) * numpy.sin(numpy.radians(longitude)),
                      numpy.sin(numpy.radians(latitude))], -1)
nearest = numpy.sort(numpy.arccos(numpy.clip(vector @ vector.T, -1, 1)), 1)[:, 1:11]
for redshift, seen in ((0.02, 96.5), (0.05, 40.0)):
    galaxies = pandas.DataFrame({"ID": numpy.arange(1500), "RA": longitude, "DEC": latitude,
                                 "z": redshift + generator.normal(0, 1e-6, 1500)})
    distance = float(distances.cosmological_distances(numpy.array([redshift]))[0])
    true = 1500 / sky / distance**2
    right = (110 / (2 * numpy.pi) / (nearest**2).sum(1) / distance**2)[inside].mean()
    found = {}
    for method in ("simple", "bayesian"):
        with contextlib.redirect_stdout(io.StringIO()):
            table = environment.knn(galaxies, method=method, delta_z=0.01, kn=[10])
        found[method] = table["sigma_k10"][inside].mean()
    print(f"z = {redshift}: simple {found['simple']:.1f}, bayesian {found['bayesian']:.1f}, with squares {right:.1f}, "
          f"density of the field {true:.1f} per Mpc^2")
    assert abs(found["bayesian"] / seen - 1) < 0.02 and found["bayesian"] / true > 1.4
    assert abs(right / true - 1) < 0.15 and abs(found["simple"] / true - 1) < 0.15
END

#!/usr/bin/env bash
# clustertools 1.1.0: energies(ids=...) returns the energies in the order of the stars in the cluster, not of the ids,
# and those of an id that occurs twice once. Its documentation says that the arrays have the shape of the ids. Who asks
# for a list of stars that is sorted by radius, for instance, gets energies of other stars, without a warning. Seen on
# 2026-11-30 (G = 1): stars 2, 1, 0 at x = 3, 1, 0 with masses 4, 2, 1 have the potentials -1.33, -3, -3.33 if each is
# asked for alone, -3.33, -3, -1.33 together.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check clustertools==1.1.0 galpy==1.12.1 numba==0.68.1 \
  matplotlib==3.10.8 scipy==1.17.1 numpy==2.2.6
HOME=$folder environment/bin/python -W ignore - <<'END'
import clustertools, numpy

def potential(ids):
    cluster = clustertools.StarCluster(units="nbody", origin="cluster")
    at_rest = numpy.zeros(3)
    cluster.add_stars(numpy.array([0.0, 1, 3]), at_rest, at_rest, at_rest, at_rest, at_rest, numpy.array([1.0, 2, 4]),
                      numpy.arange(3))
    return [round(float(value), 4) for value in cluster.energies(ids=ids)[1]]

for ids in ([2, 1, 0], [1, 1]):
    print(f"stars {ids}: potential of each {[potential([star])[0] for star in ids]}, together {potential(ids)}")
single = [potential([star])[0] for star in range(3)]
assert potential([2, 1, 0]) == potential([0, 1, 2]) == single != single[::-1] and len(potential([1, 1])) == 1
END

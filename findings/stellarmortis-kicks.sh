#!/usr/bin/env bash
# StellarMortis 0.0.10: the "scaled" distributions of natal kicks, among them the default of black holes, should scale
# kicks by 1.35 / mass, says its documentation. They scale the height of the distribution instead, from which kicks are
# drawn by rejection: nothing changes. Seen on 2026-11-30, seed 1: black holes of 10 solar masses have kicks of 445 km/s
# on average with "Igoshev2020", and of 445 km/s with "scaled Igoshev2020", which should give 60.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==2.4.6 setuptools==80.9.0 wheel==0.45.1
environment/bin/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation stellarmortis==0.0.10
environment/bin/python - <<'END'
import importlib.util, os

import numpy
package = importlib.util.find_spec("stellarmortis").submodule_search_locations[0]
module = importlib.util.spec_from_file_location("kick", os.path.join(package, "kick.py"))  # all of it needs galpy
kick = importlib.util.module_from_spec(module)
module.loader.exec_module(kick)

means = {}
for name in ("Igoshev2020", "scaled Igoshev2020"):
    numpy.random.seed(1)
    kicks = kick.NatalKick({"Black Hole": name})
    speeds = [numpy.linalg.norm(kicks.get_kick("Black Hole", 10.0, 30.0)) for _ in range(2000)]
    means[name] = numpy.mean(speeds)
    print(f"{name}: mean kick of a black hole of 10 solar masses {means[name]:.1f} km/s")
right = 8**0.5 / numpy.pi**0.5 * (0.2 * 56 + 0.8 * 336)  # the mean of the two Maxwellians
print(f"from the distribution: {right:.1f} km/s, scaled by 1.35 / 10: {0.135 * right:.1f} km/s")
assert abs(means["scaled Igoshev2020"] / right - 1) < 0.05 and abs(means["Igoshev2020"] / right - 1) < 0.05
END

#!/usr/bin/env bash
# orbit-gen 0.2.0, Family: orbits that intersect the secondary body should be discarded, but its radius is compared
# with the distance from the centre of mass, not from the body: the orbit may go through the Moon. Seen on 2026-11-30:
# all of three halo orbits of Earth and Moon are kept, with pericentres of 1,737, 1,573 and 1,429 km, where the radius
# is 1,737.4. (The kernels, which it would download, are written here with the constants that it reads.)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check orbit-gen==0.2.0 numpy==2.4.6 scipy==1.17.1 \
  astropy==8.0.2 spiceypy==8.3.0
kernels=$folder/orbit-gen/kernels
mkdir -p "$kernels"
printf 'KPL/LSK\n\\begindata\nDELTET/DELTA_T_A = 32.184\n' >"$kernels/naif0012.tls"
printf 'KPL/PCK\n\\begindata\nBODY399_GM = ( 398600.435507 )\nBODY301_GM = ( 4902.800118 )\n' >"$kernels/gm_de440.tpc"
printf 'KPL/PCK\n\\begindata\nBODY301_RADII = ( 1737.4 1737.4 1737.4 )\n' >"$kernels/pck00011.tpc"
XDG_CACHE_HOME=$folder environment/bin/python -W ignore - <<'END'
import numpy
from orbit_gen import Family, RunConfig
from orbit_gen.setup.config import EM_SYSTEM, PRESETS, ContinuationConfig

steps = ContinuationConfig(step=-0.01, max_solutions=3, max_period_days=30)
family = Family(RunConfig(EM_SYSTEM, PRESETS["EM_L2_Northern_Halo"], steps, verbose=False))
radius = 1737.4
pericentres = []
for orbit in family.orbits:
    places = orbit.states[:, :3]
    distances = [numpy.linalg.norm(places - [x, 0, 0], axis=1).min() * 384400 for x in (1 - family.mu_star, 0)]
    pericentres.append(distances[0])
    print(f"period {orbit.period:.4f}: at least {distances[0]:.0f} km from the Moon, whose radius is {radius} km, and "
          f"{distances[1]:.0f} km from the centre of mass: kept")
assert len(pericentres) == 3 and max(pericentres) < radius and min(pericentres) < 1500
END

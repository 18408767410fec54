#!/usr/bin/env bash
# curvesimulator 0.6.3.2, CurveSimBody.load(): luminosity, offset and jitter of the radial velocity are handed over in
# another order than the constructor expects: a body that was saved comes back with the offset as luminosity, the
# jitter as offset, and the luminosity as jitter. Seen on 2026-11-30: a star of 3.8e26 W with an offset of 12 m/s and a
# jitter of 3 m/s comes back with 12 W, 3 m/s and 3.8e26 m/s. (A message that Pythons before 3.12 cannot read is
# rewritten here.)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==2.4.6 colorama==0.4.6
environment/bin/pip install --quiet --disable-pip-version-check --no-deps curvesimulator==0.6.3.2
package=$(environment/bin/python -c "import sysconfig; print(sysconfig.get_paths()['purelib'])")/curvesimulator
sed -i "s/{filename + \"\.bdy\"}/{filename}.bdy/" "$package/cs_body.py"
environment/bin/python -W ignore - <<'END'
import inspect, types

from curvesimulator.cs_body import CurveSimBody

units = ("g", "au", "r_sun", "m_sun", "l_sun", "r_jup", "m_jup", "r_nep", "m_nep", "r_earth", "m_earth")
names = list(inspect.signature(CurveSimBody.__init__).parameters)[2:]
options = types.SimpleNamespace(iterations=1, PARAMS=names, **{name: 1.0 for name in units})
values = {name: None for name in names}
values |= {"primary": True, "name": "star", "body_type": "star", "mass": 2e30, "radius": 7e8, "luminosity": 3.8e26,
           "rv_offset": 12.0, "rv_jitter": 3.0, "color": (1, 1, 1)}
star = CurveSimBody(options, **values)
star.save("./")
back = CurveSimBody.load("star", options)
for name in ("mass", "radius", "luminosity", "rv_offset", "rv_jitter"):
    print(f"{name}: {getattr(star, name):g} comes back as {getattr(back, name):g}")
assert (back.mass, back.radius) == (2e30, 7e8)
assert (back.luminosity, back.rv_offset, back.rv_jitter) == (12.0, 3.0, 3.8e26)
END

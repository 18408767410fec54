#!/usr/bin/env bash
# gala 1.11.0: hessian() is zero, without a warning, for potentials whose second derivatives are not implemented: tidal
# tensors vanish and Poisson's equation does not hold. Seen on 2026-11-30: SCFPotential with one coefficient has energy,
# gradient and density of Hernquist's sphere, but a Hessian of zeros; so have SphericalSplinePotential, BurkertPotential,
# KuzminPotential and LeeSutoTriaxialNFWPotential. HernquistPotential has the right one.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check gala==1.11.0 astropy==8.0.2 numpy==2.4.6
environment/bin/python -W error - <<'END'
import gala.potential, numpy
from astropy import constants, units
from gala.units import galactic

def potential(name, **parameters):
    return getattr(gala.potential, name + "Potential")(units=galactic, **parameters)

one, radii = numpy.ones((1, 1, 1)), numpy.geomspace(0.01, 100, 200)
hernquist = potential("Hernquist", m=1e10, c=1)
same = {"SCF": potential("SCF", m=1e10, r_s=1, Snlm=one, Tnlm=0 * one),
        "SphericalSpline": potential("SphericalSpline", r_knots=radii, spline_values=1e10 * (radii / (1 + radii))**2,
                                     spline_value_type="mass")}
others = {"Burkert": potential("Burkert", rho=1e7, r0=2), "Kuzmin": potential("Kuzmin", m=1e10, a=1),
          "LeeSutoTriaxialNFW": potential("LeeSutoTriaxialNFW", v_c=0.2, r_s=2, a=1, b=0.9, c=0.8)}
place = [2.1, 1.3, 0.7] * units.kpc
density = float((4 * numpy.pi * constants.G * hernquist.density(place)[0]).to_value("1/Myr2"))

def trace(of):
    return float(numpy.trace(of.hessian(place)[..., 0]).to_value("1/Myr2"))

print(f"Hernquist: 4 pi G density {density:.6f}, trace of the Hessian {trace(hernquist):.6f} per Myr^2")
assert abs(trace(hernquist) / density - 1) < 1e-6
for name, other in {**same, **others}.items():
    slope, largest = other.gradient(place), float(numpy.abs(other.hessian(place)).max().value)
    print(f"{name}: gradient {numpy.linalg.norm(slope.value):.6f} kpc/Myr^2, largest element of the Hessian {largest}")
    assert largest == 0 and numpy.abs(slope.value).min() > 0
    if name in same:
        assert numpy.allclose(slope.value, hernquist.gradient(place).value, rtol=1e-4)
END

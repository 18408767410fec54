#!/usr/bin/env bash
# astrodynx 0.9.12: rv2coe(), true_anomaly() and argument_of_periapsis() take the arc tangent of the norm of a cross
# product and of a dot product, which is never negative, so that both angles stay between 0 and pi: a body that
# approaches the pericentre is said to recede from it, and a pericentre south of the plane is put north of it. Vallado 2013,
# which the documentation names, takes 2 pi minus the angle where r . v < 0, and where the eccentricity vector points
# down. No position comes back from its elements, although coe2rv() is right. Seen on 2026-11-30: for 726 of 1,000
# random bound states coe2rv(*rv2coe(r, v)) is not r; the 274 others are outward bound with a pericentre in the north.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check astrodynx==0.9.12 jax==0.10.2 jaxlib==0.10.2 \
  jaxtyping==0.3.11 diffrax==0.7.2 equinox==0.13.8 lineax==0.1.1 optimistix==0.1.0 numpy==2.4.6
environment/bin/python -W ignore - <<'END'
import jax, numpy
jax.config.update("jax_enable_x64", True)
import astrodynx

generator = numpy.random.default_rng(1)
wrong = inbound = south = 0
position, velocity = generator.normal(size=(1000, 3)), generator.normal(size=(1000, 3))
distance = numpy.linalg.norm(position, axis=1, keepdims=True)
velocity *= 0.9 / distance**0.5 / numpy.linalg.norm(velocity, axis=1, keepdims=True)
elements = [numpy.asarray(each) for each in astrodynx.rv2coe(position, velocity)]
again = [numpy.asarray(each) for each in astrodynx.coe2rv(*elements)]
pericentre = numpy.cross(velocity, numpy.cross(position, velocity)) - position / distance
outward, north = (position * velocity).sum(1) > 0, pericentre[:, 2] > 0
back = numpy.linalg.norm(again[0] - position, axis=1) < 1e-6 * distance[:, 0]
print(f"{(~back).sum()} of 1000 positions differ from those of their elements; outward bound with a pericentre in the "
      f"north: {(outward & north).sum()}")
print(f"largest argument of pericentre and true anomaly: {elements[4].max():.4f} and {elements[5].max():.4f}")
assert (~back).sum() == 726 and (back == (outward & north)).all()
assert elements[4].max() <= numpy.pi and elements[5].max() <= numpy.pi

# with the two angles of Vallado the same coe2rv() brings all of them back
elements[4] = numpy.where(north, elements[4], 2 * numpy.pi - elements[4])
elements[5] = numpy.where(outward, elements[5], 2 * numpy.pi - elements[5])
again = [numpy.asarray(each) for each in astrodynx.coe2rv(*elements)]
worst = max(numpy.abs(again[0] - position).max(), numpy.abs(again[1] - velocity).max())
print(f"largest difference with the quadrants of Vallado: {worst:.1e}")
assert worst < 1e-8
END

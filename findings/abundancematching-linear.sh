#!/usr/bin/env bash
# AbundanceMatching 0.3.0, HaloAbundanceFunction(x, box_size, log_bins=False): documented as taking no logarithm of the
# property of the haloes (what one does for magnitudes, or for masses that are logarithms already), its
# get_number_density_table() still returns the exponential of the property as "the halo abundance proxy". Calling the
# same object, and calc_number_densities(), take the property itself. With log_bins=True all agree. Seen on 2026-11-30,
# logarithms of masses from 11 to 15: the table runs from 59,874 to 3,269,017; of its own 201 proxies the object knows
# none.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check AbundanceMatching==0.3.0 numpy==2.3.5 scipy==1.16.3
environment/bin/python -W ignore - <<'END'
import numpy
from AbundanceMatching import HaloAbundanceFunction

masses = numpy.linspace(11.0, 15.0, 10001)
for logarithm, values in ((True, 10.0**masses), (False, masses)):
    function = HaloAbundanceFunction(values, 100.0, log_bins=logarithm)
    proxy, density = function.get_number_density_table()
    known = numpy.isclose(function(proxy), density, rtol=1e-6).sum()
    print(f"log_bins={logarithm}: values from {values.min():g} to {values.max():g}, table from {proxy.min():g} to "
          f"{proxy.max():g}; at {known} of {len(proxy)} proxies of the table the object gives the density of the table")
    if logarithm:
        assert known >= len(proxy) - 2 and abs(proxy.min() / 1e11 - 1) < 1e-9
    else:
        assert known == 0 and abs(proxy.min() / numpy.exp(11) - 1) < 1e-9 and abs(proxy.max() / numpy.exp(15) - 1) < 1e-9
        assert numpy.isclose(function(numpy.log(proxy)), density, rtol=1e-6).sum() >= len(proxy) - 2
END

#!/usr/bin/env bash
# GIZMO (public source, commit c70c760, 2025-02-25), kernel_gravity() in kernel.h: two of nine softening kernels are
# not consistent. KERNEL_FUNCTION 9 (Wendland C6): potential and its derivative by the softening are 4 times what
# belongs to the force (1/16 instead of 1/64), so that energies and the conversion to Plummer's softening are wrong.
# KERNEL_FUNCTION 8: the tidal function has the wrong value beyond the inner part. Seen on 2026-11-28, at u = 0.7:
# force from the potential / force 1, for kernel 9 4; tidal function / derivative of the force 1, for kernel 8 -1.188.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
git init --quiet gizmo
git -C gizmo fetch --quiet --depth 1 https://github.com/pfhopkins/gizmo-public c70c760426bb5e4b76c3ea9e1c8b2cc792458898
git -C gizmo show FETCH_HEAD:kernel.h >kernel.h
cat >test.c <<'END'
#include <math.h>
#include <stdio.h>
#define DIMS 3
#define NUMDIMS 3
#define NORM_COEFF 4.188790204786
#include "kernel.h"
static double slope(int mode, double u) {
  const double e = 1e-5;
  return (kernel_gravity(u + e, 1, 1, mode) - kernel_gravity(u - e, 1, 1, mode)) / (2 * e) / u;
}
int main(void) {
  const double u = 0.7;
  const double force = slope(-1, u) / kernel_gravity(u, 1, 1, 1), tide = -kernel_gravity(u, 1, 1, 2) / slope(1, u);
  printf("kernel %d: force from potential / force %.3f, tidal function / derivative of force %.3f\n", KERNEL_FUNCTION,
         force, tide);
  return fabs(force - (KERNEL_FUNCTION == 9 ? 4 : 1)) > 1e-3 || fabs(tide - (KERNEL_FUNCTION == 8 ? -1.188 : 1)) > 1e-3;
}
END
for kernel in 1 2 3 4 5 6 7 8 9; do
  gcc -w -DKERNEL_FUNCTION=$kernel test.c -o test -lm
  ./test
done

#pragma once

namespace pericenter {

/// Nodes of Gauss-Radau quadrature with five points on [0, 1]: 0, and the roots of (P4(x) + P5(x)) / (1 + x) with
/// Legendre polynomials P and x = 2 h - 1.
inline constexpr int kPoints = 5;
inline constexpr double kPointSpacing[kPoints] = {
    0, 0.13975986434378055215208708112488, 0.41640956763108317994330233133708, 0.72315698636187617231995400231437,
    0.94289580388548231780687880744588};

/// Weights of the accelerations at the nodes in a step of order 9 by collocation: the acceleration is the polynomial
/// through these values (Butcher 1964, doi:10.1090/S0025-5718-1964-0159424-9). Plain arrays, for vectors_simd.h.
struct Collocation {
  double way[kPoints][kPoints];    ///< [n]: weights of the way to node n
  double first[kPoints][kPoints];  ///< the same with the values at earlier nodes only
  double end_way[kPoints], end_velocity[kPoints];
  double last_term[kPoints];  ///< weights of the coefficient of h^4
};

namespace collocation_details {

/// Coefficients of 1, h, h^2 and so on, in long doubles, so that weights are right to the last digit.
struct Polynomial {
  long double term[kPoints] = {1};

  constexpr long double once_integrated(long double h) const {
    long double sum = 0;
    for (int i = kPoints - 1; i >= 0; --i) sum = sum * h + term[i] / (i + 1);
    return sum * h;
  }
  constexpr long double twice_integrated(long double h) const {
    long double sum = 0;
    for (int i = kPoints - 1; i >= 0; --i) sum = sum * h + term[i] / ((i + 1) * (i + 2));
    return sum * h * h;
  }
};

/// 1 at node n, and 0 at the others of the first `count` nodes.
constexpr Polynomial basis(int n, int count) {
  Polynomial result;
  for (int k = 0; k < count; ++k) {
    if (k == n) continue;
    const long double root = kPointSpacing[k], scale = 1 / (kPointSpacing[n] - root);
    for (int i = kPoints - 1; i >= 0; --i)
      result.term[i] = scale * ((i > 0 ? result.term[i - 1] : 0) - root * result.term[i]);
  }
  return result;
}

}  // namespace collocation_details

constexpr Collocation collocation() {
  using collocation_details::basis;
  Collocation weights = {};
  for (int n = 0; n < kPoints; ++n) {
    const auto whole = basis(n, kPoints);
    weights.end_way[n] = static_cast<double>(whole.twice_integrated(1));
    weights.end_velocity[n] = static_cast<double>(whole.once_integrated(1));
    weights.last_term[n] = static_cast<double>(whole.term[kPoints - 1]);
    for (int m = 1; m < kPoints; ++m) {
      weights.way[m][n] = static_cast<double>(whole.twice_integrated(kPointSpacing[m]));
      if (n < m) weights.first[m][n] = static_cast<double>(basis(n, m).twice_integrated(kPointSpacing[m]));
    }
  }
  return weights;
}
inline constexpr Collocation kCollocation = collocation();

}  // namespace pericenter

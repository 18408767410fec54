#pragma once

#include <array>

namespace pericenter {

/// Nodes of Gauss-Radau quadrature with eight points on [0, 1]: 0, and the roots of (P7(x) + P8(x)) / (1 + x) with
/// Legendre polynomials P and x = 2 h - 1.
inline constexpr int kRadauNodes = 8, kRadauTerms = kRadauNodes - 1;
inline constexpr std::array<double, kRadauNodes> kRadauSpacing = {
    0,
    0.05626256053692214646565219,
    0.1802406917368923649875799,
    0.3526247171131696373739078,
    0.5471536263305553830014486,
    0.7342101772154105315232106,
    0.8853209468390957680903598,
    0.9775206135612875018911745,
};

/// Element [k][j] is the coefficient of h^(j+1) in h (h - h_1) ... (h - h_k).
using RadauProducts = std::array<std::array<double, kRadauTerms>, kRadauTerms>;
constexpr RadauProducts radau_products() {
  RadauProducts c = {};
  c[0][0] = 1;
  for (int k = 1; k < kRadauTerms; ++k) {
    for (int j = 0; j <= k; ++j) c[k][j] = (j > 0 ? c[k - 1][j - 1] : 0) - kRadauSpacing[k] * c[k - 1][j];
  }
  return c;
}
inline constexpr RadauProducts kRadauProducts = radau_products();

/// Element [n][k] is 1 / (h_n - h_k), for k < n.
constexpr std::array<std::array<double, kRadauNodes>, kRadauNodes> radau_inverse_differences() {
  std::array<std::array<double, kRadauNodes>, kRadauNodes> inverse = {};
  for (int n = 1; n < kRadauNodes; ++n)
    for (int k = 0; k < n; ++k) inverse[n][k] = 1 / (kRadauSpacing[n] - kRadauSpacing[k]);
  return inverse;
}
inline constexpr auto kRadauInverse = radau_inverse_differences();

/// Factors of b_k in the second and in the first integral of the acceleration.
inline constexpr std::array<double, kRadauTerms> kTwiceIntegrated = {1. / 6,  1. / 12, 1. / 20, 1. / 30,
                                                                     1. / 42, 1. / 56, 1. / 72};
inline constexpr std::array<double, kRadauTerms> kOnceIntegrated = {1. / 2, 1. / 3, 1. / 4, 1. / 5,
                                                                    1. / 6, 1. / 7, 1. / 8};

/// The sum of rounding errors that `total` has lost is kept (Kahan 1965, doi:10.1145/363707.363723).
inline void add_compensated(double& total, double& lost, double change) {
  const double corrected = change + lost;
  const double before = total;
  total = before + corrected;
  lost = corrected - (total - before);
}

/// One component of the motion of a body during one step of Gauss-Radau integration of order 15 (Everhart 1985; Rein
/// and Spiegel 2015, doi:10.1093/mnras/stu2164). At the share h of the step the acceleration is a + b_0 h + b_1 h^2 +
/// ... + b_6 h^7, or with the same values a + g_0 h + g_1 h (h - h_1) + ... + g_6 h (h - h_1) ... (h - h_6).
struct RadauSeries {
  double position = {}, velocity = {}, acceleration = {};  ///< when the step starts
  std::array<double, kRadauTerms> b = {}, g = {};
  double lost_position = {}, lost_velocity = {};  ///< see add_compensated()

  /// Way since the start at the share h of the time `span` of the step.
  double way(double span, double h) const {
    double sum = kTwiceIntegrated[kRadauTerms - 1] * b[kRadauTerms - 1];
    for (int k = kRadauTerms - 2; k >= 0; --k) sum = sum * h + kTwiceIntegrated[k] * b[k];
    const double t = span * h;
    return t * velocity + t * t * (0.5 * acceleration + h * sum);
  }
  double velocity_change(double span, double h) const {
    double sum = kOnceIntegrated[kRadauTerms - 1] * b[kRadauTerms - 1];
    for (int k = kRadauTerms - 2; k >= 0; --k) sum = sum * h + kOnceIntegrated[k] * b[k];
    return span * h * (acceleration + h * sum);
  }

  /// Takes the acceleration found at node n. Returns the change of g_(n-1).
  double correct(int n, double found) {
    double now = (found - acceleration) * kRadauInverse[n][0];
    for (int k = 1; k < n; ++k) now = (now - g[k - 1]) * kRadauInverse[n][k];
    const double change = now - g[n - 1];
    g[n - 1] = now;
    for (int j = 0; j < n; ++j) b[j] = b[j] + kRadauProducts[n - 1][j] * change;
    return change;
  }

  /// The start becomes the end of the step; the series stays.
  void finish(double span) {
    const double moved = way(span, 1), kicked = velocity_change(span, 1);
    add_compensated(position, lost_position, moved);
    add_compensated(velocity, lost_velocity, kicked);
  }

  /// The same series in units of a step `ratio` times as long, from the end of the step on: a first guess for the next.
  void predict_next(double ratio) {
    std::array<double, kRadauTerms> next = {};
    for (int j = 0; j < kRadauTerms; ++j) {
      double binomial = 1;  // (k + 1) choose (j + 1)
      for (int k = j; k < kRadauTerms; ++k) {
        next[j] = next[j] + binomial * b[k];
        binomial *= static_cast<double>(k + 2) / (k + 1 - j);
      }
    }
    b = next;
    rescale(ratio);
  }
  /// The same from the start on.
  void rescale(double ratio) {
    double power = 1;
    for (double& term : b) term = term * (power *= ratio);
    for (int k = kRadauTerms - 1; k >= 0; --k) {
      g[k] = b[k];
      for (int m = k + 1; m < kRadauTerms; ++m) g[k] = g[k] - kRadauProducts[m][k] * g[m];
    }
  }
  void forget() { b = g = {}; }
};

}  // namespace pericenter

#pragma once

#include <cmath>

namespace pericenter {

/// A small fixed-size vector; component k is v[k].
template <class Real, int Dim>
struct Vec {
  Real data[Dim] = {};

  constexpr Real& operator[](int k) { return data[k]; }
  constexpr const Real& operator[](int k) const { return data[k]; }

  constexpr Vec& operator+=(const Vec& other) {
    for (int k = 0; k < Dim; ++k) data[k] += other[k];
    return *this;
  }
  constexpr Vec& operator-=(const Vec& other) {
    for (int k = 0; k < Dim; ++k) data[k] -= other[k];
    return *this;
  }
  constexpr Vec& operator*=(Real factor) {
    for (int k = 0; k < Dim; ++k) data[k] *= factor;
    return *this;
  }
  friend constexpr Vec operator+(Vec a, const Vec& b) { return a += b; }
  friend constexpr Vec operator-(Vec a, const Vec& b) { return a -= b; }
  friend constexpr Vec operator*(Vec a, Real factor) { return a *= factor; }
  friend constexpr Vec operator*(Real factor, Vec a) { return a *= factor; }
  friend constexpr Vec operator-(Vec a) { return a *= Real(-1); }
  friend constexpr bool operator==(const Vec&, const Vec&) = default;
};

/// Scalar product.
template <class Real, int Dim>
constexpr Real dot(const Vec<Real, Dim>& a, const Vec<Real, Dim>& b) {
  Real sum = 0;
  for (int k = 0; k < Dim; ++k) sum += a[k] * b[k];
  return sum;
}

/// Vector product.
template <class Real>
constexpr Vec<Real, 3> cross(const Vec<Real, 3>& a, const Vec<Real, 3>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Euclidean norm; overflows where its square does.
template <class Real, int Dim>
constexpr Real length(const Vec<Real, Dim>& a) {
  return std::sqrt(dot(a, a));
}

template <class Real, int Dim>
bool is_finite(const Vec<Real, Dim>& a) {
  for (const Real x : a.data) {
    if (!std::isfinite(x)) return false;
  }
  return true;
}

/// Positions, velocities and accelerations of the interface.
using Vec3 = Vec<double, 3>;

}  // namespace pericenter

#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

// Cartesian expansions of the softened potential, of any order, in the plane or in space. Everything is constexpr and
// takes numbers or vectors of them for `T`, so that the CPU, its vector units and CUDA compute by the same formulas.
//
// With psi = sum m / sqrt(r^2 + eps^2), which is minus the potential, and alpha, beta for triples of exponents, a
// source cell is described about its centre of mass by
//
//   M_beta = sum m y^beta / beta!,  |beta| < P  (those of |beta| = 1 vanish),
//
// its field about the centre of a target by
//
//   L_alpha = sum_beta (-1)^|beta| M_beta D_{alpha + beta},  |alpha + beta| <= P,
//
// and the field at x from that centre is psi = sum_alpha L_alpha x^alpha / alpha!, where D are the derivatives of
// 1 / sqrt(r^2 + eps^2) at the separation of the centres. What is left out is, relative to the acceleration and to the
// potential of a cell, of order P of (size / distance): Dehnen 2002, doi:10.1006/jcph.2002.7026, and for any order
// 2014, doi:10.1186/s40668-014-0001-7. The softened kernel is not harmonic, so all components of a tensor are kept.
namespace pericenter {

/// Exponents of x, y and z.
struct Exponents {
  int of[3] = {};

  constexpr int degree() const { return of[0] + of[1] + of[2]; }
  /// An axis with the lowest exponent that is not 0.
  constexpr int lowest_axis() const {
    int axis = -1;
    for (int k = 0; k < 3; ++k) {
      if (of[k] > 0 && (axis < 0 || of[k] < of[axis])) axis = k;
    }
    return axis;
  }
  constexpr Exponents plus(const Exponents& other) const {
    return {{of[0] + other.of[0], of[1] + other.of[1], of[2] + other.of[2]}};
  }
  constexpr Exponents less(int axis, int by) const {
    Exponents result = *this;
    result.of[axis] -= by;
    return result;
  }
};

/// Monomials of at most this degree.
template <int Dim>
constexpr int monomials_up_to(int degree) {
  return Dim == 3 ? (degree + 1) * (degree + 2) * (degree + 3) / 6 : (degree + 1) * (degree + 2) / 2;
}
/// Place of a monomial among all: by degree, then the powers of x first.
template <int Dim>
constexpr int monomial_index(const Exponents& e) {
  const int rest = e.of[1] + e.of[2];
  return monomials_up_to<Dim>(e.degree() - 1) + (Dim == 3 ? rest * (rest + 1) / 2 + e.of[2] : rest);
}
template <int Dim>
constexpr Exponents monomial(int index) {
  for (int degree = 0;; ++degree) {
    if (index >= monomials_up_to<Dim>(degree)) continue;
    for (int y = 0; y <= degree; ++y) {
      for (int z = 0; z <= (Dim == 3 ? degree - y : 0); ++z) {
        const Exponents e{{degree - y - z, y, z}};
        if (monomial_index<Dim>(e) == index) return e;
      }
    }
  }
}

/// Numbers that describe a source cell for order P: mass, then all of degree 2 to P - 1.
template <int Dim, int P>
inline constexpr int kMultipoles = monomials_up_to<Dim>(P - 1) - Dim;
/// Numbers that describe a field: psi, its gradient, and so on up to degree P.
template <int Dim, int P>
inline constexpr int kLocals = monomials_up_to<Dim>(P);

/// Place of a monomial among the multipoles, -1 for those of degree 1, which vanish.
template <int Dim>
constexpr int multipole_index(const Exponents& e) {
  const int index = monomial_index<Dim>(e);
  return e.degree() == 0 ? 0 : e.degree() == 1 ? -1 : index - Dim;
}

/// Calls f(std::integral_constant<int, i>) for i = First ... Last - 1.
template <int First, int Last, class F>
constexpr void for_constants(F&& f) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (f(std::integral_constant<int, First + static_cast<int>(I)>{}), ...);
  }
  (std::make_index_sequence<static_cast<std::size_t>(Last - First)>{});
}

/// A number of the type that vectors `T` are of.
template <class T>
constexpr auto scalar(double x) {
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<T>(x);
  } else {
    return static_cast<std::remove_cvref_t<decltype(std::declval<T&>()[0])>>(x);
  }
}

/// Sets power[i] = x^alpha / alpha! for all monomials up to degree P.
template <int Dim, int P, class T>
constexpr void set_powers(const T (&x)[Dim], T (&power)[monomials_up_to<Dim>(P)]) {
  power[0] = T{} + scalar<T>(1);
  for_constants<1, monomials_up_to<Dim>(P)>([&](auto i) {
    constexpr Exponents e = monomial<Dim>(i);
    constexpr int axis = e.lowest_axis();
    const T factor = e.of[axis] == 1 ? x[axis] : x[axis] * scalar<T>(1.0 / e.of[axis]);
    power[i] = power[monomial_index<Dim>(e.less(axis, 1))] * factor;
  });
}

/// Sets derivative[i] to those of 1 / sqrt(d^2 + eps^2) up to degree P, where `inverse` is that number. By the
/// recurrence of McMurchie and Davidson 1978, doi:10.1016/0021-9991(78)90092-X.
template <int Dim, int P, class T>
constexpr void set_derivatives(const T (&d)[Dim], T inverse, T (&derivative)[monomials_up_to<Dim>(P)]) {
  const T inverse2 = inverse * inverse;
  T seed[P + 1];
  seed[0] = inverse;
  for_constants<1, P + 1>([&](auto n) { seed[n] = seed[n - 1] * (inverse2 * scalar<T>(1 - 2 * n)); });
  derivative[0] = seed[P];
  for_constants<0, P>([&](auto step) {
    constexpr int n = P - 1 - step;
    // From the highest degree down, so that what is read is still that of step n + 1.
    for_constants<0, P - n>([&](auto down) {
      constexpr int degree = P - n - down;
      for_constants<monomials_up_to<Dim>(degree - 1), monomials_up_to<Dim>(degree)>([&](auto i) {
        constexpr Exponents e = monomial<Dim>(i);
        constexpr int axis = e.lowest_axis();
        derivative[i] = d[axis] * derivative[monomial_index<Dim>(e.less(axis, 1))];
        if constexpr (e.of[axis] == 2) derivative[i] += derivative[monomial_index<Dim>(e.less(axis, 2))];
        if constexpr (e.of[axis] > 2) {
          derivative[i] += scalar<T>(e.of[axis] - 1) * derivative[monomial_index<Dim>(e.less(axis, 2))];
        }
      });
    });
    derivative[0] = seed[n];
  });
}

/// Adds a point mass at `y` from the centre to the multipoles.
template <int Dim, int P, class T>
constexpr void add_mass_point(const T (&y)[Dim], T mass, T (&multipoles)[kMultipoles<Dim, P>]) {
  T power[monomials_up_to<Dim>(P - 1)];
  set_powers<Dim, P - 1>(y, power);
  for_constants<0, monomials_up_to<Dim>(P - 1)>([&](auto i) {
    constexpr int to = multipole_index<Dim>(monomial<Dim>(i));
    if constexpr (to >= 0) multipoles[to] += mass * power[i];
  });
}

/// Adds those of a child, whose centre lies at `y` from the centre.
template <int Dim, int P, class T>
constexpr void add_child_multipoles(const T (&y)[Dim], const T (&child)[kMultipoles<Dim, P>],
                                    T (&multipoles)[kMultipoles<Dim, P>]) {
  T power[monomials_up_to<Dim>(P - 1)];
  set_powers<Dim, P - 1>(y, power);
  for_constants<0, monomials_up_to<Dim>(P - 1)>([&](auto i) {
    for_constants<0, monomials_up_to<Dim>(P - 1)>([&](auto j) {
      constexpr Exponents of_child = monomial<Dim>(i), of_shift = monomial<Dim>(j);
      if constexpr (of_child.degree() + of_shift.degree() < P) {
        constexpr int from = multipole_index<Dim>(of_child), to = multipole_index<Dim>(of_child.plus(of_shift));
        if constexpr (from >= 0 && to >= 0) multipoles[to] += child[from] * power[j];
      }
    });
  });
}

/// Adds the field of a source cell to that of a target whose centre lies at `d` from the source's; `inverse` is
/// 1 / sqrt(d^2 + eps^2). A target that is a body needs the field up to Degree 1 only. locals[0], which only the
/// potential needs, is left alone without it.
template <int Dim, int P, bool WithPotential, int Degree = P, class T>
constexpr void add_far_field(const T (&d)[Dim], T inverse, const T (&multipoles)[kMultipoles<Dim, P>],
                             T (&locals)[monomials_up_to<Dim>(Degree)]) {
  T derivative[monomials_up_to<Dim>(P)];
  set_derivatives<Dim, P>(d, inverse, derivative);
  for_constants<WithPotential ? 0 : 1, monomials_up_to<Dim>(Degree)>([&](auto i) {
    for_constants<0, monomials_up_to<Dim>(P - 1)>([&](auto j) {
      constexpr Exponents alpha = monomial<Dim>(i), beta = monomial<Dim>(j);
      constexpr int from = multipole_index<Dim>(beta);
      if constexpr (alpha.degree() + beta.degree() <= P && from >= 0) {
        constexpr int at = monomial_index<Dim>(alpha.plus(beta));
        if constexpr (beta.degree() % 2 == 0) {
          locals[i] += multipoles[from] * derivative[at];
        } else {
          locals[i] -= multipoles[from] * derivative[at];
        }
      }
    });
  });
}

/// Adds the field of a parent to that of a child whose centre lies at `x` from the parent's.
template <int Dim, int P, bool WithPotential, class T>
constexpr void add_parent_field(const T (&x)[Dim], const T (&parent)[kLocals<Dim, P>], T (&locals)[kLocals<Dim, P>]) {
  T power[monomials_up_to<Dim>(P)];
  set_powers<Dim, P>(x, power);
  for_constants<WithPotential ? 0 : 1, monomials_up_to<Dim>(P)>([&](auto i) {
    for_constants<0, monomials_up_to<Dim>(P)>([&](auto j) {
      constexpr Exponents alpha = monomial<Dim>(i), gamma = monomial<Dim>(j);
      if constexpr (alpha.degree() + gamma.degree() <= P) {
        locals[i] += parent[monomial_index<Dim>(alpha.plus(gamma))] * power[j];
      }
    });
  });
}

/// Adds the acceleration at `x` from the centre to the first Dim elements of `force`, and the potential to the last.
template <int Dim, int P, bool WithPotential, class T, class Locals>
constexpr void add_field_at(const T (&x)[Dim], const Locals& locals, T (&force)[Dim + 1]) {
  T power[monomials_up_to<Dim>(P)];
  set_powers<Dim, P>(x, power);
  for_constants<0, monomials_up_to<Dim>(P - 1)>([&](auto j) {
    for_constants<0, Dim>([&](auto axis) {
      constexpr Exponents gamma = monomial<Dim>(j);
      constexpr Exponents up = gamma.less(axis, -1);
      force[axis] += locals[monomial_index<Dim>(up)] * power[j];
    });
  });
  if constexpr (WithPotential) {
    for_constants<0, monomials_up_to<Dim>(P)>([&](auto j) { force[Dim] -= locals[j] * power[j]; });
  }
}

}  // namespace pericenter

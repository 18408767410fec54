#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

// Cartesian expansions of the softened potential up to order kMaxDegree, in 2D or 3D. Everything is constexpr and
// accepts scalars or SIMD vectors as `T`, so that CPU, SIMD and CUDA code share the formulas.
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
// 1 / sqrt(r^2 + eps^2) at the separation of the centres. The truncation error, relative to the acceleration and to the
// potential of a cell, is of order P in (size / distance): Dehnen 2002, doi:10.1006/jcph.2002.7026, and for any order
// 2014, doi:10.1186/s40668-014-0001-7. The softened kernel is not harmonic, so all components of a tensor are kept.
// Where eps is small beside the separation, it nearly is, and fewer are enough: see add_harmonic_far_field().
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
/// Index of a monomial: by degree, then powers of x first.
template <int Dim>
constexpr int monomial_index(const Exponents& e) {
  const int rest = e.of[1] + e.of[2];
  return monomials_up_to<Dim>(e.degree() - 1) + (Dim == 3 ? rest * (rest + 1) / 2 + e.of[2] : rest);
}
/// Highest order of the expansions.
inline constexpr int kMaxDegree = 5;

/// Exponents of all monomials up to kMaxDegree, in the order of monomial_index.
template <int Dim>
inline constexpr auto kMonomials = [] {
  std::array<Exponents, static_cast<std::size_t>(monomials_up_to<Dim>(kMaxDegree))> all{};
  for (int degree = 0; degree <= kMaxDegree; ++degree) {
    for (int y = 0; y <= degree; ++y) {
      for (int z = 0; z <= (Dim == 3 ? degree - y : 0); ++z) {
        const Exponents e{{degree - y - z, y, z}};
        all[static_cast<std::size_t>(monomial_index<Dim>(e))] = e;
      }
    }
  }
  return all;
}();
template <int Dim>
constexpr Exponents monomial(int index) {
  return kMonomials<Dim>[static_cast<std::size_t>(index)];
}

/// Whether the power of z is at most 1. All other components of a harmonic tensor follow from these.
constexpr bool is_basic(const Exponents& e) {
  return e.of[2] < 2;
}

/// Number of multipoles of a source cell for order P: mass, then all of degree 2 to P - 1.
template <int Dim, int P>
inline constexpr int kMultipoles = monomials_up_to<Dim>(P - 1) - Dim;
/// Number of coefficients of a field: psi, its gradient, and so on up to degree P.
template <int Dim, int P>
inline constexpr int kLocals = monomials_up_to<Dim>(P);

/// Index of a monomial among the multipoles, -1 for degree 1, which vanishes.
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

/// A scalar constant of the element type of `T`.
template <class T>
constexpr auto scalar(double x) {
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<T>(x);
  } else {
    return static_cast<std::remove_cvref_t<decltype(std::declval<T&>()[0])>>(x);
  }
}

// The functions below execute lists of array operations, which constexpr code derives from the exponents. `Rule` is a
// class whose `list(add)` passes the operations to `add` in order; lists do not depend on the number type. Lambdas in
// nested loops over exponents would do the same, but take several times as long to compile.

template <class Rule>
inline constexpr auto kOperations = [] {
  constexpr std::size_t count = [] {
    std::size_t operations = 0;
    Rule::list([&](const typename Rule::Operation&) { ++operations; });
    return operations;
  }();
  std::array<typename Rule::Operation, count> all{};
  std::size_t next = 0;
  Rule::list([&](const typename Rule::Operation& operation) { all[next++] = operation; });
  return all;
}();
template <class Rule>
using OperationIndices = std::make_index_sequence<kOperations<Rule>.size()>;

template <int I>
inline constexpr std::size_t kPlace = static_cast<std::size_t>(I);

/// to[to] += a[a] * b[b], or -=.
struct Product {
  int to = 0, a = 0, b = 0;
  bool subtract = false;
};

template <class Rule, class A, class B, class To, std::size_t... K>
constexpr void add_products(const A& a, const B& b, To& to, std::index_sequence<K...>) {
  const int done[] = {(kOperations<Rule>[K].subtract
                           ? void(to[kPlace<kOperations<Rule>[K].to>] -=
                                  a[kPlace<kOperations<Rule>[K].a>] * b[kPlace<kOperations<Rule>[K].b>])
                           : void(to[kPlace<kOperations<Rule>[K].to>] +=
                                  a[kPlace<kOperations<Rule>[K].a>] * b[kPlace<kOperations<Rule>[K].b>]),
                       0)...};
  static_cast<void>(done);
}
/// Executes the products of a rule.
template <class Rule, class A, class B, class To>
constexpr void add_products(const A& a, const B& b, To& to) {
  add_products<Rule>(a, b, to, OperationIndices<Rule>{});
}

/// power[to] = power[from] * x[axis] / divisor
struct PowerStep {
  int to = 0, from = 0, axis = 0, divisor = 1;
};
template <int Dim, int P>
struct PowerRule {
  using Operation = PowerStep;
  template <class Add>
  static constexpr void list(Add add) {
    for (int i = 1; i < monomials_up_to<Dim>(P); ++i) {
      const Exponents e = monomial<Dim>(i);
      const int axis = e.lowest_axis();
      add({i, monomial_index<Dim>(e.less(axis, 1)), axis, e.of[axis]});
    }
  }
};

template <class Rule, class T, class Powers, std::size_t... K>
constexpr void execute_power_steps(const T* x, Powers& power, std::index_sequence<K...>) {
  const int done[] = {(power[kPlace<kOperations<Rule>[K].to>] =
                           power[kPlace<kOperations<Rule>[K].from>] *
                           (kOperations<Rule>[K].divisor == 1
                                ? x[kPlace<kOperations<Rule>[K].axis>]
                                : x[kPlace<kOperations<Rule>[K].axis>] * scalar<T>(1.0 / kOperations<Rule>[K].divisor)),
                       0)...};
  static_cast<void>(done);
}
/// Sets power[i] = x^alpha / alpha! for all monomials up to degree P.
template <int Dim, int P, class T>
constexpr void set_powers(const T (&x)[Dim], T (&power)[monomials_up_to<Dim>(P)]) {
  power[0] = T{} + scalar<T>(1);
  using Rule = PowerRule<Dim, P>;
  execute_power_steps<Rule>(x, power, OperationIndices<Rule>{});
}

/// derivative[to] = d[axis] * derivative[from] + factor * derivative[second], or derivative[0] = seed[n] where n >= 0.
struct DerivativeStep {
  int to = 0, axis = 0, from = 0, second = 0, factor = 0, seed = -1;
};
template <int Dim, int P, bool OnlyBasic = false>
struct DerivativeRule {
  using Operation = DerivativeStep;
  template <class Add>
  static constexpr void list(Add add) {
    for (int n = P - 1; n >= 0; --n) {
      // From the highest degree down, so that inputs are still those of step n + 1.
      for (int degree = P - n; degree > 0; --degree) {
        for (int i = monomials_up_to<Dim>(degree - 1); i < monomials_up_to<Dim>(degree); ++i) {
          const Exponents e = monomial<Dim>(i);
          if (OnlyBasic && !is_basic(e)) continue;
          const int axis = e.lowest_axis(), power = e.of[axis];
          const int second = power > 1 ? monomial_index<Dim>(e.less(axis, 2)) : 0;
          add({i, axis, monomial_index<Dim>(e.less(axis, 1)), second, power - 1});
        }
      }
      add({.seed = n});
    }
  }
};

template <class Rule, std::size_t K, class T, class Derivatives>
constexpr void execute_derivative_step(const T* d, const T* seed, Derivatives& derivative) {
  constexpr DerivativeStep step = kOperations<Rule>[K];
  if constexpr (step.seed >= 0) {
    derivative[0] = seed[kPlace<step.seed>];
  } else {
    derivative[kPlace<step.to>] = d[kPlace<step.axis>] * derivative[kPlace<step.from>];
    if constexpr (step.factor == 1) derivative[kPlace<step.to>] += derivative[kPlace<step.second>];
    if constexpr (step.factor > 1) {
      derivative[kPlace<step.to>] += scalar<T>(step.factor) * derivative[kPlace<step.second>];
    }
  }
}
template <class Rule, class T, class Derivatives, std::size_t... K>
constexpr void execute_derivative_steps(const T* d, const T* seed, Derivatives& derivative, std::index_sequence<K...>) {
  (execute_derivative_step<Rule, K>(d, seed, derivative), ...);
}
/// Sets derivative[i] to those of 1 / sqrt(d^2 + eps^2) up to degree P, where `inverse` is that number. By the
/// recurrence of McMurchie and Davidson 1978, doi:10.1016/0021-9991(78)90092-X.
template <int Dim, int P, bool OnlyBasic = false, class T>
constexpr void set_derivatives(const T (&d)[Dim], T inverse, T (&derivative)[monomials_up_to<Dim>(P)]) {
  const T inverse2 = inverse * inverse;
  T seed[P + 1];
  seed[0] = inverse;
  for_constants<1, P + 1>([&](auto n) { seed[n] = seed[n - 1] * (inverse2 * scalar<T>(1 - 2 * n)); });
  derivative[0] = seed[P];
  using Rule = DerivativeRule<Dim, P, OnlyBasic>;
  execute_derivative_steps<Rule>(d, seed, derivative, OperationIndices<Rule>{});
}

/// multipoles += mass * powers of the position
template <int Dim, int P>
struct MassPointRule {
  using Operation = Product;
  template <class Add>
  static constexpr void list(Add add) {
    for (int i = 0; i < monomials_up_to<Dim>(P - 1); ++i) {
      const int to = multipole_index<Dim>(monomial<Dim>(i));
      if (to >= 0) add({to, 0, i});
    }
  }
};
/// P2M: adds a point mass at offset `y` from the centre to the multipoles.
template <int Dim, int P, class T>
constexpr void add_mass_point(const T (&y)[Dim], T mass, T (&multipoles)[kMultipoles<Dim, P>]) {
  T power[monomials_up_to<Dim>(P - 1)];
  set_powers<Dim, P - 1>(y, power);
  const T masses[1] = {mass};
  add_products<MassPointRule<Dim, P>>(masses, power, multipoles);
}

/// multipoles += child * powers of the shift
template <int Dim, int P>
struct ChildRule {
  using Operation = Product;
  template <class Add>
  static constexpr void list(Add add) {
    for (int i = 0; i < monomials_up_to<Dim>(P - 1); ++i) {
      for (int j = 0; j < monomials_up_to<Dim>(P - 1); ++j) {
        const Exponents of_child = monomial<Dim>(i), of_shift = monomial<Dim>(j);
        if (of_child.degree() + of_shift.degree() >= P) continue;
        const int from = multipole_index<Dim>(of_child), to = multipole_index<Dim>(of_child.plus(of_shift));
        if (from >= 0 && to >= 0) add({to, from, j});
      }
    }
  }
};
/// Adds the multipoles of a child whose centre lies at `y` from the centre.
template <int Dim, int P, class T>
constexpr void add_child_multipoles(const T (&y)[Dim], const T (&child)[kMultipoles<Dim, P>],
                                    T (&multipoles)[kMultipoles<Dim, P>]) {
  T power[monomials_up_to<Dim>(P - 1)];
  set_powers<Dim, P - 1>(y, power);
  add_products<ChildRule<Dim, P>>(child, power, multipoles);
}

/// locals += (-1)^|beta| multipoles * derivatives
template <int Dim, int P, bool WithPotential, int Degree, bool OnlyBasic = false>
struct FarFieldRule {
  using Operation = Product;
  template <class Add>
  static constexpr void list(Add add) {
    for (int i = WithPotential ? 0 : 1; i < monomials_up_to<Dim>(Degree); ++i) {
      for (int j = 0; j < monomials_up_to<Dim>(P - 1); ++j) {
        const Exponents alpha = monomial<Dim>(i), beta = monomial<Dim>(j);
        const int from = multipole_index<Dim>(beta);
        if (alpha.degree() + beta.degree() > P || from < 0) continue;
        if (OnlyBasic && !(is_basic(alpha) && is_basic(beta))) continue;
        add({i, from, monomial_index<Dim>(alpha.plus(beta)), beta.degree() % 2 != 0});
      }
    }
  }
};
/// M2L: adds the field of a source cell to that of a target with its centre at offset `d` from the source; `inverse` is
/// 1 / sqrt(d^2 + eps^2). A target that is a body needs the field up to Degree 1 only. locals[0], which only the
/// potential needs, is not changed without WithPotential.
template <int Dim, int P, bool WithPotential, int Degree = P, class T>
constexpr void add_far_field(const T (&d)[Dim], T inverse, const T (&multipoles)[kMultipoles<Dim, P>],
                             T (&locals)[monomials_up_to<Dim>(Degree)]) {
  T derivative[monomials_up_to<Dim>(P)];
  set_derivatives<Dim, P>(d, inverse, derivative);
  add_products<FarFieldRule<Dim, P, WithPotential, Degree>>(multipoles, derivative, locals);
}

// Expansions of a harmonic kernel, in 3D. The three derivatives that differentiate another one twice more along x, y
// or z have the sum 0, so that those along z, and with them such components of L, follow from the basic ones; and the
// multipoles along z can be added to those along x and y beforehand.

/// One component along z z, and those along x x and y y beside it.
struct Trace {
  int along_z = 0, along_x = 0, along_y = 0;
};
/// Components of degree 2 to P with a power of z from 2 to MaxPower, by ascending power; `index` numbers components.
template <int P, int MaxPower, int (*index)(const Exponents&)>
struct TraceRule {
  using Operation = Trace;
  template <class Add>
  static constexpr void list(Add add) {
    for (int z = 2; z <= MaxPower; ++z) {
      for (int i = 0; i < monomials_up_to<3>(P); ++i) {
        const Exponents e = monomial<3>(i), rest = e.less(2, 2);
        if (e.of[2] == z) add({index(e), index(rest.less(0, -2)), index(rest.less(1, -2))});
      }
    }
  }
};
template <class Rule, class Tensor, std::size_t... K>
constexpr void complete_tensor(Tensor& tensor, std::index_sequence<K...>) {
  constexpr auto& traces = kOperations<Rule>;
  ((tensor[kPlace<traces[K].along_z>] -= tensor[kPlace<traces[K].along_x>] + tensor[kPlace<traces[K].along_y>]), ...);
}
/// Sets the other components of a tensor, which monomial_index numbers, from the basic ones and from their traces,
/// which they must be before: 0 if the tensor is harmonic.
template <int P, int MaxPower = P, class T>
constexpr void complete_harmonic(T (&tensor)[monomials_up_to<3>(P)]) {
  using Rule = TraceRule<P, MaxPower, monomial_index<3>>;
  complete_tensor<Rule>(tensor, OperationIndices<Rule>{});
}

template <class Rule, class Tensor, std::size_t... K>
constexpr void reduce_tensor(Tensor& tensor, std::index_sequence<K...>) {
  constexpr auto& traces = kOperations<Rule>;
  constexpr std::size_t last = sizeof...(K) - 1;
  ((tensor[kPlace<traces[last - K].along_z>] +=
    tensor[kPlace<traces[last - K].along_x>] + tensor[kPlace<traces[last - K].along_y>]),
   ...);
}
/// The inverse of complete_harmonic(): makes traces of the other components.
template <int P, class T>
constexpr void reduce_to_traces(T (&tensor)[monomials_up_to<3>(P)]) {
  using Rule = TraceRule<P, P, monomial_index<3>>;
  reduce_tensor<Rule>(tensor, OperationIndices<Rule>{});
}

template <int P>
using FoldRule = TraceRule<P - 1, P - 1, multipole_index<3>>;
template <class Rule, class Tensor, std::size_t... K>
constexpr void fold_tensor(Tensor& tensor, std::index_sequence<K...>) {
  constexpr auto& traces = kOperations<Rule>;
  constexpr std::size_t last = sizeof...(K) - 1;
  ((tensor[kPlace<traces[last - K].along_x>] -= tensor[kPlace<traces[last - K].along_z>],
    tensor[kPlace<traces[last - K].along_y>] -= tensor[kPlace<traces[last - K].along_z>]),
   ...);
}
template <class Rule, class Tensor, std::size_t... K>
constexpr void unfold_tensor(Tensor& tensor, std::index_sequence<K...>) {
  constexpr auto& traces = kOperations<Rule>;
  ((tensor[kPlace<traces[K].along_x>] += tensor[kPlace<traces[K].along_z>],
    tensor[kPlace<traces[K].along_y>] += tensor[kPlace<traces[K].along_z>]),
   ...);
}
/// Adds multipoles to the basic ones, which then act alone on a harmonic kernel. The others are kept.
template <int P, class Tensor>
constexpr void fold_multipoles(Tensor& multipoles) {
  fold_tensor<FoldRule<P>>(multipoles, OperationIndices<FoldRule<P>>{});
}
/// The inverse of fold_multipoles().
template <int P, class Tensor>
constexpr void unfold_multipoles(Tensor& multipoles) {
  unfold_tensor<FoldRule<P>>(multipoles, OperationIndices<FoldRule<P>>{});
}

/// Number of multipoles that act on a nearly harmonic kernel: the basic ones and that of z z.
template <int P>
inline constexpr int kHarmonicMultipoles = (P + 1) * (P - 1) - 1;
/// Indices of the multipoles, these first.
template <int P>
inline constexpr auto kHarmonicFirst = [] {
  std::array<int, static_cast<std::size_t>(kMultipoles<3, P>)> order{};
  std::size_t next = 0;
  for (const bool basic : {true, false}) {
    for (int i = 0; i < monomials_up_to<3>(P - 1); ++i) {
      const Exponents e = monomial<3>(i);
      const bool acts = is_basic(e) || e.degree() == 2;
      if (e.degree() != 1 && acts == basic) order[next++] = multipole_index<3>(e);
    }
  }
  return order;
}();

/// M2L as add_far_field(), for folded multipoles and eps far below d: of `multipoles` only the basic ones and that of z
/// z are read, and of `locals` the basic components and four traces changed, from which complete_harmonic() makes the
/// others when all sources were added. For P = 5 these are 23 of 32 and 40 of 56. Derivatives of degree 2 and 3 are
/// exact; what it neglects in those of a higher degree is of order (eps / d)^2.
template <int P, bool WithPotential, class T, class Real>
constexpr void add_harmonic_far_field(const T (&d)[3], T inverse, Real softening_squared,
                                      const T (&multipoles)[kMultipoles<3, P>], T (&locals)[kLocals<3, P>]) {
  T derivative[monomials_up_to<3>(P)] = {};
  set_derivatives<3, P, true>(d, inverse, derivative);
  // The trace of the second derivatives is -3 eps^2 / R^5, with R^2 = d^2 + eps^2; and its gradient that of the third.
  constexpr std::size_t zz = kPlace<monomial_index<3>({{0, 0, 2}})>, of_zz = kPlace<multipole_index<3>({{0, 0, 2}})>;
  const T inverse2 = inverse * inverse, fifth = inverse * inverse2 * inverse2;
  const T trace = fifth * (-3 * softening_squared), slope = fifth * inverse2 * (15 * softening_squared);
  if constexpr (WithPotential) locals[0] += multipoles[of_zz] * trace;
  locals[zz] += multipoles[0] * trace;
  for_constants<0, 3>([&](auto axis) {
    constexpr std::size_t along = kPlace<1 + axis>,
                          zz_along = kPlace<monomial_index<3>(monomial<3>(1 + axis).less(2, -2))>;
    const T of_third = slope * d[axis];
    if constexpr (axis < 2) derivative[zz_along] = of_third;
    locals[along] += multipoles[of_zz] * of_third;
    locals[zz_along] += multipoles[0] * of_third;
  });
  complete_harmonic<P, 2>(derivative);
  add_products<FarFieldRule<3, P, WithPotential, P, true>>(multipoles, derivative, locals);
}

/// locals += parent * powers of the shift
template <int Dim, int P, bool WithPotential>
struct ParentRule {
  using Operation = Product;
  template <class Add>
  static constexpr void list(Add add) {
    for (int i = WithPotential ? 0 : 1; i < monomials_up_to<Dim>(P); ++i) {
      for (int j = 0; j < monomials_up_to<Dim>(P); ++j) {
        const Exponents alpha = monomial<Dim>(i), gamma = monomial<Dim>(j);
        if (alpha.degree() + gamma.degree() > P) continue;
        add({i, monomial_index<Dim>(alpha.plus(gamma)), j});
      }
    }
  }
};
/// L2L: adds the field of a parent to that of a child with its centre at offset `x`.
template <int Dim, int P, bool WithPotential, class T>
constexpr void add_parent_field(const T (&x)[Dim], const T (&parent)[kLocals<Dim, P>], T (&locals)[kLocals<Dim, P>]) {
  T power[monomials_up_to<Dim>(P)];
  set_powers<Dim, P>(x, power);
  add_products<ParentRule<Dim, P, WithPotential>>(parent, power, locals);
}

/// force += locals * powers of the position, and the potential, the last element, -= these
template <int Dim, int P, bool WithPotential>
struct FieldRule {
  using Operation = Product;
  template <class Add>
  static constexpr void list(Add add) {
    for (int j = 0; j < monomials_up_to<Dim>(P - 1); ++j) {
      for (int axis = 0; axis < Dim; ++axis) add({axis, monomial_index<Dim>(monomial<Dim>(j).less(axis, -1)), j});
    }
    for (int j = 0; WithPotential && j < monomials_up_to<Dim>(P); ++j) add({Dim, j, j, true});
  }
};
/// L2P: adds the acceleration at offset `x` from the centre to the first Dim elements of `force`, and the potential to
/// the last.
template <int Dim, int P, bool WithPotential, class T, class Locals>
constexpr void add_field_at(const T (&x)[Dim], const Locals& locals, T (&force)[Dim + 1]) {
  T power[monomials_up_to<Dim>(P)];
  set_powers<Dim, P>(x, power);
  add_products<FieldRule<Dim, P, WithPotential>>(locals, power, force);
}

}  // namespace pericenter

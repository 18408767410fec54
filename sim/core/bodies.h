#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <string>
#include <type_traits>
#include <vector>

#include "sim/core/vec.h"

namespace pericenter {

/// The component that a body belongs to; decides its colour and whether it is drawn.
enum class Component : std::uint32_t { disc = 0, bulge = 1, halo = 2, other = 3 };

/// One body in scene units (G = 1), in double precision for every solver.
struct Body {
  Vec3 position;
  Vec3 velocity;
  double mass = 0;        ///< 0: a test particle, which feels forces and exerts none
  std::uint32_t tag = 0;  ///< make_tag(): home galaxy, component, decoration, birth radius
};

/// Allocates memory for bodies, in huge pages if it is large and the system supports them: faulting in 32 GB of 4 KiB
/// pages takes longer than creating the bodies. Throws std::bad_alloc, as require_memory() does.
void* allocate_bodies(std::size_t bytes);
/// Frees memory from allocate_bodies(bytes).
void free_bodies(void* memory, std::size_t bytes) noexcept;

/// Whether BodyAllocator zeroes new bodies.
enum class Initial : bool { zeros, nothing };

/// Allocator of Bodies: std::allocator with allocate_bodies() and Initial.
template <class T>
class BodyAllocator {
 public:
  using value_type = T;
  using is_always_equal = std::true_type;

  BodyAllocator() = default;
  explicit BodyAllocator(Initial initial) : initial_(initial) {}
  template <class U>
  BodyAllocator(const BodyAllocator<U>& other) : initial_(other.initial()) {}

  T* allocate(std::size_t count) {
    if (count > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(T)) throw std::bad_array_new_length();
    return static_cast<T*>(allocate_bodies(count * sizeof(T)));
  }
  void deallocate(T* memory, std::size_t count) noexcept { free_bodies(memory, count * sizeof(T)); }

  template <class U>
  void construct(U* at) const {
    if (initial_ == Initial::zeros) ::new (static_cast<void*>(at)) U();
  }

  Initial initial() const { return initial_; }
  friend bool operator==(const BodyAllocator&, const BodyAllocator&) { return true; }

 private:
  Initial initial_ = Initial::zeros;
};

/// A set of bodies on the host, as in scenes and snapshots.
using Bodies = std::vector<Body, BodyAllocator<Body>>;

/// Returns `count` uninitialised bodies, so that worker threads first-touch their pages.
Bodies uninitialized_bodies(std::size_t count);

/// Some of many bodies: the first ones, among which are the point masses of restricted encounters and the planets of a
/// solar system, and of the others every n-th.
struct BodySample {
  static constexpr std::size_t kFirst = 16;

  std::size_t bodies = 0;  ///< number of bodies in the whole
  std::size_t stride = 1;  ///< odd, because some scenes create bodies in pairs

  /// About `most` of `bodies` bodies, or all of them if they are not more.
  static constexpr BodySample of(std::size_t bodies, std::size_t most) {
    return {bodies, bodies <= most ? 1 : (bodies / (most > 0 ? most : 1)) | 1};
  }
  constexpr std::size_t first() const { return bodies < kFirst ? bodies : kFirst; }
  constexpr std::size_t size() const { return first() + (bodies - first() + stride - 1) / stride; }
  /// Index of the body that is element k of the sample.
  constexpr std::size_t index(std::size_t k) const { return k < first() ? k : first() + (k - first()) * stride; }
};

// A tag is the low 16 bits of a vertex attribute; write_vertices() puts a half-precision scalar in the high 16.
// shaders/vertex_layout.glsl reads the same layout; a test compares both.
inline constexpr int kTagGalaxyBits = 4;       ///< bits 0-3: home galaxy
inline constexpr int kTagComponentShift = 4;   ///< bits 4-5: Component
inline constexpr int kTagDecorationShift = 6;  ///< bits 6-7: Decoration
inline constexpr int kTagRadiusShift = 8;      ///< bits 8-15: birth radius
inline constexpr double kTagRadiusRange = 8;   ///< birth radii are stored as a fraction of this many disc scale lengths

/// The tag of a body: galaxy in 0..15; birth_radius in [0, kTagRadiusRange], clamped.
constexpr std::uint32_t make_tag(std::uint32_t galaxy, Component component, double birth_radius = 0) {
  const double fraction = birth_radius / kTagRadiusRange;
  const double clamped = fraction > 0 ? (fraction < 1 ? fraction : 1) : 0;
  return (galaxy & 0xFu) | static_cast<std::uint32_t>(component) << kTagComponentShift |
         static_cast<std::uint32_t>(clamped * 255 + 0.5) << kTagRadiusShift;
}
/// The home galaxy of a tag, 0..15.
constexpr std::uint32_t galaxy_of(std::uint32_t tag) {
  return tag & 0xFu;
}
/// What the image makes of a body of a disc, as bits of a tag. `young` is a young star of a spiral arm.
enum class Decoration : std::uint32_t { none, little_dust, young, much_dust };
constexpr std::uint32_t decoration_tag(Decoration decoration) {
  return static_cast<std::uint32_t>(decoration) << kTagDecorationShift;
}
inline constexpr std::uint32_t kDecorationMask = 3u << kTagDecorationShift;
/// With Component::other: the birth radius is the mass of a star, in solar masses, which gives its colour and light.
inline constexpr std::uint32_t kHasSpectralClass = decoration_tag(Decoration::young);
/// The amounts of dust of a body that was born outside, 1, 3, 6 and 11 for k = 0 to 3. With little_dust, k is the
/// lowest bit of the radius byte, with much_dust 2 more.
constexpr std::uint32_t dust_amount(std::uint32_t k) {
  return k < 2 ? 1 + 2 * k : 5 * k - 4;
}
inline constexpr std::uint32_t kDustBit = 1u << kTagRadiusShift;
/// A unit of these. Inside there is less: an eighth at the centre, all from the radius byte kDustyFrom on (three scale
/// lengths).
inline constexpr std::uint32_t kFullDust = 16, kDustyFrom = 96;
/// A tag without decoration with dust_amount(k).
constexpr std::uint32_t with_dust(std::uint32_t tag, std::uint32_t k) {
  return (tag & ~kDustBit) | decoration_tag(k < 2 ? Decoration::little_dust : Decoration::much_dust) |
         (k & 1u) * kDustBit;
}
/// The dust of a body, 0 to dust_amount(3) * kFullDust.
constexpr std::uint32_t dust_of(std::uint32_t tag) {
  const std::uint32_t decoration = tag & kDecorationMask, birth = tag >> kTagRadiusShift & 0xFFu;
  const std::uint32_t here = birth < kDustyFrom ? 2 + birth * (kFullDust - 2) / kDustyFrom : kFullDust;
  if (decoration == decoration_tag(Decoration::much_dust)) return dust_amount(2 + birth % 2) * here;
  return decoration == decoration_tag(Decoration::little_dust) ? dust_amount(birth % 2) * here : 0;
}
constexpr bool is_young(std::uint32_t tag) {
  return (tag & kDecorationMask) == decoration_tag(Decoration::young);
}
/// The component of a tag.
constexpr Component component_of(std::uint32_t tag) {
  return static_cast<Component>(tag >> kTagComponentShift & 3u);
}
/// The birth radius of a tag in disc scale lengths, in steps of a 255th of kTagRadiusRange.
constexpr double birth_radius_of(std::uint32_t tag) {
  return kTagRadiusRange / 255 * (tag >> kTagRadiusShift & 0xFFu);
}

/// "body 17", counted from 0 as in files.
std::string body_name(std::size_t index);
/// "body 17 (halo of galaxy 2)"; without the galaxy if the component is `other`.
std::string body_name(std::size_t index, std::uint32_t tag);

/// "Body 17 (halo of galaxy 2) and 3 more have ...". `count` includes the first.
std::string nonfinite_bodies_message(std::string first, std::size_t count);

}  // namespace pericenter

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "sim/core/vec.h"

namespace pericenter {

/// GADGET's particle types, of which the last has all further ones.
inline constexpr std::size_t kBodyTypes = 8;

/// The bodies within a distance of a place, in the file's unit of length.
struct Region {
  Vec3 centre;
  double radius = 0;

  friend bool operator==(const Region&, const Region&) = default;
};

/// Which bodies of a file are read.
struct Selection {
  std::uint64_t every = 1;            ///< every Nth body of each type is kept
  unsigned types = 0;                 ///< bit t: bodies of type t; 0: of all types
  std::optional<Region> region = {};  ///< across the walls of a periodic volume
  bool by_id = false;                 ///< the id, not the place in the file, decides which of `every` bodies is kept

  bool any() const { return every > 1 || types != 0 || region; }
  bool has(std::size_t type) const { return types == 0 || (types >> std::min(type, kBodyTypes - 1) & 1) != 0; }
  friend bool operator==(const Selection&, const Selection&) = default;
};

/// The types of a list such as "gas, star" or "0 4" as bits, 0 if it is "all". Throws InputError with what is allowed.
unsigned types_from(std::string_view text);
/// "gas", or the number of a type without a name.
std::string type_name(std::size_t type);
/// "gas,star"; "all" for 0.
std::string types_text(unsigned types);
/// The region of "x y z r", with blanks or commas. Throws InputError.
Region region_from(std::string_view text);
/// "x,y,z,r", which reads back as the same bits; empty without a region.
std::string region_text(const std::optional<Region>& region);

/// What a file has, of which a selection keeps a part.
struct Census {
  struct Type {
    std::uint64_t bodies = 0;  ///< number in the file
    std::uint64_t chosen = 0;  ///< number in the region; one of `every` is kept
    double mass = 0, kept_mass = 0;

    void add(const Type& other);
  };
  std::array<Type, kBodyTypes> types = {};
  static constexpr double kFar = std::numeric_limits<double>::infinity();
  Vec3 low = {kFar, kFar, kFar}, high = {-kFar, -kFar, -kFar};  ///< around the bodies of the chosen types
  bool places = false;  ///< the file has no ids; those of the bodies are their places in it, from 0

  void add(const Census& other);
  void add_place(const Vec3& position);
  std::uint64_t bodies() const;
};

/// What was kept, for the user. Throws InputError with what the file has if nothing was.
std::string selection_note(const Selection& selection, const Census& census, std::size_t kept);

}  // namespace pericenter

#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/files/text_table.h"

namespace pericenter {

/// Three columns, of which some may be missing, or one column of lists such as "[1.0,2.0,3.0]" (ECSV).
struct VectorColumns {
  std::array<std::optional<std::size_t>, 3> axes;
  std::optional<std::size_t> list;

  bool any() const { return list || axes[0] || axes[1] || axes[2]; }
  bool is_complete() const { return list || (axes[0] && axes[1]); }
  /// The vector of the present row; 0 where there is no column. Throws InputError.
  Vec3 at(const TextTable& table) const;
};

/// In lower case, and with one underscore for what separates parts of a name.
std::string plain_name(std::string_view name);

/// Finds columns by name, in the spellings of several programs. Ignores case, and what separates parts of a name.
class ColumnNames {
 public:
  explicit ColumnNames(std::vector<std::string> names);

  std::optional<std::size_t> any(std::initializer_list<std::string_view> names) const;
  /// Columns of x, y and z of one of `words`: for "vel", vel_x, velx, x_vel, vel0, vel:1, vel[2] and the like, or else
  /// one column "vel". Of "", x, y and z.
  VectorColumns vector(std::span<const std::string_view> words) const;

  /// The first true `find(names)` of the columns behind the same words and a dot, colon or bracket, such as "galcen.x"
  /// or "star.pos[x]", unless the last of these words is one of `avoided`.
  template <class Find>
  auto behind(std::span<const std::string_view> avoided, const Find& find) const -> decltype(find(*this)) {
    for (const std::string& head : heads(avoided))
      if (const auto found = find(of(head)); is_found(found)) return found;
    return {};
  }

 private:
  static bool is_found(const std::optional<std::size_t>& column) { return column.has_value(); }
  template <class Columns>
  static bool is_found(const Columns& columns) {
    return columns.is_complete();
  }
  std::vector<std::string> heads(std::span<const std::string_view> avoided) const;
  ColumnNames of(const std::string& head) const;
  std::optional<std::size_t> column(std::string_view name) const;

  std::vector<std::string> names_, plain_;
};

inline constexpr const char* kOnlyColors = "Used only for colours";
/// "What: a, b." with up to eight of the columns for which holds(index) is true; "" if there are none.
std::string note_on_columns(const std::string& what, std::span<const std::string> names,
                            const std::function<bool(std::size_t)>& holds);
/// "Not used: a, b." with up to eight of the columns that are not in `used`; "" if all are.
std::string unused_note(std::span<const std::string> names, std::span<const std::size_t> used);

}  // namespace pericenter

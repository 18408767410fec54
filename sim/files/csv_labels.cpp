#include "sim/files/csv_labels.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace pericenter {
namespace {

constexpr std::size_t kMaxGroups = std::size_t{1} << kTagGalaxyBits;

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

std::optional<Component> component_named(std::string_view text) {
  const std::string name = lower(text);
  if (name == "disc" || name == "disk" || name == "star" || name == "gas") return Component::disc;
  if (name == "bulge") return Component::bulge;
  if (name == "halo" || name == "dark") return Component::halo;
  return name.empty() || name == "other" ? std::optional(Component::other) : std::nullopt;
}

/// Also "1.000e+00", as numpy.savetxt writes whole numbers.
std::optional<std::uint64_t> parsed_real_id(std::string_view text) {
  constexpr double kExact = 9007199254740992;  // 2^53
  const auto number = parsed_number(text);
  if (!number || *number != std::floor(*number) || std::abs(*number) > kExact) return std::nullopt;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(*number));
}

template <class Number>
std::optional<std::uint64_t> parsed_id(std::string_view text) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    return text.find_first_of(".eE") == text.npos ? std::nullopt : parsed_real_id(text);
  return static_cast<std::uint64_t>(number);  // a negative one plus 2^64, as in HDF5 files
}

/// A number that more than one body has.
std::optional<std::uint64_t> duplicate_of(std::vector<std::uint64_t> ids) {
  std::ranges::sort(ids);
  const auto found = std::ranges::adjacent_find(ids);
  return found == ids.end() ? std::nullopt : std::optional(*found);
}

std::string quoted(std::string_view text) {
  return std::string("'").append(shown(text)).append("'");
}

std::string list_of(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 8;
  std::string list;
  for (std::size_t k = 0; k < std::min(names.size(), kShown); ++k)
    list.append(k == 0 ? "" : ", ").append(quoted(names[k]));
  return names.size() > kShown ? list + " ..." : list;
}

}  // namespace

std::uint32_t CsvLabels::tag(const TextTable& table) {
  const Component part = component(table);
  return make_tag(columns_.group ? group(std::string(table.field(*columns_.group))) : 0, part);
}

std::uint32_t CsvLabels::group(const std::string& name) {
  const auto found = std::ranges::find(groups_, name);
  if (found == groups_.end() && groups_.size() < kMaxGroups) {
    groups_.push_back(name);
    return static_cast<std::uint32_t>(groups_.size() - 1);
  }
  has_more_groups_ = has_more_groups_ || found == groups_.end();
  return found == groups_.end() ? kMaxGroups - 1 : static_cast<std::uint32_t>(found - groups_.begin());
}

Component CsvLabels::component(const TextTable& table) {
  if (!columns_.component) return Component::other;
  const std::string_view name = table.field(*columns_.component);
  const std::optional<Component> known = component_named(name);
  if (!known && !unknown_component_) unknown_component_ = std::string(name);
  return known.value_or(Component::other);
}

void CsvLabels::add_id(const TextTable& table, std::vector<std::uint64_t>& ids) {
  if (!columns_.id || invalid_id_) return;
  const std::string_view text = table.field(*columns_.id);
  if (const auto id = text.starts_with('-') ? parsed_id<std::int64_t>(text) : parsed_id<std::uint64_t>(text))
    return ids.push_back(*id);
  ids.clear();
  invalid_id_ = table.error(*columns_.id, quoted(text)).what();
}

std::string CsvLabels::id_problem() const {
  if (!invalid_id_) return {};
  return "The ids are ignored, because one is not a whole number from -2^63 to 2^64 - 1: " + *invalid_id_ + ".";
}

std::vector<std::string> CsvLabels::notes(const std::vector<std::uint64_t>& ids) const {
  std::vector<std::string> notes;
  if (columns_.group)
    notes.push_back((has_more_groups_ ? "More than 16 groups (galaxies), and those after the first 15 count as one: "
                                      : "Groups (galaxies): ") +
                    list_of(groups_) + ".");
  if (unknown_component_)
    notes.push_back("The component '" + shown(*unknown_component_) +
                    "' is unknown, and its bodies have none. Write disc, bulge, halo or other.");
  if (invalid_id_) notes.push_back(id_problem());
  if (const auto duplicate = duplicate_of(ids))
    notes.push_back("More than one body has the id " + std::to_string(*duplicate) +
                    "; --play takes each for the nearest of them.");
  return notes;
}

}  // namespace pericenter

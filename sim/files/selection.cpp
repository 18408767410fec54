#include "sim/files/selection.h"

#include <cctype>
#include <charconv>
#include <cmath>
#include <vector>

#include "sim/core/counted_bodies.h"
#include "sim/files/snapshot.h"
#include "sim/files/text_table.h"
#include "sim/files/unit_system.h"

namespace pericenter {
namespace {

constexpr std::string_view kBetweenWords = " \t,;";

struct TypeName {
  std::string_view name;
  std::size_t type;
};
/// GADGET's types, first under the name that is shown. 5 is the boundary of GADGET-2, and the black holes of others;
/// SWIFT has neutrinos as type 6.
constexpr TypeName kTypeNames[] = {{"gas", 0},      {"halo", 1},       {"disk", 2},        {"bulge", 3}, {"star", 4},
                                   {"boundary", 5}, {"neutrino", 6},   {"dark", 1},        {"dm", 1},    {"disc", 2},
                                   {"stars", 4},    {"black-hole", 5}, {"black-holes", 5}, {"bh", 5},    {"bndry", 5}};

std::vector<std::string> words_of_list(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (kBetweenWords.find(c) == kBetweenWords.npos)
      words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

std::string place_text(const Vec3& place) {
  return "(" + shown(place[0]) + ", " + shown(place[1]) + ", " + shown(place[2]) + ")";
}

std::string region_words(const Region& region) {
  return "within " + shown(region.radius) + " of " + place_text(region.centre);
}

/// "600 halo (1), 400 star (4)".
std::string types_in(const Census& census) {
  std::string list;
  for (std::size_t type = 0; type < kBodyTypes; ++type) {
    if (const std::uint64_t count = census.types[type].bodies)
      list += (list.empty() ? "" : ", ") + std::to_string(count) + " " + type_name(type) + " (" + std::to_string(type) +
              ")";
  }
  return list.empty() ? "none" : list;
}

InputError nothing_selected(const Selection& selection, const Census& census) {
  std::uint64_t of_types = 0;
  for (std::size_t type = 0; type < kBodyTypes; ++type)
    if (selection.has(type)) of_types += census.types[type].bodies;
  if (of_types == 0)
    return InputError("No body is of a selected type (" + types_text(selection.types) +
                      "). The file has: " + types_in(census) + ". Select one of these types, or all.");
  return InputError("No body" +
                    (selection.types == 0 ? "" : " of the selected types (" + types_text(selection.types) + ")") +
                    (selection.region ? " is " + region_words(*selection.region) : " is kept") +
                    ". The bodies extend from " + place_text(census.low) + " to " + place_text(census.high) +
                    " in the file's unit of length. Select a region among them.");
}

}  // namespace

unsigned types_from(std::string_view text) {
  const std::vector<std::string> words = words_of_list(text);
  if (words == std::vector<std::string>{"all"}) return 0;
  unsigned types = 0;
  for (const std::string& word : words) {
    const bool is_number = word.size() == 1 && word[0] >= '0' && word[0] < static_cast<char>('0' + kBodyTypes);
    const auto* const named = std::ranges::find(kTypeNames, word, &TypeName::name);
    if (!is_number && named == std::end(kTypeNames)) {
      types = 0;
      break;
    }
    types |= 1u << (is_number ? static_cast<std::size_t>(word[0] - '0') : named->type);
  }
  if (types != 0) return types;
  throw InputError("'" + std::string(text.substr(0, 80)) +
                   "' is no list of types. Write names or numbers, such as gas,star or 0,4: gas (0), halo or dark (1), "
                   "disk (2), bulge (3), star (4), boundary or black-hole (5), neutrino (6); or all.");
}

std::string type_name(std::size_t type) {
  return type < kBodyTypes - 1 ? std::string(kTypeNames[type].name) : std::to_string(type);
}

std::string types_text(unsigned types) {
  if (types == 0) return "all";
  std::string text;
  for (std::size_t type = 0; type < kBodyTypes; ++type)
    if (types >> type & 1) text += (text.empty() ? "" : ",") + type_name(type);
  return text;
}

Region region_from(std::string_view text) {
  const std::vector<std::string> words = words_of_list(text);
  std::array<double, 4> numbers = {};
  bool valid = words.size() == numbers.size();
  for (std::size_t k = 0; valid && k < numbers.size(); ++k) {
    const std::optional<double> number = parsed_number(words[k]);
    valid = number.has_value();
    numbers[k] = number.value_or(0);
  }
  if (!valid || !(numbers[3] > 0))
    throw InputError("'" + std::string(text.substr(0, 80)) +
                     "' is no region. Write four numbers, x y z and a radius above 0, in the file's unit of length.");
  return {{numbers[0], numbers[1], numbers[2]}, numbers[3]};
}

std::string region_text(const std::optional<Region>& region) {
  if (!region) return {};
  std::string text;
  for (const double number : {region->centre[0], region->centre[1], region->centre[2], region->radius}) {
    std::array<char, 32> digits;
    char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    text += (text.empty() ? "" : ",") + std::string(digits.data(), end);
  }
  return text;
}

void Census::Type::add(const Type& other) {
  bodies += other.bodies;
  chosen += other.chosen;
  mass += other.mass;
  kept_mass += other.kept_mass;
}

void Census::add(const Census& other) {
  for (std::size_t type = 0; type < kBodyTypes; ++type) types[type].add(other.types[type]);
  for (int k = 0; k < 3; ++k) {
    low[k] = std::min(low[k], other.low[k]);
    high[k] = std::max(high[k], other.high[k]);
  }
  places = places || other.places;
}

void Census::add_place(const Vec3& position) {
  for (int k = 0; k < 3; ++k) {
    low[k] = std::min(low[k], position[k]);
    high[k] = std::max(high[k], position[k]);
  }
}

std::uint64_t Census::bodies() const {
  std::uint64_t sum = 0;
  for (const Type& type : types) sum += type.bodies;
  return sum;
}

std::string selection_note(const Selection& selection, const Census& census, std::size_t kept) {
  if (kept == 0 && census.bodies() > 0) throw nothing_selected(selection, census);
  std::string what;
  const auto add = [&](const std::string& part) { what += (what.empty() ? "" : ", ") + part; };
  if (selection.types != 0) add("types " + types_text(selection.types));
  if (selection.region) add(region_words(*selection.region) + " in the file's unit of length");
  if (selection.every > 1)
    add("one of " + std::to_string(selection.every) + " bodies of each type" +
        (selection.by_id ? ", chosen by " + std::string(census.places ? "place" : "id") : ""));
  std::string note = "A part of the file is shown (" + what + "): " + std::to_string(kept) + " of " +
                     counted_bodies(census.bodies()) + ".";
  if (selection.every > 1)
    note += " Their masses are multiplied so that each type has the same total mass as without --every.";
  std::uint64_t chosen = 0;
  for (const Census::Type& type : census.types) chosen += type.chosen;
  if (chosen < census.bodies()) note += " The gravity of the rest is missing.";
  return note;
}

}  // namespace pericenter

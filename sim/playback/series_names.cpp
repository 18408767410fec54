#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>

#include "sim/playback/decimal_names.h"
#include "sim/playback/series.h"

namespace pericenter {
namespace {

namespace fs = std::filesystem;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// A file name split at one of its numbers.
struct NumberedName {
  std::string head, number, tail;
};

/// `name` split at the last number that ends at or before `end`; nullopt when there is none.
std::optional<NumberedName> split_at_number(const std::string& name, std::size_t end) {
  while (end > 0 && !is_digit(name[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && is_digit(name[begin - 1])) --begin;
  if (begin == end) return std::nullopt;
  return NumberedName{name.substr(0, begin), name.substr(begin, end - begin), name.substr(end)};
}

/// Start of the extension, whose digits are ignored in "snap_001.hdf5", but not in "snap.001".
std::size_t stem_end(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return name.size();
  return std::all_of(name.begin() + static_cast<std::ptrdiff_t>(dot) + 1, name.end(), is_digit) ? name.size() : dot;
}

/// The number between `head` and `tail`, without leading zeros; nullopt when `name` does not match.
std::optional<std::string> number_between(std::string_view name, std::string_view head, std::string_view tail) {
  if (name.size() <= head.size() + tail.size() || !name.starts_with(head) || !name.ends_with(tail)) return std::nullopt;
  std::string_view number = name.substr(head.size(), name.size() - head.size() - tail.size());
  if (!std::ranges::all_of(number, is_digit)) return std::nullopt;
  number.remove_prefix(std::min(number.find_first_not_of('0'), number.size() - 1));
  return std::string(number);
}

/// Orders decimal numbers of any length.
struct NumericOrder {
  bool operator()(const std::string& a, const std::string& b) const {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  }
};

/// The names of the files, or else of the folders, in a folder.
std::vector<std::string> names_in(const fs::path& folder, bool files) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code unknown;
    if (files ? entry->is_regular_file(unknown) : entry->is_directory(unknown))
      names.push_back(entry->path().filename().string());
  }
  return names;
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

/// Whether the number is that of a file within a snapshot, as in snap_003.1.hdf5: then snap_003.0.hdf5 exists, too.
bool is_part_number(const NumberedName& name, const std::vector<std::string>& names) {
  const bool follows_number =
      name.head.size() > 1 && name.head.back() == '.' && is_digit(name.head[name.head.size() - 2]);
  return follows_number && !is_decimal_label(name.head + name.number + name.tail, name.head.size() - 2) &&
         std::ranges::find(names, name.head + "0" + name.tail) != names.end();
}

/// The name of the first file of the snapshot.
std::string first_part(const std::string& name, const std::vector<std::string>& names) {
  const std::optional<NumberedName> split = split_at_number(name, stem_end(name));
  return split && is_part_number(*split, names) ? split->head + "0" + split->tail : name;
}

/// `text` without its digits.
std::string without_digits(std::string text) {
  std::erase_if(text, is_digit);
  return text;
}

/// Part of a name that begins and ends with a number and may contain more: 027_z000p101 in snap_027_z000p101.hdf5.
struct NumbersOfName {
  std::string head, key, tail;

  /// What `name` has in the place of `key`; nullopt if more than digits differ.
  std::optional<std::string> key_of(const std::string& name) const {
    if (!name.starts_with(head) || !name.ends_with(tail) || name.size() <= head.size() + tail.size())
      return std::nullopt;
    const std::string other = name.substr(head.size(), name.size() - head.size() - tail.size());
    const bool alike = is_digit(other[0]) && without_digits(other) == without_digits(key);
    return alike ? std::optional(other) : std::nullopt;
  }
};

/// The first number in `key`, by which a series is sorted.
std::string first_number(const std::string& key) {
  const std::string digits = key.substr(0, key.find_first_not_of("0123456789"));
  return number_between(digits, "", "").value_or(digits);
}

/// The numbers of `name` that may change together: from each to the last one before `end`.
std::vector<NumbersOfName> changing_numbers(const std::string& name, std::size_t end) {
  while (end > 0 && !is_digit(name[end - 1])) --end;
  std::vector<NumbersOfName> found;
  for (std::size_t begin = 0; begin < end; ++begin) {
    if (is_digit(name[begin]) && (begin == 0 || !is_digit(name[begin - 1])))
      found.push_back({name.substr(0, begin), name.substr(begin, end - begin), name.substr(end)});
  }
  return found;
}

/// Files in one folder with numbers that change together: snap_027_z000p101.hdf5, snap_028_z000p000.hdf5 (EAGLE). The
/// first number of each differs from those of all others.
std::vector<std::string> series_of_several_numbers(const fs::path& path, const std::vector<std::string>& names) {
  const std::string first = first_part(path.filename().string(), names);
  const std::optional<NumberedName> last = split_at_number(first, stem_end(first));
  const std::size_t end = !last ? 0 : is_part_number(*last, names) ? last->head.size() : stem_end(first);
  for (const NumbersOfName& numbers : changing_numbers(first, end)) {
    std::map<std::string, std::string, NumericOrder> found;
    bool differ = true;
    for (const std::string& name : names) {
      const std::optional<std::string> key = numbers.key_of(name);
      if (!key) continue;
      differ = found.emplace(first_number(*key), (path.parent_path() / name).string()).second && differ;
    }
    if (found.size() < 2 || !differ) continue;
    std::vector<std::string> paths;
    for (const auto& [number, file] : found) paths.push_back(file);
    return paths;
  }
  return {};
}

/// The file in `folder` whose name is `name` with `key`, between characters that are no digits, replaced by `other`.
std::optional<fs::path> file_with(const fs::path& folder, const std::string& name, const std::string& key,
                                  const std::string& other) {
  for (std::size_t at = name.rfind(key); at != name.npos; at = at == 0 ? name.npos : name.rfind(key, at - 1)) {
    const std::size_t end = at + key.size();
    if ((at > 0 && is_digit(name[at - 1])) || (end < name.size() && is_digit(name[end]))) continue;
    const fs::path path = folder / (name.substr(0, at) + other + name.substr(end));
    std::error_code error;
    if (fs::is_regular_file(path, error)) return path;
  }
  return std::nullopt;
}

/// Files in the folders beside that of `path`, with the number of the folder in their names:
/// snapdir_003/snapshot_003.0.hdf5 (GADGET, AREPO, GIZMO), snapshot_028_z000p000/snap_028_z000p000.0.hdf5 (EAGLE).
std::vector<std::string> series_in_folders(const fs::path& path) {
  std::error_code error;
  const fs::path folder = fs::weakly_canonical(folder_of(path), error), above = folder.parent_path();
  const std::string own = folder.filename().string(), name = path.filename().string();
  const std::string file = first_part(name, names_in(folder, true));
  const std::vector<std::string> folders = names_in(above, false);
  for (const NumbersOfName& numbers : changing_numbers(own, own.size())) {
    std::map<std::string, std::string, NumericOrder> found;
    for (const std::string& other : folders) {
      const std::optional<std::string> key = numbers.key_of(other);
      if (!key) continue;
      if (const auto at = file_with(above / other, file, numbers.key, *key))
        found.emplace(first_number(*key), other == own && file == name ? path : *at);
    }
    if (found.size() < 2) continue;
    std::vector<std::string> paths;
    for (const auto& [number, at] : found) paths.push_back(at);
    return paths;
  }
  return {};
}

/// The paths of files beside `path`.
std::vector<std::string> in_folder(const fs::path& path, const std::vector<std::string>& names) {
  std::vector<std::string> paths;
  for (const std::string& name : names) paths.push_back((path.parent_path() / name).string());
  return paths;
}

}  // namespace

std::vector<std::string> series_of(const std::string& path) {
  const fs::path whole(path);
  const std::string own = whole.filename().string();
  const std::vector<std::string> names = names_in(folder_of(whole), true);
  if (const std::vector<std::string> decimal = series_of_decimals(own, names); !decimal.empty())
    return in_folder(whole, decimal);
  std::size_t end = stem_end(own);
  const std::vector<std::string> together = series_of_several_numbers(whole, names);
  while (std::optional<NumberedName> split = split_at_number(own, end)) {
    end = split->head.size();
    // The first file represents a snapshot in several files.
    if (is_part_number(*split, names)) {
      const std::string first = split->head + "0" + split->tail;
      split = split_at_number(first, end);
      if (!split) break;
      end = split->head.size();
    }
    std::map<std::string, std::string, NumericOrder> found;
    for (const std::string& name : names)
      if (const auto number = number_between(name, split->head, split->tail)) found.emplace(*number, name);
    if (found.size() < 2) continue;
    if (found.size() < together.size()) return together;  // snap_010_t1, snap_020_t1, snap_030_t2
    std::vector<std::string> files;
    for (const auto& [number, name] : found) files.push_back(name);
    return in_folder(whole, files);
  }
  const std::vector<std::string> others = together.empty() ? series_in_folders(whole) : together;
  return others.empty() ? std::vector{path} : others;
}

std::vector<std::string> without_further_parts(std::vector<std::string> paths) {
  const std::vector<std::string> all = paths;
  std::erase_if(paths, [&](const std::string& path) { return first_part(path, all) != path; });
  return paths;
}

std::vector<std::string> files_of_snapshot(const std::string& path) {
  const fs::path whole(path);
  const std::string name = whole.filename().string();
  const std::optional<NumberedName> split = split_at_number(name, stem_end(name));
  std::vector<std::string> files{path};
  if (!split || split->number != "0" || !is_part_number(*split, {name})) return files;
  std::error_code error;
  for (int k = 1;; ++k) {
    const fs::path part = whole.parent_path() / (split->head + std::to_string(k) + split->tail);
    if (!fs::exists(part, error)) return files;
    files.push_back(part.string());
  }
}

}  // namespace pericenter

#include "app/base/translation.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <vector>

namespace pericenter::app {
namespace {

constexpr std::string_view kGap = "{}";
constexpr Translation kGerman[] = {
#define ROW(english, german) {english, german},
#include "app/base/german.inc"
#undef ROW
};

/// What the gaps of a pattern stand for in `text`; nullopt if it does not match.
std::optional<std::vector<std::string_view>> gaps_of(std::string_view pattern, std::string_view text) {
  std::vector<std::string_view> gaps;
  while (true) {
    const std::size_t gap = pattern.find(kGap);
    if (!text.starts_with(pattern.substr(0, gap))) return {};
    text.remove_prefix(std::min(gap, pattern.size()));
    if (gap == pattern.npos) return text.empty() ? std::optional(gaps) : std::nullopt;
    pattern.remove_prefix(gap + kGap.size());
    const std::size_t next = pattern.find(kGap);
    const std::string_view after = pattern.substr(0, next);
    const std::size_t end = next == pattern.npos ? text.rfind(after) : text.find(after);
    if (end == text.npos || end == 0) return {};
    gaps.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

/// 1,999.5 as 1.999,5.
std::string with_other_separators(std::string_view words) {
  const auto is_digit = [&](std::size_t at) { return at < words.size() && std::isdigit(words[at]) != 0; };
  std::string result(words);
  for (std::size_t at = 1; at < words.size(); ++at)
    if ((words[at] == '.' || words[at] == ',') && is_digit(at - 1) && is_digit(at + 1))
      result[at] = words[at] == '.' ? ',' : '.';
  return result;
}

bool has_letters(std::string_view words) {
  return std::ranges::any_of(words, [](unsigned char letter) { return std::isalpha(letter) != 0; });
}

}  // namespace

std::span<const Translation> translations(std::string_view language) {
  return language == "de" ? std::span<const Translation>(kGerman) : std::span<const Translation>();
}

const Translation* find_translation(std::string_view english, std::string_view language) {
  const Translation* best = nullptr;
  for (const Translation& row : translations(language))
    if ((!best || row.english.size() > best->english.size()) && gaps_of(row.english, english)) best = &row;
  return best;
}

std::string translated(std::string_view english, std::string_view language) {
  if (translations(language).empty()) return std::string(english);
  const Translation* row = find_translation(english, language);
  if (!row) return has_letters(english) ? std::string(english) : with_other_separators(english);
  std::string result(row->translated);
  std::size_t at = 0;
  const std::vector<std::string_view> gaps = *gaps_of(row->english, english);
  for (const std::string_view gap : gaps) {
    at = result.find(kGap, at);
    const std::string words = find_translation(gap, language) ? translated(gap, language) : with_other_separators(gap);
    result.replace(at, kGap.size(), words);
    at += words.size();
  }
  return result;
}

}  // namespace pericenter::app

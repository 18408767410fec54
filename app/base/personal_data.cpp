#include "app/base/personal_data.h"

#include <pwd.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cstdlib>
#include <string_view>

namespace pericenter::app {
namespace {

bool is_part_of_word(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_' || letter == '-';
}

/// Replaces `word` where it ends and, with `in_paths`, follows a slash; otherwise where it begins.
void replace_word(std::string& text, std::string_view word, std::string_view by, bool in_paths) {
  if (word.empty()) return;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at)) {
    const std::size_t end = at + word.size();
    const char before = at == 0 ? ' ' : text[at - 1], after = end == text.size() ? ' ' : text[end];
    const bool begins = in_paths ? before == '/' : !is_part_of_word(before);
    const bool is_word = begins && !is_part_of_word(after);
    if (is_word) text.replace(at, word.size(), by);
    at += is_word ? by.size() : word.size();
  }
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

}  // namespace

std::string without_personal_data(std::string text) {
  const char* variable = std::getenv("HOME");
  const passwd* user = ::getpwuid(::getuid());
  for (std::string home : {std::string(variable ? variable : ""), std::string(user ? user->pw_dir : "")}) {
    while (home.ends_with('/')) home.pop_back();
    replace_word(text, home, "~", false);
  }
  if (user) replace_word(text, user->pw_name, "USER", true);
  replace_word(text, host_name(), "HOST", true);
  return text;
}

}  // namespace pericenter::app

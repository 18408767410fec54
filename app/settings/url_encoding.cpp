#include "app/settings/url_encoding.h"

#include <charconv>
#include <string_view>

#include "app/settings/command_line_error.h"

namespace pericenter::app {

std::string url_encoded(const std::string& path) {
  constexpr std::string_view kDigits = "0123456789ABCDEF", kPlain = "/._-~+:@";
  std::string text;
  for (const char letter : path) {
    const auto byte = static_cast<unsigned char>(letter);
    const bool plain = (letter >= '0' && letter <= '9') || (letter >= 'A' && letter <= 'Z') ||
                       (letter >= 'a' && letter <= 'z') || kPlain.find(letter) != kPlain.npos;
    if (plain)
      text += letter;
    else
      text.append({'%', kDigits[byte >> 4], kDigits[byte & 15]});
  }
  return text;
}

std::string url_decoded(const Argument& argument) {
  const std::string& text = argument.text;
  std::string path;
  for (std::size_t k = 0; k < text.size(); ++k) {
    unsigned byte = static_cast<unsigned char>(text[k]);
    if (text[k] == '%') {
      const std::string digits = text.substr(k + 1, 2);
      const char* last = digits.data() + digits.size();
      const bool hexadecimal = std::from_chars(digits.data(), last, byte, 16).ptr == last;
      if (digits.size() != 2 || !hexadecimal || byte == 0) {
        throw CommandLineError(argument.option +
                               " has a % without two hexadecimal digits after it, as in %20 for a space.");
      }
      k += 2;
    }
    path += static_cast<char>(byte);
  }
  if (path.empty()) throw CommandLineError(argument.option + " must be the path of a file, not empty.");
  return path;
}

}  // namespace pericenter::app

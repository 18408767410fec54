#include "app/view/output_settings.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace pericenter::app {

std::optional<VideoFormat> video_format(std::string_view path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return std::tolower(c); });
  const auto found = std::ranges::find(kVideoExtensions, extension);
  if (found == kVideoExtensions.end()) return std::nullopt;
  return static_cast<VideoFormat>(found - kVideoExtensions.begin());
}

}  // namespace pericenter::app

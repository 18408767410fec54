#include "app/window/layout_store.h"

#include <imgui.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>

#include "app/base/atomic_file.h"
#include "app/base/format.h"

namespace pericenter::app {
namespace {

constexpr std::size_t kMaxBytes = 1 << 16;  // a hundred times what it takes

/// Tables, whose number of columns ImGui would allocate unseen, are none of what is kept here.
bool is_line_of_layout(const std::string& line) {
  const bool is_text =
      std::none_of(line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) < 32; });
  if (!is_text || line.empty()) return is_text;
  if (line.front() != '[') return line.find('=') != line.npos;
  return line.back() == ']' && (line.starts_with("[Window][") || line.starts_with("[Pericenter]["));
}

}  // namespace

std::string problem_with_layout(const std::string& text) {
  if (text.size() > kMaxBytes) return app::text("it has more than %zu KiB", kMaxBytes >> 10);
  std::istringstream lines(text);
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number)
    if (!is_line_of_layout(line)) return app::text("line %zu is none of a layout", number);
  return {};
}

std::string LayoutStore::load() {
  std::error_code error;
  if (path_.empty() || !std::filesystem::exists(path_, error)) return {};
  const std::optional<std::string> text = first_bytes(path_, kMaxBytes + 1);
  const std::string problem = text ? problem_with_layout(*text) : "it cannot be read";
  if (!problem.empty()) {
    const std::string path = path_;
    return "The layout in " + path + " is damaged: " + problem + ". " + set_aside(path_);
  }
  kept_ = *text;
  ImGui::LoadIniSettingsFromMemory(kept_.data(), kept_.size());
  return {};
}

void LayoutStore::keep() {
  std::size_t size = 0;
  const char* text = ImGui::SaveIniSettingsToMemory(&size);
  ImGui::GetIO().WantSaveIniSettings = false;
  std::string now(text, size);
  if (path_.empty() || now == kept_) return;
  const std::string path = std::exchange(path_, {});
  write_file(path, {reinterpret_cast<const std::uint8_t*>(now.data()), now.size()});
  path_ = path;
  kept_ = std::move(now);
}

}  // namespace pericenter::app

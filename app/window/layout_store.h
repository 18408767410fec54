#pragma once

#include <string>
#include <utility>

namespace pericenter::app {

/// What ImGui remembers of the window, the width of the panel and the theme, kept from one session to the next in a
/// file that is written whole. ImGui's own file must be off (io.IniFilename null), which is written in place.
class LayoutStore {
 public:
  /// Kept in this file; an empty name keeps nothing.
  explicit LayoutStore(std::string path) : path_(std::move(path)) {}

  /// Hands what the last session kept to the current ImGui context. Returns what is wrong with the file, which was then
  /// set aside, or an empty text.
  std::string load();
  /// Writes what the current context remembers, if that has changed. Throws FileError once; then nothing is kept any
  /// more.
  void keep();

 private:
  std::string path_;
  std::string kept_;
};

/// What is wrong with a layout that ImGui is to read, which trusts the numbers in it; empty when all is well.
std::string problem_with_layout(const std::string& text);

}  // namespace pericenter::app

#include "app/lessons/left_lessons.h"

#include <sstream>
#include <utility>

#include "app/base/atomic_file.h"

namespace pericenter::app {
namespace {

constexpr std::size_t kMostBytes = 100'000;  // of the file

}  // namespace

LeftLessons::LeftLessons(std::string path) : path_(std::move(path)) {
  std::istringstream lines(path_.empty() ? std::string() : first_bytes(path_, kMostBytes).value_or(""));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    int number = 0;
    std::string lesson;
    if (words >> number && std::getline(words >> std::ws, lesson) && number > 1)
      slides_[lesson] = static_cast<std::size_t>(number - 1);
  }
}

std::size_t LeftLessons::slide(const std::string& lesson) const {
  const auto found = slides_.find(lesson);
  return found == slides_.end() ? 0 : found->second;
}

void LeftLessons::set(const std::string& lesson, std::size_t slide) {
  if (this->slide(lesson) == slide) return;
  if (slide == 0)
    slides_.erase(lesson);
  else
    slides_[lesson] = slide;
  if (path_.empty()) return;
  std::string text;
  for (const auto& [name, left] : slides_) text += std::to_string(left + 1) + ' ' + name + '\n';
  try {
    write_file(path_, text);
  } catch (const FileError&) {
    // Only the place is lost.
  }
}

}  // namespace pericenter::app

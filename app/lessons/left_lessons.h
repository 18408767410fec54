#pragma once

#include <cstddef>
#include <map>
#include <string>

namespace pericenter::app {

/// Where lessons were left: index of the slide by name of the lesson. Stored as lines "slide name" in a file, in which
/// slides count from 1. An empty path stores nothing.
class LeftLessons {
 public:
  explicit LeftLessons(std::string path);

  /// 0: the lesson was not begun, or went to its end.
  std::size_t slide(const std::string& lesson) const;
  /// 0 forgets the lesson. Without a file that can be written, it is known until the program ends.
  void set(const std::string& lesson, std::size_t slide);

 private:
  std::string path_;
  std::map<std::string, std::size_t> slides_;
};

}  // namespace pericenter::app

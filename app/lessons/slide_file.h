#pragma once

#include <string>
#include <vector>

#include "app/lessons/lesson_file.h"
#include "app/lessons/lesson_table.h"

namespace pericenter::app {

/// Reads the slides of a lesson, in their order.
class SlideReader {
 public:
  /// Both are referenced.
  SlideReader(const std::string& file, const FindIncluded& find) : file_(file), find_(find) {}

  /// Appends the slide, or those of the lesson that it includes. Throws LessonError.
  void read(const toml::table& node, std::vector<Slide>& slides);

 private:
  void include(const std::string& name, const LessonTable& table, std::vector<Slide>& slides);
  /// Scene or settings of the slide.
  void read_run(const LessonTable& table, Slide& slide);

  const std::string& file_;
  const FindIncluded& find_;
  bool has_run_ = false;
  Options run_ = {}, before_ = {};  ///< options of the run so far, and before the last change of settings
};

}  // namespace pericenter::app

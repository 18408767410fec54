#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/headless/lesson_subcommands.h"
#include "app/lessons/lesson.h"
#include "app/plots/plot.h"

namespace pericenter::app {

/// An image at the moment of a question.
struct WorksheetImage {
  std::string name;  ///< "A" or "B" of a comparison; empty: there is one image
  std::vector<std::uint8_t> png;
};

/// A slide with a question.
struct WorksheetQuestion {
  const Slide* slide = nullptr;
  std::string scene;  ///< scene string of the run
  std::vector<WorksheetImage> images;
};

/// What a worksheet is made of.
struct Worksheet {
  const Lesson* lesson = nullptr;
  std::vector<WorksheetQuestion> questions;
  std::vector<Plot> plots;  ///< plots of the quantities that the lesson shows
  std::string missing;      ///< why there are no images; empty: there are
};

/// One HTML file without scripts that needs no other file: images are data URIs.
std::string worksheet_html(const Worksheet& sheet, const WorksheetOptions& options);

/// `pericenter worksheet`: runs the lesson for its images and plots, and writes the file. Without OpenGL it has no
/// images. `folder`: with the lessons of the user. Returns an exit code; throws FileError.
int run_worksheet(const WorksheetOptions& options, const std::string& folder);

}  // namespace pericenter::app

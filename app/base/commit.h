#pragma once

namespace pericenter::app {

/// The commit of the sources of this program, "3b33c419b2d1" or "3b33c419b2d1 with changes"; "unknown" outside of a Git
/// repository. Written by each build (cmake/commit.cmake).
const char* commit();

}  // namespace pericenter::app

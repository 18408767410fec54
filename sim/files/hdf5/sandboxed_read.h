#pragma once

#include <functional>

namespace pericenter {

/// Runs `read` in a child process, because a damaged file can crash the library that reads it. Throws the InputError
/// that `read` threw there, or one that reports a crash or a timeout. Other effects of `read` are lost. Does nothing if
/// no child process can be created.
void sandboxed_read(const std::function<void()>& read);

}  // namespace pericenter

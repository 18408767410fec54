#pragma once

#include <functional>

namespace pericenter {

/// Runs `read` in a child process, for a library that a damaged file can bring down. Throws the InputError that it
/// threw there, or one that says that the child came to an end or to none. What else `read` does is lost.
/// Where there can be no child, it does nothing.
void sandboxed_read(const std::function<void()>& read);

}  // namespace pericenter

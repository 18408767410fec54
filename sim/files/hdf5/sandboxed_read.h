#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>

#include "sim/files/snapshot.h"

namespace pericenter {

/// Takes the parts of one message.
using SendBytes = std::function<void(std::initializer_list<Bytes> parts)>;

/// Runs `read` in a child process, because a damaged file can crash the library that reads it. What `read` sends
/// arrives at `receive` in this process, message by message; other effects of `read` are lost. `receive` also gets an
/// empty message from time to time, and may throw to end the child. Memory and, between two messages, time of the child
/// are limited in proportion to the size of the file in bytes. Throws the InputError that `read` threw, or one that
/// reports a crash, a timeout or a lack of memory. If no child process can be created, `read` runs in this process.
void sandboxed_read(std::uint64_t file_size, const std::function<void(const SendBytes& send)>& read,
                    const std::function<void(Bytes message)>& receive);

}  // namespace pericenter

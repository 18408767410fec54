#pragma once

#include <cstddef>
#include <vector>

namespace pericenter {

inline constexpr std::size_t kHugePage = std::size_t{1} << 21;  ///< bytes

/// Asks for huge pages, if the system supports them, for the part of this memory that fills some. It must not have been
/// written to yet.
void advise_huge_pages(void* memory, std::size_t bytes);

/// Resizes an array that is accessed in random order; its values are lost if it grows. In huge pages, such accesses do
/// not wait for addresses of pages.
template <class T>
void resize_scattered(std::vector<T>& values, std::size_t size) {
  if (size > values.capacity()) {
    const bool grows = !values.empty();
    values = {};
    values.reserve(grows ? size + size / 8 : size);
    advise_huge_pages(values.data(), values.capacity() * sizeof(T));
  }
  values.resize(size);
}

}  // namespace pericenter

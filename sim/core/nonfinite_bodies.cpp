#include "sim/core/nonfinite_bodies.h"

#include "sim/core/bodies.h"

namespace pericenter {

std::string body_name(std::size_t index) {
  return "body " + std::to_string(index);
}

std::string body_name(std::size_t index, std::uint32_t tag) {
  constexpr const char* kParts[] = {"disc", "bulge", "halo"};
  const Component component = component_of(tag);
  if (component == Component::other) return body_name(index);
  return body_name(index) + " (" + kParts[static_cast<std::size_t>(component)] + " of galaxy " +
         std::to_string(galaxy_of(tag) + 1) + ")";
}

std::string nonfinite_bodies_message(std::string first, std::size_t count) {
  if (!first.empty()) first[0] = 'B';
  const std::string subject = count > 1 ? first + " and " + std::to_string(count - 1) + " more have" : first + " has";
  return subject + " a NaN or infinite position or velocity.";
}

}  // namespace pericenter

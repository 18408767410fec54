#include "sim/files/body_fields.h"

#include <algorithm>
#include <functional>

#include "sim/files/file_origin.h"
#include "sim/files/unit_system.h"

namespace pericenter {
namespace {

/// Whether the values differ.
template <class Values, class Projection = std::identity>
bool differ(const Values& values, const Projection& of = {}) {
  return std::ranges::adjacent_find(values, std::not_equal_to(), of) != values.end();
}

}  // namespace

void add_field(const FieldInfo& field, std::vector<FieldInfo>& fields) {
  if (std::ranges::find(fields, field.name, &FieldInfo::name) == fields.end()) fields.push_back(field);
}

void add_common_fields(const std::string& wanted, Snapshot& snapshot) {
  const bool from_run = snapshot.run && snapshot.run->origin;
  const auto& types = from_run ? snapshot.run->origin->types : snapshot.types;
  const auto& ids = ids_of(snapshot);
  const bool physical = snapshot.units.known();
  const double mass_unit = physical ? snapshot.units.mass_g / kSunGram : 1;
  const auto add = [&](const FieldInfo& field, bool exists, const auto& value) {
    if (!exists) return;
    add_field(field, snapshot.fields);
    if (wanted != field.name || !snapshot.values.empty()) return;
    snapshot.values.resize(snapshot.bodies.size());
    for (std::size_t i = 0; i < snapshot.values.size(); ++i) snapshot.values[i] = static_cast<float>(value(i));
  };
  add({kTypeField, ""}, differ(types), [&](std::size_t i) { return types[i]; });
  add({"id", ""}, differ(ids) && !snapshot.census.places, [&](std::size_t i) { return ids[i]; });
  add({"mass", physical ? "M☉" : ""}, differ(snapshot.bodies, &Body::mass),
      [&](std::size_t i) { return snapshot.bodies[i].mass * mass_unit; });
  if (const auto read = std::ranges::find(snapshot.fields, wanted, &FieldInfo::name); read != snapshot.fields.end())
    snapshot.field = *read;
}

void append_values(std::span<const float> values, std::size_t count, Snapshot& snapshot) {
  if (values.empty() && snapshot.values.empty()) return;
  snapshot.values.resize(snapshot.bodies.size() - count, kNoValue);
  snapshot.values.insert(snapshot.values.end(), values.begin(), values.end());
  snapshot.values.resize(snapshot.bodies.size(), kNoValue);
}

}  // namespace pericenter

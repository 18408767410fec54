#include "sim/session/field_reading.h"

#include "sim/files/load.h"

namespace pericenter {

std::shared_ptr<const BodyField> read_field(const Run& run, const std::string& name, const Progress& progress) {
  const RunState& now = run.state();
  ReadOptions options = now.file_options.with(progress);
  options.field = name;
  const Snapshot snapshot = read_snapshot(now.file, options);
  const FileOrigin* const origin = run.course().origin.get();
  const bool same = snapshot.bodies.size() == run.simulation()->size() && (!origin || origin->ids == ids_of(snapshot));
  if (!same || snapshot.values.empty())
    throw InputError(now.file + ": The file has changed since its bodies were loaded. Load it again to colour by its " +
                     name + ".");
  return std::make_shared<const BodyField>(scale_of(snapshot.field, snapshot.values), snapshot.values);
}

}  // namespace pericenter

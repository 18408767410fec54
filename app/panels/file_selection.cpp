#include "app/panels/file_selection.h"

#include <bit>
#include <charconv>

#include "app/base/format.h"
#include "app/widgets/widgets.h"

namespace pericenter::app {
namespace {

void field(Desk& desk, const widgets::Control& control, std::string& typed, const char* hint) {
  widgets::row(desk, control);
  ImGui::SetNextItemWidth(-FLT_MIN);
  widgets::text_field(desk, control, typed, hint);
}

/// A checkbox for each type that the file has, of which at least one stays ticked.
void type_rows(const Census& census, FilesState& files, Desk& desk) {
  unsigned present = 0;
  for (std::size_t type = 0; type < kBodyTypes; ++type)
    if (census.types[type].bodies > 0) present |= 1u << type;
  if (std::popcount(present) < 2) return;
  unsigned ticked = files.types == 0 ? present : files.types & present;
  for (std::size_t type = 0; type < kBodyTypes; ++type) {
    const std::uint64_t count = census.types[type].bodies;
    if (count == 0) continue;
    bool on = (ticked >> type & 1) != 0;
    const std::string name = type_name(type);
    if (widgets::indented_checkbox(desk,
                                   {"file-type/" + name, name + ": " + with_thousands(count),
                                    "One of the types of bodies in the file (" + std::to_string(type) +
                                        "). Those that are not ticked are not read, nor is their gravity."},
                                   on) &&
        (ticked ^ 1u << type) != 0)
      ticked ^= 1u << type;
  }
  files.types = ticked == present ? 0 : ticked;
}

/// About how many bodies a selection keeps, as far as the census tells.
std::string kept_text(const Selection& selection, const Census& census) {
  std::uint64_t kept = 0;
  for (std::size_t type = 0; type < kBodyTypes; ++type)
    if (selection.has(type)) kept += (census.types[type].bodies + selection.every - 1) / selection.every;
  return (selection.region ? "at most " : "") + with_thousands(kept) + " of " + with_thousands(census.bodies());
}

}  // namespace

Selection typed_selection(const FilesState& files, std::string& problem) {
  Selection selection{.types = files.types};
  const std::string& every = files.every;
  const auto [end, error] = std::from_chars(every.data(), every.data() + every.size(), selection.every);
  if (!every.empty() && (error != std::errc() || end != every.data() + every.size() || selection.every == 0)) {
    selection.every = 1;
    problem = "One of how many bodies is kept must be a whole number, 1 or more.";
  }
  try {
    if (!files.region.empty()) selection.region = region_from(files.region);
  } catch (const InputError& invalid) {
    problem = invalid.what();
  }
  return selection;
}

void file_selection_rows(const SessionState& state, FilesState& files, Desk& desk) {
  const Census& census = state.file_measures.census;
  if (state.file.empty() || census.bodies() == 0) return;
  field(desk,
        {"file-every", "One of",
         "Of each type, one of this many bodies is kept, with the mass of those that it stands for; the others need no "
         "memory."},
        files.every, "1: all bodies");
  type_rows(census, files, desk);
  const auto range = [&](int k) { return number_text(census.low[k]) + " to " + number_text(census.high[k]); };
  field(desk,
        {"file-region", "Region",
         "Only bodies within a distance of a place: x y z and the distance, in the file's unit of length. The bodies "
         "are in " +
             range(0) + ", " + range(1) + ", " + range(2) + "."},
        files.region, "x y z distance");
  std::string problem;
  const Selection wanted = typed_selection(files, problem);
  const bool applied = wanted == state.file_options.selection;
  const std::string kept = applied && !state.playback
                               ? with_thousands(state.bodies) + " of " + with_thousands(census.bodies())
                               : kept_text(wanted, census);
  widgets::paragraph(desk, {"file-kept", (applied ? "Shown: " : "With Apply: ") + kept + " bodies",
                            "Bodies that are shown, and all bodies of the file."});
}

}  // namespace pericenter::app

#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/settings/options.h"
#include "sim/analysis/lab_record.h"
#include "sim/core/config.h"
#include "sim/core/printable.h"

namespace pericenter::app {

/// A lesson that cannot be used; what() names the file, the line, the key and what is allowed.
class LessonError : public std::runtime_error {
 public:
  explicit LessonError(const std::string& message) : std::runtime_error(shortened(printable(message))) {}

 private:
  /// Truncates a quoted text to a length suitable for a message.
  static std::string shortened(const std::string& text) {
    constexpr std::size_t kMaxBytes = 1500;
    return text.size() > kMaxBytes ? printable(text.substr(0, kMaxBytes)) + " ..." : text;
  }
};

/// For pupils, without jargon, or with the technical terms.
enum class Wording { pupils, technical };

struct LessonText {
  std::string pupils;
  std::string technical = {};  ///< empty: as for pupils

  const std::string& in(Wording wording) const {
    return wording == Wording::technical && !technical.empty() ? technical : pupils;
  }
  bool empty() const { return pupils.empty(); }
};

struct ClaimQuantity;

/// A statement about the run that can be measured: "separation at pericentre: 16 kpc ± 10 %", "tail mass fraction >
/// 3 %", "direct takes > 20 times as long". claim_quantities() has what can be measured.
struct Claim {
  enum class Relation { about, above, below };
  std::string text;                         ///< text in the file, or that of a table
  const ClaimQuantity* quantity = nullptr;  ///< a row of claim_quantities()
  Relation relation = Relation::about;
  double value = 0, tolerance = 0;  ///< unit of that row; `about` alone has a tolerance, which is absolute
  int line = 0;                     ///< line in the file
};

/// Without blanks and line breaks at its ends.
std::string_view trimmed(std::string_view text);

/// QUANTITY: VALUE UNIT ± TOLERANCE (UNIT or %), QUANTITY > VALUE UNIT, QUANTITY < VALUE UNIT. A tolerance in % is
/// relative to the value, also if the unit is %. A plain number without a tolerance must be exact. Throws
/// std::invalid_argument with what is allowed.
Claim parse_claim(std::string_view text);

/// Whether a measured value, in the unit of the quantity, agrees. NaN does not.
bool holds(const Claim& claim, double measured);

/// A setting that changes linearly while a slide runs.
struct Ramp {
  std::string setting;  ///< a row of kRampSettings: "theta", "softening", "dt", "tree-level"
  double from = 0, to = 0;
  double seconds = 0;  ///< wall-clock seconds
};

// When a slide pauses its run.
struct UntilTime {
  double myr = 0;  ///< simulation time; scene units in a scene without physical units
};
struct UntilSeconds {
  double seconds = 0;  ///< wall-clock seconds since the run of the slide began
};
struct UntilEvent {
  EncounterEventKind kind = EncounterEventKind::pericenter;
};
struct UntilStart {};  ///< a run backwards has reached its start
/// monostate: the run does not pause.
using SlideEnd = std::variant<std::monostate, UntilTime, UntilSeconds, UntilEvent, UntilStart>;

enum class SlideAction { none, run_backwards, undo };

/// Stars that a slide highlights: those that are in tails when the slide begins, young ones, or by origin.
struct Highlight {
  enum class What { nothing, tails, young, galaxy, birth_radius };
  What what = What::nothing;
  int galaxy = 0;                      ///< index, see galaxy_of()
  double first_kpc = 0, last_kpc = 0;  ///< birth radii

  friend bool operator==(const Highlight&, const Highlight&) = default;
};

/// A number of the run that a slide shows in large letters below the clock.
enum class Readout { trust, energy_error, force_error, step_time };

struct Slide {
  int line = 0;             ///< line in the file
  std::string origin = {};  ///< file of the lesson that an included slide is from; empty: of this lesson
  /// Scene string. Empty: the run of the slide before continues.
  std::string scene;
  SceneOptions options = {};  ///< options of the scene string or, with `set`, of the run; and `compare`
  std::string set = {};       ///< settings of the continuing run, as in --compare: "theta=1.2,dt=0.01"
  std::string compare = {};   ///< settings of B in a comparison, as in --compare; empty: none
  LessonText caption = {};
  LessonText question = {};  ///< empty: none
  std::vector<LessonText> choices = {};
  std::size_t answer = 0;  ///< index of the correct answer
  LessonText explanation = {};
  std::string notes = {};  ///< notes for the teacher
  SlideAction action = SlideAction::none;
  SlideEnd until = {};
  std::optional<Ramp> ramp = {};
  bool probe = false;  ///< probes a star of the first galaxy's disc
  Follow follow = {};
  std::string plot = {};  ///< ID of a lab plot, or "cost" for the card of time and error; empty: none
  std::vector<Readout> readouts = {};
  bool exact_bodies = false;  ///< its texts speak of the number of bodies: a slow machine does not use fewer
  Highlight highlight = {};
  std::vector<Claim> claims = {};  ///< claims that hold at the end of the slide

  bool continues() const { return scene.empty(); }
};

struct Lesson {
  std::string name;  ///< file name without its extensions
  std::string path;  ///< empty: built in
  LessonText title, goal;
  double minutes = 0;
  std::string audience;
  std::vector<LessonText> misconceptions;
  std::string notes;          ///< notes for the teacher
  std::string language = {};  ///< language of the texts: "de"; empty: English
  std::vector<Slide> slides;
};

}  // namespace pericenter::app

namespace pericenter {

template <>
inline constexpr std::array<std::string_view, 4> kEnumNames<app::Readout> = {"trust", "energy-error", "force-error",
                                                                             "step-time"};

}  // namespace pericenter

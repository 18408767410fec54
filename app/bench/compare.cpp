#include "app/bench/compare.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "app/base/format.h"
#include "app/bench/table.h"
#include "app/cli/command_line_error.h"
#include "sim/files/mapped_file.h"
#include "sim/files/text_table.h"

namespace pericenter::app {
namespace {

std::string code_name(std::string code, std::string_view backend, double threads) {
  if (!backend.empty()) code += " on " + std::string(backend);
  return threads > 0 ? code + text(threads > 1 ? ", %.0f threads" : ", %.0f thread", threads) : code;
}

std::string input_name(std::string_view input) {
  return std::filesystem::path(input).filename().string();
}

// Tables have nine digits.
constexpr double kErrorRounding = 1e-6;

/// One point of a code.
struct SpeedAtError {
  double error = 0, ms = 0, error_99 = 0, error_max = 0;
};

/// Pareto front of a code: rising errors, falling times.
struct Front {
  std::string code;
  MeasuredBodies bodies;
  std::vector<SpeedAtError> points;

  double min_error() const { return points.front().error; }
  double max_error() const { return points.back().error; }
  bool covers(double error) const {
    return error >= min_error() * (1 - kErrorRounding) && error <= max_error() * (1 + kErrorRounding);
  }

  /// Time or larger error at an error inside the range, interpolated; 0: unknown.
  double at(double error, double SpeedAtError::*what) const {
    error = std::clamp(error, min_error(), max_error());
    const auto above = std::ranges::lower_bound(points, error, {}, &SpeedAtError::error);
    if (above->error == error) return (*above).*what;
    const SpeedAtError &a = above[-1], &b = *above;
    if (!(a.*what > 0 && b.*what > 0)) return 0;
    const double share = std::log(error / a.error) / std::log(b.error / a.error);
    return a.*what * std::pow(b.*what / (a.*what), share);
  }

  std::string name() const { return code + " with " + std::to_string(bodies.count) + " bodies"; }

  std::string range() const {
    return points.size() == 1 ? text("only %.1e", min_error()) : text("%.1e to %.1e", min_error(), max_error());
  }
};

bool agree(const std::optional<double>& a, const std::optional<double>& b) {
  return !a || !b || std::abs(*a - *b) <= kErrorRounding * std::abs(*a);
}

/// A file "plummer_1e6.bin" matches the input "plummer" of a table.
bool same_bodies(const MeasuredBodies& ours, const MeasuredBodies& peers) {
  return ours.count == peers.count && agree(ours.dimension, peers.dimension) &&
         agree(ours.softening, peers.softening) && ours.input.find(peers.input) != std::string::npos;
}

bool same_series(const MeasuredForces& row, const Front& front) {
  const MeasuredBodies &a = row.bodies, &b = front.bodies;
  return row.code == front.code && a.input == b.input && a.count == b.count && a.dimension == b.dimension &&
         a.softening == b.softening;
}

std::vector<Front> fronts_of(std::vector<MeasuredForces> rows) {
  std::ranges::stable_sort(rows, {}, [](const MeasuredForces& row) { return std::pair(row.error, row.ms); });
  std::vector<Front> fronts;
  for (const MeasuredForces& row : rows) {
    auto front = std::ranges::find_if(fronts, [&](const Front& other) { return same_series(row, other); });
    if (front == fronts.end()) front = fronts.insert(front, {row.code, row.bodies, {}});
    if (front->points.empty() || row.ms < front->points.back().ms)
      front->points.push_back({row.error, row.ms, row.error_99, row.error_max});
  }
  std::ranges::stable_sort(fronts, {}, [](const Front& front) { return std::pair(front.bodies.count, front.code); });
  return fronts;
}

/// Result of a comparison.
struct Comparison {
  Table table{
      {"solver", "n", "mean error", "99 %", "max", "ms", "peer", "peer 99 %", "peer max", "peer ms", "speedup"}};
  std::size_t rows = 0;
  std::string outside;  ///< lines about errors outside the common range
};

void compare(const Front& ours, const Front& peer, Comparison& comparison) {
  std::vector<double> errors;
  std::string outside;
  for (const SpeedAtError& point : ours.points) {
    if (peer.covers(point.error))
      errors.push_back(point.error);
    else
      outside += text("%s%.1e", outside.empty() ? "" : ", ", point.error);
  }
  for (const SpeedAtError& point : peer.points) {
    if (ours.covers(point.error)) errors.push_back(point.error);
  }
  std::ranges::sort(errors);
  const auto same = [](double a, double b) { return b <= a * (1 + kErrorRounding); };
  errors.erase(std::unique(errors.begin(), errors.end(), same), errors.end());
  for (const double error : errors) {
    const double ms = ours.at(error, &SpeedAtError::ms), peer_ms = peer.at(error, &SpeedAtError::ms);
    const auto larger = [&](const Front& code, double SpeedAtError::*what) {
      const double found = code.at(error, what);
      return found > 0 ? text("%.1e", found) : std::string();
    };
    comparison.table.add({ours.code, static_cast<double>(ours.bodies.count), text("%.1e", error),
                          larger(ours, &SpeedAtError::error_99), larger(ours, &SpeedAtError::error_max), ms, peer.code,
                          larger(peer, &SpeedAtError::error_99), larger(peer, &SpeedAtError::error_max), peer_ms,
                          peer_ms / ms});
  }
  comparison.rows += errors.size();
  // For a peer with one row, other errors are always outside.
  if (outside.empty() || (peer.points.size() == 1 && !errors.empty())) return;
  comparison.outside += "  " + ours.name() + " at " + outside + ": " + peer.code + " has " + peer.range() + "\n";
}

/// "1000000 bodies of galaxy; 10000, 100000 bodies of plummer".
std::string available_bodies(const std::vector<Front>& peers) {
  std::map<std::string, std::set<std::size_t>> counts;
  for (const Front& peer : peers) counts[peer.bodies.input].insert(peer.bodies.count);
  std::string all;
  for (const auto& [input, numbers] : counts) {
    std::string list;
    for (const std::size_t count : numbers) list += (list.empty() ? "" : ", ") + std::to_string(count);
    all += (all.empty() ? "" : "; ") + list + " bodies" + (input.empty() ? "" : " of " + input);
  }
  return all.empty() ? "no row with a time and an error" : all;
}

/// The number in the column, if both exist.
std::optional<double> number_in(const TextTable& table, std::optional<std::size_t> column) {
  return column ? table.number_if_any(*column) : std::nullopt;
}

}  // namespace

std::vector<MeasuredForces> read_measurements(Bytes csv) {
  TextTable table(csv);
  const std::size_t code = table.required({"peer", "solver", "name"}), count = table.required({"n", "bodies"});
  const std::size_t ms = table.required({"force_ms", "total_ms", "ms"});
  const std::size_t error = table.required({"mean_error", "error_mean"});
  const auto backend = table.column({"backend"}), threads = table.column({"threads"}), input = table.column({"input"});
  const auto error_99 = table.column({"error_99_percent"}), error_max = table.column({"error_max"});
  const auto dimension = table.column({"dimension"}), softening = table.column({"softening"});
  std::vector<MeasuredForces> rows;
  while (table.next()) {
    const double time = table.number_if_any(ms).value_or(0), wrong = table.number_if_any(error).value_or(0);
    if (!(time > 0 && wrong > 0)) continue;
    const double bodies = table.number(count);
    if (!(bodies >= 1 && bodies < 1e15)) throw table.error(count, "it is not a number of bodies.");
    MeasuredForces& row = rows.emplace_back();
    row.code = code_name(std::string(table.field(code)), backend ? table.field(*backend) : "",
                         number_in(table, threads).value_or(0));
    row.bodies = {input ? input_name(table.field(*input)) : "", static_cast<std::size_t>(bodies),
                  number_in(table, dimension), number_in(table, softening)};
    row.ms = time;
    row.error = wrong;
    row.error_99 = number_in(table, error_99).value_or(0);
    row.error_max = number_in(table, error_max).value_or(0);
  }
  return rows;
}

std::vector<MeasuredForces> read_measurements(const std::string& path) {
  try {
    const MappedFile file(path);
    std::vector<MeasuredForces> rows = read_measurements(file.bytes());
    file.require_unchanged();
    return rows;
  } catch (const InputError& error) {
    throw CommandLineError(path + ": " + error.what(), error.missing ? kNoInput : kDataError);
  }
}

std::vector<MeasuredForces> measurements_of(const BenchOptions& options, const std::vector<BenchRow>& rows) {
  std::vector<MeasuredForces> measured;
  for (const BenchRow& row : rows) {
    const bool cpu = row.config.backend == Backend::cpu;
    const std::string_view backend = enum_name(row.config.backend);
    if (!(row.force_ms > 0 && row.errors.mean > 0)) continue;
    const auto dimension = static_cast<double>(row.config.dimension);
    measured.push_back({code_name(row.config.solver, backend, cpu ? threads_of(row.config) : 0),
                        {input_name(options.input), row.bodies, dimension, options.softening},
                        row.force_ms,
                        row.errors.mean,
                        row.errors.percentile_99,
                        row.errors.max});
  }
  return measured;
}

std::string comparison(const std::vector<MeasuredForces>& ours, const std::vector<MeasuredForces>& peers) {
  const std::vector<Front> our_fronts = fronts_of(ours), peer_fronts = fronts_of(peers);
  Comparison result;
  for (const Front& our : our_fronts) {
    bool found = false;
    for (const Front& peer : peer_fronts) {
      if (!same_bodies(our.bodies, peer.bodies)) continue;
      compare(our, peer, result);
      found = true;
    }
    if (!found) result.outside += "  " + our.name() + ": the table has " + available_bodies(peer_fronts) + "\n";
  }
  std::string all;
  if (result.rows > 0) all = "Force computation at equal mean error, interpolated:\n" + result.table.aligned();
  if (!result.outside.empty()) all += "Not compared (no extrapolation):\n" + result.outside;
  return all.empty() ? "No measured row has a time and an error.\n" : all;
}

}  // namespace pericenter::app

#include "app/cluster/engine_log.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <functional>
#include <optional>

#include "app/base/atomic_file.h"
#include "app/cluster/engine.h"

namespace pericenter::app {
namespace {

constexpr std::size_t kMostBytes = 256 << 20;  ///< size of a log that is still read

using ReadLine = std::function<std::optional<EnginePoint>(std::string_view line)>;

std::vector<EnginePoint> points_of(std::string_view text, std::size_t most, const ReadLine& read) {
  std::vector<EnginePoint> points;
  for (std::size_t end; (end = text.find('\n')) != text.npos; text.remove_prefix(end + 1))
    if (const std::optional<EnginePoint> point = read(text.substr(0, end))) points.push_back(*point);
  const std::size_t stride = points.size() / most + 1;
  for (std::size_t k = 0; k * stride < points.size(); ++k) points[k] = points[k * stride];
  points.resize((points.size() + stride - 1) / stride);
  return points;
}

/// The numbers of a line of nothing else.
std::vector<double> numbers_in(std::string_view line) {
  std::vector<double> numbers;
  while (true) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (line.empty()) return numbers;
    double number = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
    const auto length = static_cast<std::size_t>(end - line.data());
    if (error != std::errc() || (length < line.size() && line[length] != ' ' && line[length] != '\t')) return {};
    numbers.push_back(number);
    line.remove_prefix(length);
  }
}

Curve curve_of(const std::vector<EnginePoint>& points, const std::string& name, PlotColor color, double factor) {
  Curve curve{.name = name, .color = color};
  for (const EnginePoint& point : points) {
    curve.x.push_back(point.time * kMyr);
    curve.y.push_back(point.value * factor);
  }
  return curve;
}

}  // namespace

std::vector<EnginePoint> engine_energies(ClusterCode code, std::string_view text, std::size_t most) {
  // Columns of time, kinetic and potential energy.
  const std::size_t time = code == ClusterCode::swift ? 1 : 0, kinetic = code == ClusterCode::swift ? 13 : 3,
                    potential = code == ClusterCode::swift ? 15 : 2;
  return points_of(text, most, [&](std::string_view line) -> std::optional<EnginePoint> {
    const std::vector<double> numbers = numbers_in(line);
    if (numbers.size() <= std::max(kinetic, potential)) return std::nullopt;
    return EnginePoint{numbers[time], numbers[kinetic] + numbers[potential]};
  });
}

std::vector<EnginePoint> engine_steps(ClusterCode code, std::string_view text, std::size_t most) {
  return points_of(text, most, [&](std::string_view line) -> std::optional<EnginePoint> {
    if (code == ClusterCode::swift) {
      constexpr std::size_t kTimeStep = 4, kWhole = 10;  // columns: step, time, a, z, time step ...
      const std::string_view columns = line.substr(0, line.find('['));
      const std::vector<double> numbers = numbers_in(columns);
      if (numbers.size() < kWhole) return std::nullopt;
      return EnginePoint{numbers[1], numbers[kTimeStep]};
    }
    constexpr std::string_view kStep = "Systemstep:";
    const std::size_t at = line.find(kStep);
    const std::optional<double> time = time_of_step(code, line);
    if (at == line.npos || !line.starts_with("Sync-Point") || !time) return std::nullopt;
    const std::string_view rest = line.substr(at + kStep.size());
    const std::vector<double> step = numbers_in(rest.substr(0, rest.find(',')));
    return step.empty() ? std::nullopt : std::optional(EnginePoint{*time, step[0]});
  });
}

std::vector<Plot> engine_plots(const RunRecord& record) {
  const Engine& engine = engine_of(record.code);
  const auto text_of = [&](std::string_view name) {
    return first_bytes((std::filesystem::path(record.folder) / name).string(), kMostBytes).value_or("");
  };
  const std::string title(engine.title);
  std::vector<EnginePoint> energies = engine_energies(record.code, text_of(engine.energies));
  if (!energies.empty()) {
    const double first = energies.front().value;
    for (EnginePoint& point : energies) point.value = (point.value - first) / std::abs(first);
  }
  Plot energy;
  energy.title = "Energy, as " + title + " measures it";
  energy.x = {.name = "time", .unit = "Myr"};
  energy.y = {.name = "ΔE/E"};
  energy.curves = {curve_of(energies, "ΔE/E", kPlotOrange, 1)};
  energy.legend = false;
  std::vector<EnginePoint> steps = engine_steps(record.code, text_of(engine.steps));
  std::erase_if(steps, [](const EnginePoint& point) { return !(point.value > 0); });
  Plot step;
  step.title = "Time step of " + title;
  step.x = energy.x;
  step.y = {.name = "time step", .unit = "Myr", .logarithmic = true};
  step.curves = {curve_of(steps, "time step", kPlotBlue, kMyr)};
  step.legend = false;
  return {energy, step};
}

}  // namespace pericenter::app

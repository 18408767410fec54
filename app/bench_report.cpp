#include "app/bench_report.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <thread>
#include <utility>

#include "app/format.h"
#include "app/option_rows.h"

namespace pericenter::app {
namespace {

/// A column of the table: two lines of heading and the text of a cell.
struct Column {
  std::string name, unit;
  std::function<std::string(const BenchRow&)> cell;
};
using Columns = std::vector<Column>;

/// Three figures, but no more than three places behind the point.
std::string figures(double number) {
  if (number == 0) return "0";
  return text("%.*f", number >= 100 ? 0 : number >= 10 ? 1 : number >= 1 ? 2 : 3, number);
}

Column number_column(std::string name, std::string unit, std::function<double(const BenchRow&)> value) {
  return {std::move(name), std::move(unit),
          [value = std::move(value)](const BenchRow& row) { return figures(value(row)); }};
}

Column error_column(std::string name, double ForceErrors::*error) {
  return {std::move(name), "error", [error](const BenchRow& row) { return text("%.1e", row.errors.*error); }};
}

std::string_view backend_name(const BenchRow& row) {
  return kBackendNames[static_cast<std::size_t>(row.config.backend)];
}

/// Stages that ran in some row, under the first word of their names.
Columns stage_columns(const std::vector<BenchRow>& rows) {
  Columns columns;
  for (std::size_t k = 0; k < kStageCount; ++k) {
    if (std::none_of(rows.begin(), rows.end(), [k](const BenchRow& row) { return row.stages.ms[k] > 0; })) continue;
    const std::string_view name = kStageNames[k];
    columns.push_back({std::string(name.substr(0, name.find(' '))), "ms", [k](const BenchRow& row) {
                         return row.stages.ms[k] > 0 ? figures(static_cast<double>(row.stages.ms[k])) : "-";
                       }});
  }
  return columns;
}

/// Groups of columns, which stand a little apart.
std::vector<Columns> table_columns(const std::vector<BenchRow>& rows) {
  return {{{"solver", "", [](const BenchRow& row) { return row.config.solver; }},
           {"backend", "", [](const BenchRow& row) { return std::string(backend_name(row)); }},
           {"n", "", [](const BenchRow& row) { return std::to_string(row.bodies); }},
           {"theta", "", [](const BenchRow& row) { return row.has_tree ? text("%g", row.theta) : "-"; }}},
          stage_columns(rows),
          {number_column("step", "ms", [](const BenchRow& row) { return row.step_ms; }),
           number_column("force", "ms", [](const BenchRow& row) { return row.force_ms; }),
           number_column("bodies", "M/s", [](const BenchRow& row) { return row.bodies_per_second() / 1e6; }),
           number_column("inter.", "G/s", [](const BenchRow& row) { return row.interactions_per_second() / 1e9; })},
          {number_column("pairs", "a body", &BenchRow::pairs_per_body),
           number_column("cells", "a body", &BenchRow::cells_per_body)},
          {error_column("mean", &ForceErrors::mean), error_column("median", &ForceErrors::median),
           error_column("99 %", &ForceErrors::percentile_99), error_column("max", &ForceErrors::max)}};
}

/// Puts the column to the right of what the lines have already.
void append(const Column& column, const std::vector<BenchRow>& rows, std::vector<std::string>& lines) {
  std::vector<std::string> cells = {column.name, column.unit};
  for (const BenchRow& row : rows) cells.push_back(column.cell(row));
  std::size_t width = 0;
  for (const std::string& cell : cells) width = std::max(width, cell.size());
  for (std::size_t k = 0; k < lines.size(); ++k) lines[k] += std::string(width - cells[k].size() + 1, ' ') + cells[k];
}

int threads_of(const Config& config) {
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return config.threads > 0 ? std::min(config.threads, cores) : cores;
}

std::string_view precision_name(const Config& config) {
  return kPrecisionNames[static_cast<std::size_t>(config.precision)];
}

std::string_view multipole_name(const Config& config) {
  return kMultipoleNames[static_cast<std::size_t>(config.multipole)];
}

std::string settings_line(const BenchOptions& options, const std::vector<BenchRow>& rows) {
  std::string line = options.input + text(", %dD, ", options.config.dimension);
  line += std::string(precision_name(options.config)) + text(", softening %g", options.softening);
  const bool with_tree = std::any_of(rows.begin(), rows.end(), [](const BenchRow& row) { return row.has_tree; });
  if (with_tree) line += ", " + std::string(multipole_name(options.config)) + "s";
  std::string devices;
  for (const BenchRow& row : rows) {
    const bool cpu = row.config.backend == Backend::cpu;
    const std::string device = ", " + row.device + (cpu ? text(" with %d threads", threads_of(row.config)) : "");
    if (devices.find(device) == std::string::npos) devices += device;
  }
  return line + devices + "\n";
}

/// Everything of a row that the CSV has, by name.
using Cell = std::pair<std::string, std::string>;

std::vector<Cell> csv_cells(const BenchOptions& options, const BenchRow& row) {
  const auto number = [](double value) { return text("%.9g", value); };
  const auto count = [](std::uint64_t value) { return std::to_string(value); };
  const Config& config = row.config;
  std::vector<Cell> cells = {{"solver", config.solver},
                             {"backend", std::string(backend_name(row))},
                             {"device", row.device},
                             {"threads", config.backend == Backend::cpu ? std::to_string(threads_of(config)) : ""},
                             {"n", count(row.bodies)},
                             {"theta", row.has_tree ? number(row.theta) : ""},
                             {"precision", std::string(precision_name(config))},
                             {"dimension", std::to_string(config.dimension)},
                             {"multipole", row.has_tree ? std::string(multipole_name(config)) : ""},
                             {"input", options.input},
                             {"seed", count(options.seed)},
                             {"softening", number(options.softening)},
                             {"repeats", count(row.repeats)},
                             {"samples", count(row.samples)}};
  for (std::size_t k = 0; k < kStageCount; ++k) {
    std::string name(kStageNames[k]);
    std::replace(name.begin(), name.end(), ' ', '_');
    cells.emplace_back(name + "_ms", number(static_cast<double>(row.stages.ms[k])));
  }
  cells.insert(cells.end(), {{"step_ms", number(row.step_ms)},
                             {"force_ms", number(row.force_ms)},
                             {"bodies_per_s", number(row.bodies_per_second())},
                             {"interactions_per_s", number(row.interactions_per_second())},
                             {"pairs_per_body", number(row.pairs_per_body())},
                             {"cells_per_body", number(row.cells_per_body())},
                             {"error_mean", number(row.errors.mean)},
                             {"error_median", number(row.errors.median)},
                             {"error_99_percent", number(row.errors.percentile_99)},
                             {"error_max", number(row.errors.max)}});
  return cells;
}

std::string csv_line(const std::vector<Cell>& cells, std::string Cell::*part) {
  std::string line;
  for (const Cell& cell : cells) line += (line.empty() ? "" : ",") + cell.*part;
  return line + "\n";
}

}  // namespace

double BenchRow::bodies_per_second() const {
  return static_cast<double>(bodies) / step_ms * 1e3;
}

double BenchRow::interactions_per_second() const {
  const double ms = static_cast<double>(stages[Stage::walk] + stages[Stage::direct]);
  return ms > 0 ? static_cast<double>(body_interactions + cell_interactions) / ms * 1e3 : 0;
}

double BenchRow::pairs_per_body() const {
  return static_cast<double>(body_interactions) / static_cast<double>(bodies);
}

double BenchRow::cells_per_body() const {
  return static_cast<double>(cell_interactions) / static_cast<double>(bodies);
}

std::string bench_table(const BenchOptions& options, const std::vector<BenchRow>& rows) {
  std::vector<std::string> lines(rows.size() + 2);
  for (const Columns& group : table_columns(rows)) {
    for (const Column& column : group) append(column, rows, lines);
    for (std::string& line : lines) line += "  ";
  }
  std::string table = settings_line(options, rows);
  for (const std::string& line : lines) table += line.substr(1, line.find_last_not_of(' ')) + "\n";
  return table;
}

std::string bench_csv(const BenchOptions& options, const std::vector<BenchRow>& rows) {
  std::string csv = csv_line(csv_cells(options, rows.empty() ? BenchRow{} : rows.front()), &Cell::first);
  for (const BenchRow& row : rows) csv += csv_line(csv_cells(options, row), &Cell::second);
  return csv;
}

}  // namespace pericenter::app

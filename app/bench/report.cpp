#include "app/bench/report.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string_view>
#include <utility>

#include "app/base/format.h"
#include "app/bench/table.h"
#include "app/settings/option_parser.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

/// A column: two header lines and the text of a cell.
struct Column {
  std::string name, unit;
  std::function<std::string(const BenchRow&)> cell;
};
using Columns = std::vector<Column>;

Column number_column(std::string name, std::string unit, std::function<double(const BenchRow&)> value) {
  return {std::move(name), std::move(unit),
          [value = std::move(value)](const BenchRow& row) { return figures(value(row)); }};
}

Column error_column(std::string name, double ForceErrors::*error) {
  return {std::move(name), "error", [error](const BenchRow& row) { return text("%.1e", row.errors.*error); }};
}

std::string_view backend_name(const BenchRow& row) {
  return enum_name(row.config.backend);
}

/// Stages that ran in any row; the header is the first word of the name.
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

/// Rates of the copies between host and device, if any row copies.
Columns transfer_columns(const std::vector<BenchRow>& rows) {
  Columns columns;
  const auto add = [&](const char* name, Transfer StageTimings::*which) {
    const auto copies = [which](const BenchRow& row) { return (row.stages.*which).bytes > 0; };
    if (std::none_of(rows.begin(), rows.end(), copies)) return;
    columns.push_back({name, "MB", [which, copies](const BenchRow& row) {
                         return copies(row) ? figures(static_cast<double>((row.stages.*which).bytes) / 1e6) : "-";
                       }});
    columns.push_back({name, "GB/s", [which, copies](const BenchRow& row) {
                         return copies(row) ? figures((row.stages.*which).gb_per_s()) : "-";
                       }});
  };
  add("upload", &StageTimings::uploaded);
  add("download", &StageTimings::downloaded);
  return columns;
}

/// Multipole of far cells.
std::string multipole_name(const BenchRow& row) {
  if (find_solver(row.config.solver)->expansions) return "expansion";
  return std::string(enum_name(row.multipole()));
}

/// Whether rows with a tree differ in it.
bool differ_in_multipoles(const std::vector<BenchRow>& rows) {
  std::set<std::string> names;
  for (const BenchRow& row : rows) {
    if (row.has_tree()) names.insert(multipole_name(row));
  }
  return names.size() > 1;
}

/// Name of the active value; empty if the solver does not have the option.
std::string choice_name(const Config& config, SolverOption which) {
  if (!has_option(config, which)) return {};
  return std::string(solver_option_info(which).values[static_cast<std::size_t>(value_index(config, which))].name);
}

Columns setting_columns(const BenchOptions& options, const std::vector<BenchRow>& rows) {
  Columns columns;
  if (std::ranges::any_of(rows, [](const BenchRow& row) { return opens_by_error(row.config); })) {
    columns.push_back({"accuracy", "", [](const BenchRow& row) {
                         return opens_by_error(row.config) ? text("%g", row.accuracy) : "-";
                       }});
  }
  for (std::size_t k = 0; k < kSolverOptionCount; ++k) {
    if (options.solver_options[k].empty()) continue;
    const auto which = static_cast<SolverOption>(k);
    columns.push_back({std::string(solver_option_info(which).name), "", [which](const BenchRow& row) {
                         const std::string name = choice_name(row.config, which);
                         return name.empty() ? "-" : name;
                       }});
  }
  if (options.threads.size() > 1) {
    columns.push_back({"threads", "", [](const BenchRow& row) {
                         return row.config.backend == Backend::cpu ? std::to_string(threads_of(row.config)) : "-";
                       }});
  }
  if (differ_in_multipoles(rows)) {
    columns.push_back(
        {"far", "", [](const BenchRow& row) { return row.has_tree() ? multipole_name(row).substr(0, 4) : "-"; }});
  }
  return columns;
}

template <class Cells>
Column cells_column(std::string when, Cells cells) {
  return {"tree", std::move(when), [cells](const BenchRow& row) { return std::to_string(std::invoke(cells, row)); }};
}

Columns work_columns(const std::vector<BenchRow>& rows) {
  Columns columns = {
      number_column("pairs", "/body", [](const BenchRow& row) { return row.per_body(row.work.body_interactions); }),
      number_column("cells", "/body", [](const BenchRow& row) { return row.per_body(row.work.cell_interactions); })};
  if (std::any_of(rows.begin(), rows.end(), [](const BenchRow& row) { return row.work.node_visits > 0; })) {
    columns.push_back(
        number_column("visits", "/body", [](const BenchRow& row) { return row.per_body(row.work.node_visits); }));
  }
  if (std::any_of(rows.begin(), rows.end(), [](const BenchRow& row) { return row.work.lane_slots > 0; })) {
    columns.push_back({"lanes", "%", [](const BenchRow& row) {
                         return row.work.lane_slots > 0 ? text("%.0f", 100 * row.work.lane_efficiency()) : "-";
                       }});
  }
  if (std::any_of(rows.begin(), rows.end(), [](const BenchRow& row) { return row.first_cells > 0; })) {
    columns.push_back(cells_column("first", &BenchRow::first_cells));
    columns.push_back(cells_column("last", &BenchRow::last_cells));
  }
  return columns;
}

/// Groups of columns, separated by wider gaps.
std::vector<Columns> table_columns(const BenchOptions& options, const std::vector<BenchRow>& rows) {
  return {{{"solver", "", [](const BenchRow& row) { return row.config.solver; }},
           {"backend", "", [](const BenchRow& row) { return std::string(backend_name(row)); }},
           {"n", "", [](const BenchRow& row) { return std::to_string(row.bodies); }},
           {"theta", "", [](const BenchRow& row) { return row.has_theta() ? text("%g", row.theta) : "-"; }}},
          setting_columns(options, rows),
          stage_columns(rows),
          {number_column("step", "ms", [](const BenchRow& row) { return row.step_ms; }),
           number_column("force", "ms", [](const BenchRow& row) { return row.force_ms; }),
           number_column("bodies", "M/s", [](const BenchRow& row) { return row.bodies_per_second() / 1e6; }),
           number_column("inter.", "G/s", [](const BenchRow& row) { return row.interactions_per_second() / 1e9; })},
          transfer_columns(rows),
          work_columns(rows),
          {error_column("mean", &ForceErrors::mean), error_column("median", &ForceErrors::median),
           error_column("99 %", &ForceErrors::percentile_99), error_column("max", &ForceErrors::max)}};
}

std::string_view precision_name(const Config& config) {
  return enum_name(config.precision);
}

std::string settings_line(const BenchOptions& options, const std::vector<BenchRow>& rows) {
  std::string line = options.input + text(", %dD, ", options.config.dimension);
  line += std::string(precision_name(options.config)) + text(", softening %g", options.softening);
  const auto tree = std::find_if(rows.begin(), rows.end(), [](const BenchRow& row) { return row.has_tree(); });
  if (tree != rows.end() && !differ_in_multipoles(rows)) line += ", " + multipole_name(*tree) + "s";
  std::string devices;
  for (const BenchRow& row : rows) {
    const bool cpu = row.config.backend == Backend::cpu;
    const std::string device = ", " + row.device + (cpu ? text(" with %d threads", threads_of(row.config)) : "");
    if (devices.find(device) == std::string::npos) devices += device;
  }
  return line + devices + "\n";
}

/// Name and text of a CSV field.
using Field = std::pair<std::string, std::string>;

std::string csv_name(Stage stage) {
  std::string name(kStageNames[static_cast<std::size_t>(stage)]);
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

/// The stages that ran in one place, separated by spaces.
std::string stages_in(StagePlace place, const StageTimings& stages) {
  std::string names;
  for (std::size_t k = 0; k < kStageCount; ++k) {
    const auto stage = static_cast<Stage>(k);
    if (stages[stage] > 0 && stages.place(stage) == place) names += (names.empty() ? "" : " ") + csv_name(stage);
  }
  return names;
}

void add_place_and_transfer_fields(const StageTimings& stages, std::vector<Field>& fields) {
  fields.emplace_back("cpu_stages", stages_in(StagePlace::cpu, stages));
  fields.emplace_back("gpu_stages", stages_in(StagePlace::gpu, stages));
  fields.emplace_back("pcie_stages", stages_in(StagePlace::transfer, stages));
  const auto add = [&](const std::string& name, const Transfer& transfer) {
    const bool copies = transfer.bytes > 0;
    fields.emplace_back(name + "_bytes", copies ? std::to_string(transfer.bytes) : "");
    fields.emplace_back(name + "_gb_per_s", copies ? text("%.9g", transfer.gb_per_s()) : "");
  };
  add("upload", stages.uploaded);
  add("download", stages.downloaded);
}

/// The counts, separated by spaces.
std::string counts_text(const std::vector<std::size_t>& counts) {
  std::string words;
  for (const std::size_t count : counts) words += (words.empty() ? "" : " ") + std::to_string(count);
  return words;
}

std::vector<Field> csv_fields(const BenchOptions& options, const BenchRow& row) {
  const auto number = [](double value) { return text("%.9g", value); };
  const auto count = [](std::uint64_t value) { return std::to_string(value); };
  const Config& config = row.config;
  std::vector<Field> fields = {{"solver", config.solver},
                               {"backend", std::string(backend_name(row))},
                               {"device", row.device},
                               {"threads", config.backend == Backend::cpu ? std::to_string(threads_of(config)) : ""},
                               {"n", count(row.bodies)},
                               {"theta", row.has_theta() ? number(row.theta) : ""},
                               {"accuracy", opens_by_error(config) ? number(row.accuracy) : ""},
                               {"precision", std::string(precision_name(config))},
                               {"dimension", std::to_string(config.dimension)},
                               {"multipole", row.has_tree() ? multipole_name(row) : ""},
                               {"integrator", std::string(enum_name(config.integrator))},
                               {"input", input_name(options, row.bodies)},
                               {"seed", count(options.seed)},
                               {"softening", number(options.softening)},
                               {"dt", row.dt > 0 ? number(row.dt) : ""},
                               {"length_unit", row.length_unit},
                               {"repeats", count(row.repeats)},
                               {"samples", count(row.samples)}};
  for (std::size_t k = 0; k < kSolverOptionCount; ++k) {
    const auto which = static_cast<SolverOption>(k);
    std::string name(solver_option_info(which).name);
    std::replace(name.begin(), name.end(), '-', '_');
    fields.emplace_back(name, choice_name(config, which));
  }
  for (std::size_t k = 0; k < kStageCount; ++k) {
    fields.emplace_back(csv_name(static_cast<Stage>(k)) + "_ms", number(static_cast<double>(row.stages.ms[k])));
  }
  add_place_and_transfer_fields(row.stages, fields);
  fields.insert(fields.end(), {{"step_ms", number(row.step_ms)},
                               {"mean_step_ms", number(row.mean_ms)},
                               {"force_ms", number(row.force_ms)},
                               {"bodies_per_s", number(row.bodies_per_second())},
                               {"interactions_per_s", number(row.interactions_per_second())},
                               {"pairs_per_body", number(row.per_body(row.work.body_interactions))},
                               {"cells_per_body", number(row.per_body(row.work.cell_interactions))},
                               {"node_visits", count(row.work.node_visits)},
                               {"lane_efficiency", row.work.lane_slots > 0 ? number(row.work.lane_efficiency()) : ""},
                               {"first_cells", row.first_cells > 0 ? count(row.first_cells) : ""},
                               {"last_cells", row.last_cells() > 0 ? count(row.last_cells()) : ""},
                               {"cells_each_step", counts_text(row.cells)},
                               {"energy_error", row.dt > 0 ? number(row.energy_error) : ""},
                               {"largest_leaf", row.first_cells > 0 ? number(row.largest_leaf) : ""},
                               {"noted_steps", count(row.noted_steps)},
                               {"note", row.note},
                               {"error_mean", number(row.errors.mean)},
                               {"error_median", number(row.errors.median)},
                               {"error_99_percent", number(row.errors.percentile_99)},
                               {"error_max", number(row.errors.max)}});
  return fields;
}

/// Names or texts of the fields as a CSV line.
std::string line_of(const std::vector<Field>& fields, std::string Field::*part) {
  std::vector<std::string> texts(fields.size());
  std::transform(fields.begin(), fields.end(), texts.begin(), [part](const Field& field) { return field.*part; });
  return csv_line(texts);
}

}  // namespace

std::string bench_table(const BenchOptions& options, const std::vector<BenchRow>& rows) {
  AlignedLines lines(rows.size() + 2);
  for (const Columns& group : table_columns(options, rows)) {
    lines.gap();
    for (const Column& column : group) {
      std::vector<std::string> texts = {column.name, column.unit};
      for (const BenchRow& row : rows) texts.push_back(column.cell(row));
      lines.append(texts);
    }
  }
  return settings_line(options, rows) + lines.text();
}

std::string bench_csv(const BenchOptions& options, const std::vector<BenchRow>& rows) {
  std::string csv = line_of(csv_fields(options, rows.empty() ? BenchRow{} : rows.front()), &Field::first);
  for (const BenchRow& row : rows) csv += line_of(csv_fields(options, row), &Field::second);
  return csv;
}

}  // namespace pericenter::app

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <ostream>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "app/bench/axis.h"
#include "app/bench/suites.h"
#include "sim/core/device.h"
#include "sim/solvers/registry.h"
#include "tests/support/program.h"

// `pericenter bench --suite`, and the pictures that it draws.

namespace pericenter::test {
namespace {

/// On the CPU, so that the tests see the same rows everywhere.
Outcome suite(const TemporaryFolder& folder, const std::string& name, const Words& more = {}) {
  Words arguments = {"bench", "--suite", name, "--backend", "cpu", "--quick", "--no-progress"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_program({arguments, folder.path()});
}

Words lines_of(const std::string& text) {
  Words lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Attributes of a tag without its name: each a name, an equals sign and a text in quotes without '<'.
bool are_attributes(std::string text) {
  for (;;) {
    text.erase(0, text.find_first_not_of(" \n"));
    if (text.empty() || text == "/") return true;
    const std::size_t equals = text.find("=\""), end = equals == text.npos ? text.npos : text.find('"', equals + 2);
    if (end == text.npos || equals == 0 || text.substr(0, end).find('<') != text.npos) return false;
    text.erase(0, end + 1);
  }
}

/// Empty when the text is well-formed XML as far as we write it: nested tags, quoted attributes, escaped text.
std::string problem_with_xml(const std::string& text) {
  Words open;
  std::size_t at = text.find("?>");
  if (text.rfind("<?xml ", 0) != 0 || at == text.npos) return "no declaration";
  for (at += 2; at < text.size();) {
    if (text[at] == '&' && text.compare(at, 5, "&amp;") != 0 && text.compare(at, 4, "&lt;") != 0 &&
        text.compare(at, 4, "&gt;") != 0) {
      return "a bare &";
    }
    if (text[at] != '<') {
      ++at;
      continue;
    }
    const std::size_t end = text.find('>', at);
    if (end == text.npos) return "a tag without an end";
    const std::string tag = text.substr(at + 1, end - at - 1);
    at = end + 1;
    if (tag.front() == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return "unexpected " + tag;
      open.pop_back();
      continue;
    }
    const std::string name = tag.substr(0, tag.find_first_of(" \n/"));
    if (!are_attributes(tag.substr(name.size()))) return "bad attributes: " + tag;
    if (tag.back() != '/') open.push_back(name);
  }
  return open.empty() ? "" : "not closed: " + open.back();
}

void expect_a_picture(const std::string& text) {
  EXPECT_EQ(problem_with_xml(text), "");
  EXPECT_THAT(text, testing::HasSubstr("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  // Coordinates that are no numbers.
  for (const char* word : {"nan", "inf"}) {
    EXPECT_THAT(text, testing::Not(testing::HasSubstr(std::string("\"") + word)));
    EXPECT_THAT(text, testing::Not(testing::HasSubstr(std::string("\"-") + word)));
    EXPECT_THAT(text, testing::Not(testing::HasSubstr(std::string(",") + word)));
  }
}

const std::map<std::string, Words> kColumns = {
    {"scaling", {"curve", "n", "ms_100_steps", "step_ms", "steps_timed", "threads", "note", "device"}},
    {"threads",
     {"parallel", "walk_ms", "total_ms", "speed_up", "efficiency", "speed_up_total", "efficiency_total", "note"}},
    {"theta", {"theta", "step_ms", "error_mean", "error_max", "samples", "speed_up_over_direct"}},
    {"ordering", {"order", "walk_ms", "step_ms", "visits_per_body", "lane_efficiency", "slowdown"}},
    {"throughput",
     {"algorithm", "execution", "step_ms", "bodies_per_s", "build_tree_percent", "forces_percent", "rest_percent"}},
    {"ablation",
     {"variant", "step_ms", "change_ms", "speed_up", "download_ms", "upload_ms", "walk_ms", "direct_sum_ms"}},
};

class Suites : public testing::TestWithParam<std::string> {};

TEST_P(Suites, QuickVersionWritesTableAndFigure) {
  const TemporaryFolder folder;
  const Outcome outcome = suite(folder, GetParam());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(folder.names(), (Words{GetParam() + ".csv", GetParam() + ".svg"}));
  expect_a_picture(text_of(folder / (GetParam() + ".svg")));

  const Words lines = lines_of(text_of(folder / (GetParam() + ".csv")));
  ASSERT_GE(lines.size(), 2u);
  const std::string header = "," + lines[0] + ",";
  for (const std::string& column : kColumns.at(GetParam())) {
    EXPECT_THAT(header, testing::HasSubstr("," + column + ",")) << column << " is not in " << lines[0];
  }
  for (const std::string& line : lines) {
    EXPECT_EQ(std::count(line.begin(), line.end(), ','), std::count(lines[0].begin(), lines[0].end(), ',')) << line;
  }
  // A title, the machine, names of columns, and a line a row.
  EXPECT_EQ(lines_of(outcome.out).size(), lines.size() + 2) << outcome.out;
}

std::vector<std::string> suite_names() {
  Words names;
  for (const app::SuiteInfo& one : app::suites()) names.emplace_back(one.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(All, Suites, testing::ValuesIn(suite_names()), [](const auto& name) { return name.param; });

/// What a suite plans for its full sizes, or for its quick ones.
app::SuiteCases cases_of(const app::SuiteInfo& suite, bool quick) {
  app::SuiteRequest request;
  request.backends = {Backend::cpu, Backend::cuda};
  const auto sizes = [&](std::span<const std::size_t> full) {
    const auto chosen = quick ? suite.sizes.quick : full;
    return std::vector<std::size_t>(chosen.begin(), chosen.end());
  };
  request.cpu_bodies = sizes(suite.sizes.cpu);
  request.cuda_bodies = sizes(suite.sizes.cuda);
  return suite.plan(request);
}

TEST(SuiteTable, PlansOnlyValidConfigurations) {
  for (const app::SuiteInfo& suite : app::suites()) {
    for (const bool quick : {true, false}) {
      const app::SuiteCases cases = cases_of(suite, quick);
      std::map<Backend, std::size_t> rows;
      for (const app::SuiteCase& one : cases) {
        EXPECT_EQ(problem_with(one.row.config), "") << suite.name << ": " << one.curve << ' ' << one.label;
        ++rows[one.row.config.backend];
      }
      EXPECT_GT(rows[Backend::cpu], 1u) << suite.name;
      EXPECT_GT(rows[Backend::cuda], 1u) << suite.name;
    }
  }
}

TEST(SuiteTable, ThreadsGoUpToOnePerBody) {
  const app::SuiteInfo& threads = app::suites()[1];
  ASSERT_EQ(threads.name, "threads");
  int plain = 0, one_per_body = 0;
  for (const app::SuiteCase& one : cases_of(threads, false)) {
    if (one.row.config.backend == Backend::cpu || one.row.config.solver_options[SolverOption::shared_tree] != 1)
      continue;
    ++(one.row.bodies == 40'000 ? plain : one_per_body);
  }
  EXPECT_EQ(plain, 17);        // 1, 2, 4 ... 32768, 40000
  EXPECT_EQ(one_per_body, 6);  // 1024 ... 32768
}

/// As if everything had been measured, everywhere.
app::SuiteCases measured(const app::SuiteInfo& suite, const std::string& device) {
  app::SuiteCases cases = cases_of(suite, false);
  for (app::SuiteCase& one : cases) {
    one.row.repeats = 1;
    one.row.step_ms = one.row.mean_ms = 2;
    one.row.device = device;
    one.row.stages[one.row.has_tree() ? Stage::walk : Stage::direct] = 1;
  }
  return cases;
}

TEST(SuiteTable, FiguresEscapeText) {
  for (const app::SuiteInfo& suite : app::suites()) {
    app::SuiteReport report = suite.report(measured(suite, "\"A\", <B> & C"));
    expect_a_picture(app::svg({"<title> & more", "\"quoted\"", std::move(report.panels)}));
    EXPECT_THAT(report.table.csv(), testing::HasSubstr(",\"\"\"A\"\", <B> & C\"\n")) << suite.name;
  }
}

TEST(Suite, SkipsUnavailableCuda) {
  if (cuda_status().available()) GTEST_SKIP() << "there is CUDA here";
  const TemporaryFolder folder;
  const Outcome outcome = run_program({{"bench", "--suite", "ordering", "--quick", "--no-progress"}, folder.path()});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err,
            "pericenter: skipped: GPU warp; GPU skip: CUDA cannot be used: " + cuda_status().missing + ".\n");
}

TEST(Suite, CurveEndsBeforeASlowRow) {
  const TemporaryFolder folder;
  const Outcome outcome = suite(folder, "scaling", {"-n", "1000,300000,300001"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, testing::HasSubstr("skipped: CPU direct with 300000 bodies: a step would take about"));
  EXPECT_THAT(outcome.err, testing::Not(testing::HasSubstr("CPU direct with 300001")));
  const std::string csv = text_of(folder / "scaling.csv");
  EXPECT_THAT(csv, testing::HasSubstr("CPU direct,1000,"));
  EXPECT_THAT(csv, testing::HasSubstr("CPU octree,300000,"));
  EXPECT_THAT(csv, testing::Not(testing::HasSubstr("CPU direct,3")));
}

TEST(Suite, WritesToTheOutputFolder) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "out");
  const Outcome outcome = suite(folder, "ablation", {"--out", "out", "-n", "300"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(folder.names(), Words{"out"});
  EXPECT_TRUE(std::filesystem::exists(folder / "out" / "ablation.svg"));
}

TEST(Suite, InterruptKeepsMeasuredRows) {
  const TemporaryFolder folder;
  Start start{{"bench", "--suite", "ordering", "--backend", "cpu", "-n", "30000"}, folder.path()};
  start.signal_when = [](const std::string& standard_error) {
    return standard_error.find("1 of 4 rows") != std::string::npos;
  };
  const Outcome outcome = run_program(start);
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_THAT(outcome.err, testing::HasSubstr("interrupted"));
  EXPECT_EQ(folder.names(), (Words{"ordering.csv", "ordering.svg"}));
  EXPECT_EQ(lines_of(text_of(folder / "ordering.csv")).size(), 3u);
  expect_a_picture(text_of(folder / "ordering.svg"));
}

TEST(Suite, ListsAllSuites) {
  const TemporaryFolder folder;
  const Outcome outcome = run_program({{"bench", "--list-suites"}, folder.path()});
  EXPECT_EQ(outcome.exit_code, 0);
  for (const app::SuiteInfo& one : app::suites()) {
    EXPECT_THAT(outcome.out, testing::HasSubstr(std::string(one.name) + "\n    ")) << one.name;
    EXPECT_THAT(outcome.out, testing::HasSubstr(std::string(one.source))) << one.name;
  }
}

TEST(Plot, IgnoresValuesThatCannotBeDrawn) {
  const std::vector<app::Point> odd = {{0, 1}, {-1, 2}, {NAN, 3}, {3, INFINITY}, {4, 0}};
  for (const bool logarithmic : {false, true}) {
    app::LinePanel lines{"odd", {"x", logarithmic}, {"y", logarithmic}, {{"one", 0, 0, odd}, {"none", 1, 1, {}}}};
    app::LinePanel point{"point", {"x", logarithmic}, {"y", logarithmic}, {{"one", 9, 9, {{1, 1}}}}};
    expect_a_picture(app::svg({"title", "", {lines, point, app::LinePanel{}}}));
  }
  app::BarPanel bars{"bars", "ms", {"a", "b"}, {{"zero", {0, 0}}, {"some", {1, 2}}}};
  expect_a_picture(app::svg({"title", "", {bars, app::BarPanel{}}}));
}

TEST(Plot, AxesHaveFewRoundTicks) {
  for (const bool logarithmic : {false, true}) {
    for (const double least : {1e-7, 0.3, 1.0, 4000.0}) {
      for (const double factor : {1.0, 1.7, 30.0, 1e5}) {
        const double most = least * factor;
        const app::AxisScale axis({least, most}, logarithmic);
        EXPECT_GE(axis.position(least), -1e-6);
        EXPECT_LE(axis.position(most), 1 + 1e-6);
        const auto labelled = std::count_if(axis.ticks().begin(), axis.ticks().end(),
                                            [](const app::Tick& tick) { return !tick.label.empty(); });
        EXPECT_GE(labelled, 2) << least << ' ' << most << ' ' << logarithmic;
        EXPECT_LE(labelled, 10) << least << ' ' << most << ' ' << logarithmic;
        EXPECT_NEAR(axis.position(axis.ticks().front().value), 0, 1e-9);
        EXPECT_NEAR(axis.position(axis.ticks().back().value), 1, 1e-9);
      }
    }
  }
}

TEST(Table, QuotesCsvAndHidesEmptyColumns) {
  app::Table table({"name", "value", "nothing", "device"}, 1);
  table.add({"a,b", 0.00012345, "", "x"});
  table.add({"c \"d\"", 1234567.0, "", "x"});
  EXPECT_EQ(table.csv(), "name,value,nothing,device\n\"a,b\",0.00012345,,x\n\"c \"\"d\"\"\",1234567,,x\n");
  EXPECT_EQ(table.aligned(), " name    value\n  a,b  1.2e-04\nc \"d\"  1234567\n");
}

}  // namespace
}  // namespace pericenter::test

#include "sim/files/unnamed_table.h"

#include <algorithm>
#include <cmath>

namespace pericenter {
namespace {

/// What the numbers of a column can be.
struct ColumnNumbers {
  bool negative = false, constant = true, zero = true, rises = true, steady = true, counts = true, labels = true;

  ColumnNumbers(std::span<const std::vector<double>> rows, std::size_t column) {
    const double first = rows[0][column], step = rows.size() > 1 ? rows[1][column] - first : 0;
    double last = first - 1;
    std::vector<double> numbers;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const double number = rows[row][column], k = static_cast<double>(row);
      negative = negative || number < 0;
      constant = constant && number == first;
      zero = zero && number == 0;
      rises = rises && number > last;
      steady = steady && std::abs(number - first - k * step) <= 1e-4 * std::abs(step);
      counts = counts && number == first + k;
      labels = labels && number == std::floor(number);
      numbers.push_back(last = number);
    }
    std::ranges::sort(numbers);
    labels = labels && rows.size() > 2 && std::ranges::adjacent_find(numbers) == numbers.end();
    // A few bodies may have such masses by chance.
    rises = rises && rows.size() > 2;
    steady = steady && step != 0 && rows.size() > 2;
  }

  bool is_mass() const { return !negative && !zero; }
  /// As times or the numbers of bodies do.
  bool is_sequence() const { return rises || steady || labels; }
};

const char* const kAdd = " Add a first line such as 'm x y z vx vy vz', ";

std::string problem_of(const ColumnNumbers& first, const ColumnNumbers& last, bool starts_in_box, bool all_positive) {
  if (all_positive || (!first.is_mass() && !last.is_mass()))
    return "numbers without column names. Add a first line such as m,x,y,z,vx,vy,vz.";
  if (first.is_mass() && first.is_sequence())
    return std::string(
               "numbers without column names, and the first column can be masses, or times or numbers of the "
               "bodies.") +
           kAdd + "'t x y z vx vy vz' or 'id x y z vx vy vz'.";
  if (!first.is_mass() && last.is_sequence())
    return std::string("numbers without column names, and the last column can be masses or times.") + kAdd +
           "'x y z vx vy vz m' or 'x y z vx vy vz t'.";
  if (first.is_mass() && (last.is_mass() ? first.constant == last.constant : starts_in_box))
    return std::string("numbers without column names, and masses can be the first column or the last.") + kAdd +
           "or 'x y z vx vy vz m'.";
  return {};
}

}  // namespace

AssumedNames assumed_names(std::span<const std::vector<double>> rows) {
  const std::size_t count = rows[0].size();
  std::vector<ColumnNumbers> columns;
  for (std::size_t k = 0; k < count; ++k) columns.emplace_back(rows, k);
  const std::size_t begin = count == 8 && columns[0].counts ? 1 : 0;
  if (count != begin + 7) return {{}, "numbers without column names. Add a first line such as m,x,y,z,vx,vy,vz."};
  const ColumnNumbers &first = columns[begin], &last = columns.back();
  const auto positive = [&](std::size_t from, std::size_t to) {
    return std::none_of(columns.begin() + static_cast<std::ptrdiff_t>(from),
                        columns.begin() + static_cast<std::ptrdiff_t>(to),
                        [](const ColumnNumbers& column) { return column.negative; });
  };
  // Positions in a periodic volume, from 0 to its side, before velocities.
  const bool starts_in_box = positive(begin, begin + 3) && columns[begin + 3].negative;
  std::string problem = problem_of(first, last, starts_in_box, positive(begin, count));
  if (!problem.empty()) return {{}, std::move(problem)};
  const bool mass_last = !first.is_mass() || (last.is_mass() && last.constant);
  AssumedNames assumed{mass_last ? std::vector<std::string>{"x", "y", "z", "vx", "vy", "vz", "m"}
                                 : std::vector<std::string>{"m", "x", "y", "z", "vx", "vy", "vz"}};
  if (begin == 1) assumed.names.insert(assumed.names.begin(), "id");
  return assumed;
}

}  // namespace pericenter

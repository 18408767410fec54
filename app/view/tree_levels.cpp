#include "app/view/tree_levels.h"

#include <algorithm>
#include <map>

namespace pericenter::app {

TreeLevels levels_of(std::span<const TreeBox> cells, std::size_t limit) {
  std::map<int, TreeLevel> found;
  for (const auto& [center, half_width, level] : cells) {
    const float edge = 2 * std::max({half_width[0], half_width[1], half_width[2]});
    const auto [row, is_new] = found.try_emplace(level, TreeLevel{level, 0, edge, edge});
    TreeLevel& of = row->second;
    ++of.cells;
    of.least_edge = std::min(of.least_edge, edge);
    of.largest_edge = std::max(of.largest_edge, edge);
  }
  TreeLevels result{.complete = cells.size() < limit};
  for (const auto& [level, of] : found) result.levels.push_back(of);
  return result;
}

}  // namespace pericenter::app

#include "app/overlay/tree_legend.h"

#include <algorithm>
#include <cfloat>

#include "app/base/format.h"
#include "app/ui/ui_style.h"
#include "render/color_map.h"

namespace pericenter::app {
namespace {

constexpr float kTreeRowEms = 1.3f, kPatchEms = 1.9f, kColumnGapEms = 0.9f, kTreePlateEms = 0.5f;
constexpr float kHiddenAlpha = 0.25f;
constexpr int kPatchesPerRow = 6;

/// Opacity of a row: levels that a descent has not reached yet are pale.
float row_alpha(int level, const TreeLegendStyle& style) {
  return std::clamp(style.revealed - static_cast<float>(level), kHiddenAlpha, 1.0f);
}

void draw_patch(const OverlayCanvas& canvas, ImVec2 at, int level, const TreeLegendStyle& style) {
  const LevelPatch patch{level, style.background, canvas.font, row_alpha(level, style)};
  draw_level_patch(canvas.draw, patch, at, {at.x + kPatchEms * canvas.em, at.y + 1.1f * canvas.em});
}

/// Only the numbers of the levels, several in a row.
ImVec2 draw_patches(const OverlayCanvas& canvas, const std::vector<TreeLegendRow>& rows, const TreeLegendStyle& style,
                    ImVec2 corner) {
  const float em = canvas.em, step = (kPatchEms + 0.15f) * em, edge = kTreePlateEms * em;
  const int count = static_cast<int>(rows.size()), columns = std::min(count, kPatchesPerRow);
  const int lines = (count + columns - 1) / columns;
  const float width = std::max(static_cast<float>(columns) * step, canvas.text_width("tree levels")) + 2 * edge;
  const float height = kTreeRowEms * em * static_cast<float>(lines + 1) + edge;
  const ImVec2 low{corner.x - width, corner.y};
  plate(canvas, low, {corner.x, corner.y + height});
  write(canvas, {low.x + edge, low.y + edge / 2}, canvas.foreground, "tree levels");
  for (int k = 0; k < count; ++k) {
    const ImVec2 at{low.x + edge + step * static_cast<float>(k % columns),
                    low.y + edge / 2 + kTreeRowEms * em * static_cast<float>(1 + k / columns)};
    draw_patch(canvas, at, rows[static_cast<std::size_t>(k)].level, style);
  }
  return {width, height};
}

/// Left edges and width of the columns of the table, relative to its plate.
struct TableWidths {
  float edge_right = 0, cells_right = 0, all = 0;
};

TableWidths table_widths(const OverlayCanvas& canvas, const std::vector<TreeLegendRow>& rows) {
  float edge = canvas.text_width("edge"), cells = canvas.text_width("cells");
  for (const TreeLegendRow& row : rows) {
    edge = std::max(edge, canvas.text_width(row.edge));
    cells = std::max(cells, canvas.text_width(row.cells));
  }
  const float em = canvas.em, first = std::max(kPatchEms * em, canvas.text_width("level"));
  TableWidths widths{.edge_right = kTreePlateEms * em + first + kColumnGapEms * em + edge};
  widths.cells_right = widths.edge_right + kColumnGapEms * em + cells;
  widths.all = widths.cells_right + kTreePlateEms * em;
  return widths;
}

}  // namespace

std::vector<TreeLegendRow> tree_legend_rows(const TreeLevels& tree, const Units& units) {
  constexpr float kSame = 1.001f;
  std::vector<TreeLegendRow> rows;
  for (const TreeLevel& of : tree.levels) {
    const std::string edge = short_length_text(static_cast<double>(of.largest_edge), units);
    rows.push_back({.level = of.level,
                    .edge = of.largest_edge > kSame * of.least_edge ? "up to " + edge : edge,
                    .cells = tree.complete ? with_thousands(of.cells) : std::string()});
  }
  return rows;
}

ImVec2 draw_tree_legend(const OverlayCanvas& canvas, const std::vector<TreeLegendRow>& rows,
                        const TreeLegendStyle& style, ImVec2 corner) {
  if (rows.empty()) return {};
  const float em = canvas.em, edge = kTreePlateEms * em;
  const float height = kTreeRowEms * em * static_cast<float>(rows.size() + 1) + edge;
  if (!style.numbers || height > style.max_height) return draw_patches(canvas, rows, style, corner);
  const TableWidths widths = table_widths(canvas, rows);
  const ImVec2 low{corner.x - widths.all, corner.y};
  plate(canvas, low, {corner.x, corner.y + height});
  float y = low.y + edge / 2;
  const auto ending_at = [&](float right, const std::string& words, const ImVec4& color, float alpha) {
    write(canvas, {low.x + right - canvas.text_width(words), y}, faded(color, alpha), words);
  };
  write(canvas, {low.x + edge, y}, canvas.dim, "level");
  ending_at(widths.edge_right, "edge", canvas.dim, 1);
  if (!rows.front().cells.empty()) ending_at(widths.cells_right, "cells", canvas.dim, 1);
  for (const TreeLegendRow& row : rows) {
    y += kTreeRowEms * em;
    const float alpha = row_alpha(row.level, style);
    draw_patch(canvas, {low.x + edge, y}, row.level, style);
    ending_at(widths.edge_right, row.edge, canvas.foreground, alpha);
    ending_at(widths.cells_right, row.cells, canvas.foreground, alpha);
  }
  return {widths.all, height};
}

void draw_level_patch(ImDrawList& draw, const LevelPatch& patch, ImVec2 low, ImVec2 high) {
  const glm::vec3 color = render::level_color(patch.level, patch.background);
  const float height = high.y - low.y, size = 0.9f * height;
  draw.AddRectFilled(low, high, ImGui::ColorConvertFloat4ToU32({color.r, color.g, color.b, patch.alpha}),
                     0.18f * height);
  const std::string number = std::to_string(patch.level);
  const ImVec2 room = patch.font->CalcTextSizeA(size, FLT_MAX, 0, number.c_str());
  // Black or white, whichever has the greater contrast.
  const float luminance = glm::dot(color * color, glm::vec3(0.2126f, 0.7152f, 0.0722f));
  const ImVec4 letters = luminance > 0.2f ? ImVec4{0.06f, 0.07f, 0.1f, patch.alpha} : ImVec4{1, 1, 1, patch.alpha};
  draw.AddText(patch.font, size, {(low.x + high.x - room.x) / 2, (low.y + high.y - room.y) / 2},
               ImGui::ColorConvertFloat4ToU32(letters), number.c_str());
}

}  // namespace pericenter::app

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// The model of every plot of the program. draw_plot.h draws it in the window, plot_files.h saves it.

namespace pericenter::app {

/// A colour as 0xRRGGBB for the dark and for the light theme. The contrast to the background of a plot is at least 3.
struct PlotColor {
  std::uint32_t dark, light;

  friend bool operator==(const PlotColor&, const PlotColor&) = default;
};
// The hues of the palette for colour-blind readers of Okabe and Ito (2008, https://jfly.uni-koeln.de/color/), with
// lightnesses that differ, too (tests/app/ui/color_vision_tests.cpp). Curves that one plot shows together also differ
// in their line style or markers.
inline constexpr PlotColor kPlotBlue{0x86DCFF, 0x0C65A8}, kPlotOrange{0xFEAD0C, 0x7D2505},
    kPlotGreen{0x0EAC7E, 0x0E6152}, kPlotPurple{0xA868A8, 0xA4417F}, kPlotRed{0xFA4E10, 0xCB0501},
    kPlotYellow{0xD6F38B, 0x586523}, kPlotViolet{0x7F70F0, 0x6F00D7}, kPlotGrey{0xA1B5C8, 0x333F4F};
inline constexpr std::array kPlotColors = {kPlotBlue, kPlotOrange, kPlotGreen,  kPlotPurple,
                                           kPlotRed,  kPlotYellow, kPlotViolet, kPlotGrey};

enum class LineStyle { solid, dashed, dotted, dash_dotted, none };

/// An interval; low < high.
struct PlotRange {
  double low = 0, high = 1;

  double length() const { return high - low; }
  bool contains(double value) const { return value >= low && value <= high; }
  friend bool operator==(const PlotRange&, const PlotRange&) = default;
};

struct PlotAxis {
  std::string name = {}, unit = {};     ///< "time", "Myr"; the unit of a pure number is empty
  bool logarithmic = false;             ///< values that are not positive are skipped
  std::optional<PlotRange> range = {};  ///< range of a y axis; nullopt: range of the visible values
  bool from_zero = false;               ///< a fitted linear range includes 0
};

/// "time [Myr]"
std::string title_of(const PlotAxis& axis);

/// A line through points, or markers. `x` and `y` have equal lengths and `x` ascends. A value that is not finite, or
/// beyond kLargestPlotted, is a gap.
struct Curve {
  std::string name;
  PlotColor color = kPlotBlue;
  LineStyle line = LineStyle::solid;
  bool markers = false;
  std::vector<double> x = {}, y = {};
};
inline constexpr double kLargestPlotted = 1e300;

/// A layer of a stack: its value k applies from Plot::band_x[k] to the next one.
struct Band {
  std::string name;
  PlotColor color = kPlotBlue;
  std::vector<double> y = {};  ///< one value per Plot::band_x, not negative
};

/// A coloured range of y behind the curves, with its name at the right end.
struct PlotZone {
  PlotRange y;
  PlotColor color;
  std::string name;
};

/// A thin vertical line.
struct PlotMark {
  double x = 0;
  std::string text;  ///< tooltip
};

/// A large dot with a label, for the current state among curves.
struct PlotDot {
  double x = 0, y = 0;
  PlotColor color = kPlotBlue;
  std::string text = {};
};

struct Plot {
  std::string title;
  PlotAxis x, y;
  std::vector<Curve> curves = {};
  std::vector<double> band_x = {};  ///< ascending
  std::vector<Band> bands = {};     ///< bottom to top
  std::vector<PlotZone> zones = {};
  std::vector<double> levels = {};  ///< thin horizontal lines, as 1 for equilibrium
  std::vector<PlotMark> marks = {};
  std::vector<PlotDot> dots = {};
  bool legend = true;
};

/// What of a plot is visible, in units of its x axis.
struct PlotView {
  PlotRange x;
  std::optional<double> cursor = {};  ///< line at the mouse; the legend shows the values there
  std::optional<double> shown = {};   ///< line at the moment that the image shows
  bool rewound = false;               ///< curves after `shown` are drawn pale
};

/// Whether a curve or band has a value that can be drawn.
bool has_data(const Plot& plot);

/// Range of x of all values; [0, 1] without any.
PlotRange fitted_x(const Plot& plot);
/// Range of y of the values in a range of x, with a margin; never empty.
PlotRange fitted_y(const Plot& plot, PlotRange x);

/// The value of a curve at `x`, linear between its points; nullopt outside it and in a gap.
std::optional<double> value_at(const Curve& curve, double x);
/// The value of a band at `x`; nullopt outside it.
std::optional<double> value_at(const Plot& plot, const Band& band, double x);

}  // namespace pericenter::app

#include "sim/analysis/tail_stars.h"

#include <algorithm>
#include <cmath>

#include "sim/analysis/lab_record.h"
#include "sim/analysis/tail_marks.h"

namespace pericenter {
namespace {

constexpr std::size_t kMaxSampledStars = 25'000;  ///< sampled stars of a disc
constexpr std::size_t kMinStars = 30;             ///< fewer are no disc

bool is_star_of(const Body& body, std::uint32_t galaxy) {
  return component_of(body.tag) == Component::disc && galaxy_of(body.tag) == galaxy && birth_radius_of(body.tag) > 0;
}

double lower_quantile(std::vector<double>& values, double share) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, at);
  return *at;
}

}  // namespace

TailStars::TailStars(const Bodies& bodies, const std::array<std::uint32_t, 2>& galaxies, const Nuclei& nuclei) {
  for (std::size_t k = 0; k < 2; ++k) {
    discs_[k].galaxy = galaxies[k];
    std::vector<std::size_t> stars;
    for (std::size_t i = 0; i < bodies.size(); ++i)
      if (is_star_of(bodies[i], galaxies[k])) stars.push_back(i);
    if (stars.size() < kMinStars || !nuclei[k]) continue;
    const std::size_t stride = (stars.size() + kMaxSampledStars - 1) / kMaxSampledStars;
    std::vector<double> births, units;
    for (std::size_t i = 0; i < stars.size(); i += stride) {
      const Body& star = bodies[stars[i]];
      sampled_.push_back({stars[i], static_cast<double>(stride)});
      births.push_back(birth_radius_of(star.tag));
      // Most stars stay where they were born, also while others are pulled out.
      if (const double unit = length(star.position - *nuclei[k]) / births.back(); std::isfinite(unit))
        units.push_back(unit);
    }
    if (units.empty()) continue;
    discs_[k].unit = lower_quantile(units, 0.5);
    discs_[k].reach = discs_[k].unit * lower_quantile(births, TailCriterion::kBirthShare);
  }
  for (std::size_t k = 0; k < 2; ++k)
    if (discs_[k].unit == 0) discs_[k].reach = discs_[1 - k].reach;
}

std::optional<TailCriterion> TailStars::criterion(const Nuclei& nuclei) const {
  if (sampled_.empty() || !nuclei[0] || !nuclei[1]) return std::nullopt;
  TailCriterion criterion{discs_};
  for (std::size_t k = 0; k < 2; ++k) criterion.discs[k].nucleus = *nuclei[k];
  return criterion;
}

double TailStars::disc_radius() const {
  return sampled_.empty() ? kNotMeasured : std::max(discs_[0].reach, discs_[1].reach);
}

double TailStars::fraction(const Bodies& bodies, const Nuclei& nuclei) const {
  const std::optional<TailCriterion> found = criterion(nuclei);
  if (!found) return kNotMeasured;
  double mass = 0, in_tails = 0, count = 0, counted_in_tails = 0;
  for (const Sampled& sampled : sampled_) {
    const Body& star = bodies[sampled.body];
    const bool is_in_tail = found->holds(star.position, star.tag);
    mass += star.mass * sampled.weight;
    in_tails += is_in_tail ? star.mass * sampled.weight : 0;
    count += sampled.weight;
    counted_in_tails += is_in_tail ? sampled.weight : 0;
  }
  return mass > 0 ? in_tails / mass : counted_in_tails / count;
}

std::vector<std::size_t> stars_in_tails(const Bodies& bodies, const TailCriterion& criterion) {
  std::vector<std::size_t> stars;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (is_marked_as_tail(criterion, bodies[i].position, bodies[i].tag)) stars.push_back(i);
  return stars;
}

}  // namespace pericenter

#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sim/core/config.h"
#include "sim/scenes/model/encounter.h"
#include "sim/scenes/model/galaxy.h"
#include "sim/scenes/registry.h"

namespace pericenter {

/// A galaxy of a scene: what draws its bodies, and where they are put then.
struct PlacedGalaxy {
  std::shared_ptr<const Galaxy> galaxy;  ///< keeps the tables of `sampler`
  GalaxySampler sampler;
  Placement placement = {};

  Body body(std::size_t i) const { return placement(sampler.body(i)); }
};

/// What makes the bodies of a scene of galaxies, one galaxy after the other, wherever they are computed: half a billion
/// of them take a CPU seconds and 32 GB of its memory, a GPU neither.
class ProceduralSource {
 public:
  explicit ProceduralSource(std::vector<PlacedGalaxy> galaxies) : galaxies_(std::move(galaxies)) {}

  std::size_t bodies() const;
  std::span<const PlacedGalaxy> galaxies() const { return galaxies_; }
  /// Whether one body has more than this share of all mass.
  bool has_heavier(double share) const;

  /// All bodies, in the computer's memory. Throws SceneCancelled.
  Bodies make(const Progress& progress) const;

 private:
  std::vector<PlacedGalaxy> galaxies_;
};

/// Sum of the masses of the bodies that `sampler` makes.
double mass_of(const GalaxySampler& sampler);

/// Bodies that are there, or what makes them; both must outlive it.
class BodySource {
 public:
  BodySource(const Bodies& bodies) : bodies_(&bodies) {}
  BodySource(const Scene& scene) : bodies_(&scene.bodies), procedural_(scene.source.get()) {}

  std::size_t size() const { return procedural_ ? procedural_->bodies() : bodies_->size(); }
  const ProceduralSource* procedural() const { return procedural_; }  ///< null: they are there
  const Bodies& bodies() const { return *bodies_; }

 private:
  const Bodies* bodies_;
  const ProceduralSource* procedural_ = nullptr;
};

/// Whether so many bodies should be made by the GPU that computes them. Below that each machine makes the same bits, as
/// the mathematical functions of a GPU round otherwise than those of a CPU; from there on that takes a CPU a second.
bool made_by_gpu(const Config& config, std::size_t bodies);

}  // namespace pericenter

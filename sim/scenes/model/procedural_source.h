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

/// A galaxy of a scene with its position and orientation.
struct PlacedGalaxy {
  std::shared_ptr<const Galaxy> galaxy;  ///< owns the tables of `sampler`
  GalaxySampler sampler;
  Placement placement = {};

  Body body(std::size_t i) const { return placement(sampler.body(i)); }
};

/// Creates the bodies of a scene of galaxies, one galaxy after the other, on the CPU or directly on a GPU. For half a
/// billion bodies the GPU avoids seconds of CPU time and 32 GB of host memory.
class ProceduralSource {
 public:
  explicit ProceduralSource(std::vector<PlacedGalaxy> galaxies) : galaxies_(std::move(galaxies)) {}

  std::size_t bodies() const;
  std::span<const PlacedGalaxy> galaxies() const { return galaxies_; }
  /// Whether the mass of a body exceeds this share of the total.
  bool has_heavier(double share) const;

  /// All bodies, in host memory. Throws SceneCancelled.
  Bodies make(const Progress& progress) const;

 private:
  std::vector<PlacedGalaxy> galaxies_;
};

/// Total mass of the bodies of `sampler`.
double mass_of(const GalaxySampler& sampler);

/// A reference to bodies in memory or to a procedural source, which must outlive it.
class BodySource {
 public:
  BodySource(const Bodies& bodies) : bodies_(&bodies) {}
  BodySource(const Scene& scene) : bodies_(&scene.bodies), procedural_(scene.source.get()) {}

  std::size_t size() const { return procedural_ ? procedural_->bodies() : bodies_->size(); }
  const ProceduralSource* procedural() const { return procedural_; }  ///< null: they are in bodies()
  const Bodies& bodies() const { return *bodies_; }

 private:
  const Bodies* bodies_;
  const ProceduralSource* procedural_ = nullptr;
};

/// Whether this many bodies should be created on the GPU that simulates them. Smaller scenes are created on the CPU, so
/// that they have the same bits on every machine: mathematical functions of a GPU round differently. Larger ones would
/// take more than a second there.
bool created_on_gpu(const Config& config, std::size_t bodies);

}  // namespace pericenter

"""Mutants: realistic bugs, each a replacement of text that occurs exactly once in its file."""

from typing import NamedTuple


class Mutant(NamedTuple):
    name: str
    file: str
    original: str  # occurs exactly once in the file
    mutated: str
    program: str  # test program that should detect the mutant
    filter: str  # tests to run, as in --gtest_filter


MUTANTS = [
    Mutant(
        "sign of G is inverted",
        "sim/solvers/cpu_solver.h",
        "  Source<Real, Dim> source{{}, gravity * bodies.mass[i]};\n",
        "  Source<Real, Dim> source{{}, -gravity * bodies.mass[i]};\n",
        "sim_tests",
        "OctreeForces.*:ForceError.*",
    ),
    Mutant(
        "eps^2 is missing",
        "sim/solvers/simd/pair_kernels_simd.cpp",
        "  Pack<Real> r2 = d[0] * d[0] + (softening_squared > kTinySquare<Real> ? softening_squared : "
        "kTinySquare<Real>);\n",
        "  Pack<Real> r2 = d[0] * d[0] + (softening_squared > 1e30f ? softening_squared : kTinySquare<Real>);\n",
        "sim_tests",
        "OctreeForces.*:Diagnostics.*",
    ),
    Mutant(
        "theta is inverted",
        "sim/solvers/tree/opening_criterion.h",
        " size * size < theta_squared * distance_squared;\n",
        " theta_squared * size * size < distance_squared;\n",
        "sim_tests",
        "OctreeForces.*",
    ),
    Mutant(
        "drift before kick",
        "sim/cpu/cpu_simulation.cpp",
        "        kick(params.dt / 2, params.dt);\n",
        "        kick(0, params.dt);\n        kick(params.dt / 2, 0);\n",
        "sim_tests",
        "Leapfrog.*:TwoBodies.*",
    ),
    Mutant(
        "second half of the kick is missing",
        "sim/cpu/cpu_simulation.cpp",
        "      kick(*dt_of_step_ / 2, 0);\n",
        "",
        "sim_tests",
        "Leapfrog.*:TwoBodies.*",
    ),
    Mutant(
        "two axes of the vertices are swapped",
        "sim/cpu/write_vertices.h",
        "      for (int k = 0; k < Dim; ++k) x[k] = static_cast<float>(bodies.position[k][i]);\n",
        "      for (int k = 0; k < Dim; ++k) x[k] = static_cast<float>(bodies.position[k < 2 ? 1 - k : k][i]);\n",
        "sim_tests",
        "Vertices.*",
    ),
    Mutant(
        "two axes of a quadrupole are swapped",
        "sim/solvers/simd/pair_kernels_simd.cpp",
        "    tu[1] = moment[1] * u[0] + moment[3] * u[1] + moment[4] * u[2];\n",
        "    tu[1] = moment[4] * u[0] + moment[3] * u[1] + moment[1] * u[2];\n",
        "sim_tests",
        "PairKernels.*:OctreeForces.*",
    ),
    Mutant(
        "one in 61 distant cells is dropped from the octree walk",
        "sim/solvers/tree/group_walk.cpp",
        "      add_cell(i);\n",
        "      if (i % 61 != 1) add_cell(i);\n",
        "sim_tests",
        "OctreeForces.*",
    ),
    Mutant(
        "one in 61 distant cells is dropped from fmm",
        "sim/solvers/fmm/fmm.cpp",
        "    const FarSources<Real> sources = task_.cells.sources(walk_.accepted().data(), walk_.accepted_count());\n",
        "    const FarSources<Real> sources =\n"
        "        task_.cells.sources(walk_.accepted().data(), walk_.accepted_count() - walk_.accepted_count() / 61);\n",
        "sim_tests",
        "Fmm.*",
    ),
    Mutant(
        "one in 61 skip links skips one subtree too many",
        "sim/solvers/tree/body_walk.cpp",
        "      cell.next = node.next;\n",
        "      cell.next = i % 61 == 1 && node.next != kNoNode ? tree.nodes[node.next].next : node.next;\n",
        "sim_tests",
        "BodyWalks/*",
    ),
    Mutant(
        "one in 61 ordered pairs is dropped",
        "sim/solvers/direct_pairs.cpp",
        "      if (pair.first != pair.second) {\n",
        "      if (pair.first != pair.second && k % 61 != 1) {\n",
        "sim_tests",
        "*PairTaskForces.*",
    ),
    Mutant(
        "bodies in a leaf are not sorted",
        "sim/solvers/tree/insertion_tree.h",
        "(left_in_b == 0 || b == kEnd || a < b);\n",
        "(left_in_b == 0 || b == kEnd || a > b);\n",
        "sim_tests",
        "LeafLists.*",
    ),
    Mutant(
        "byte-swapped doubles keep the order of their halves",
        "sim/files/byte_reader.h",
        "std::uint64_t(swap(static_cast<std::uint32_t>(x))) << 32 | swap(static_cast<std::uint32_t>(x >> 32));\n",
        "std::uint64_t(swap(static_cast<std::uint32_t>(x >> 32))) << 32 | swap(static_cast<std::uint32_t>(x));\n",
        "file_tests",
        "Gadget.*:All/GadgetLayouts.*:Tipsy.*:All/TipsyLayouts.*",
    ),
    Mutant(
        "tree depth is not limited",
        "sim/solvers/tree/insertion_tree.h",
        "    const bool must_share = at.level == tree.depth || tree.key[other] == tree.key[body];\n",
        "    const bool must_share = tree.key[other] == tree.key[body];\n",
        "sim_tests",
        "Builders/*:Hierarchy/*:SolverOptionValues.*",
    ),
    Mutant(
        "buffers are never unmapped",
        "app/bridge/vertex_bridge.cpp",
        "    spare().buffer->unmap();\n",
        "",
        "panel_tests",
        "SharedBuffers.*",
    ),
    Mutant(
        "a buffer that is too small is not unmapped",
        "app/bridge/vertex_bridge.cpp",
        "  if (!unmap_spare()) {\n",
        "  if (published.count != 0 && !unmap_spare()) {\n",
        "panel_tests",
        "SharedBuffers.*",
    ),
    Mutant(
        "drift in double precision uses a time step in single precision",
        "sim/cpu/cpu_simulation.cpp",
        "drift_time = static_cast<Real>(drift_dt);\n",
        "drift_time = static_cast<Real>(static_cast<float>(drift_dt));\n",
        "sim_tests",
        "DoublePrecision.*",
    ),
    Mutant(
        "tree boxes lack their last level",
        "sim/solvers/tree/tree_builder.cpp",
        "level > last_level) continue;\n",
        "level >= last_level) continue;\n",
        "sim_tests",
        "Trees/*",
    ),
    Mutant(
        "both galaxies use the same seed",
        "sim/scenes/galaxy_scene.cpp",
        "~request.seed",
        "request.seed",
        "scene_tests",
        "GalaxyScenes.*",
    ),
    Mutant(
        "a legend bar does not reach the top of its map",
        "app/overlay/legend.cpp",
        "static_cast<float>(k) / static_cast<float>(kBarColors - 1);\n",
        "static_cast<float>(k) / static_cast<float>(kBarColors);\n",
        "panel_tests",
        "LegendBars.*",
    ),
    Mutant(
        "a click is one pixel off",
        "app/window/viewport.cpp",
        "  const glm::vec2 at(io.MousePos.x * ratio - static_cast<float>(area_.left),\n",
        "  const glm::vec2 at(io.MousePos.x * ratio - static_cast<float>(area_.left) + 1,\n",
        "panel_tests",
        "ViewportTest.*",
    ),
    Mutant(
        "exposure adapts slowly to a new scene",
        "app/window/viewport.cpp",
        "  stale_ = cut_ = true;\n",
        "  stale_ = true;\n",
        "panel_tests",
        "ViewportTest.*",
    ),
    Mutant(
        "a lost GPU goes back to the rollback target",
        "sim/session/session_recovery.cpp",
        "    if (const std::shared_ptr<const Snapshot> checkpoint = checkpoints_.latest()) {\n",
        "    if (const std::shared_ptr<const Snapshot> checkpoint = checkpoints_.rollback_target()) {\n",
        "sim_tests",
        "Recovery*",
    ),
    Mutant(
        "theta of the group walk is a tenth too large",
        "sim/solvers/tree/group_walk.cpp",
        "  const Real theta_squared = static_cast<Real>(settings_.theta * settings_.theta);\n",
        "  const Real theta_squared = static_cast<Real>(1.21 * settings_.theta * settings_.theta);\n",
        "sim_tests",
        "OctreeForces.*",
    ),
    Mutant(
        "there is no time-step warning without softening",
        "sim/core/timestep_criterion.h",
        "  return diagnostics.shortest_orbit > 0 ? diagnostics.shortest_orbit / kMinStepsPerOrbit : infinity;\n",
        "  return infinity;\n",
        "sim_tests",
        "TimestepCriterion.*",
    ),
]

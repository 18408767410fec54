#include <atomic>
#include <thread>

#include "sim/core/stage_clock.h"
#include "sim/solvers/parallel_loops.h"
#include "sim/solvers/tree/child_array_tree.h"

namespace pericenter {
namespace {

struct AtomicAccess {
  static std::uint32_t load(std::uint32_t& value) { return std::atomic_ref(value).load(std::memory_order_acquire); }
  static void store(std::uint32_t& value, std::uint32_t desired) {
    std::atomic_ref(value).store(desired, std::memory_order_release);
  }
  static bool compare_exchange(std::uint32_t& value, std::uint32_t expected, std::uint32_t desired) {
    return std::atomic_ref(value).compare_exchange_strong(expected, desired, std::memory_order_acquire,
                                                          std::memory_order_relaxed);
  }
  static std::uint32_t add(std::uint32_t& value, std::uint32_t summand) {
    return std::atomic_ref(value).fetch_add(summand, std::memory_order_relaxed);
  }
};

/// Concurrent insertion with one lock per cell. Moments propagate from the leaves up; the last thread that arrives at a
/// cell continues (Burtscher and Pingali 2011, doi:10.1016/B978-0-12-384988-5.00006-1).
template <class Real, int Dim>
class ConcurrentBuilder final : public ChildArrayTreeBuilder<Real, Dim> {
 private:
  void link(StageTimings& timings) override;
  void make_moments() override;
  void climb(std::uint32_t node);

  std::vector<std::uint32_t> arrived_;  ///< bodies of the children with known moments, per node
};

template <class Real, int Dim>
void ConcurrentBuilder<Real, Dim>::link(StageTimings& timings) {
  const StageClock clock(timings, Stage::build);
  this->link_slots(kKeyLevels<Dim>, [&](const InsertionTree<Dim>& tree) {
    // Coupled: a task waits for the locks of others.
    parallel_for(this->parallel_, Tasks::coupled, this->order_.size(), [&](std::size_t body) {
      InsertionCursor at;
      // Locks are held briefly, unless the owner is preempted.
      while (!try_insert<AtomicAccess>(tree, static_cast<std::uint32_t>(body), at)) std::this_thread::yield();
    });
  });
}

template <class Real, int Dim>
void ConcurrentBuilder<Real, Dim>::make_moments() {
  arrived_.assign(this->nodes_.size(), 0);
  // Coupled: the last task that arrives at a cell reads what the others wrote.
  parallel_chunks(this->parallel_, Tasks::coupled, 0, this->nodes_.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      if (this->nodes_[i].first_child != 0) continue;
      this->leaf_moments(static_cast<std::uint32_t>(i));
      climb(static_cast<std::uint32_t>(i));
    }
  });
}

/// Continues with the parent of a node if the moments of all its children are known.
template <class Real, int Dim>
void ConcurrentBuilder<Real, Dim>::climb(std::uint32_t node) {
  const auto bodies = [&](std::uint32_t i) { return this->nodes_[i].end - this->nodes_[i].begin; };
  for (std::uint32_t parent = this->parents_[node]; parent != kNoNode; parent = this->parents_[node]) {
    const std::uint32_t before = std::atomic_ref(arrived_[parent]).fetch_add(bodies(node), std::memory_order_acq_rel);
    if (before + bodies(node) != bodies(parent)) return;
    this->inner_moments(parent);
    node = parent;
  }
}

}  // namespace

extern const SolverFactory<TreeBuilder> kConcurrentTree = solver_factory<TreeBuilder, ConcurrentBuilder>();

}  // namespace pericenter

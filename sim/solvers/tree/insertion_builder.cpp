#include <algorithm>
#include <cstdlib>

#include "sim/core/stage_clock.h"
#include "sim/solvers/tree/child_array_tree.h"

namespace pericenter {
namespace {

/// Non-atomic operations for a single thread.
struct PlainAccess {
  static std::uint32_t load(const std::uint32_t& value) { return value; }
  static void store(std::uint32_t& value, std::uint32_t desired) { value = desired; }
  static bool compare_exchange(std::uint32_t& value, std::uint32_t expected, std::uint32_t desired) {
    if (value != expected) return false;
    value = desired;
    return true;
  }
  static std::uint32_t add(std::uint32_t& value, std::uint32_t summand) {
    const std::uint32_t old = value;
    value += summand;
    return old;
  }
};

/// For std::qsort(): by key, then in input order.
template <int IgnoredBits>
int compare_keys(const void* first, const void* second) {
  const auto &a = *static_cast<const KeyIndex*>(first), &b = *static_cast<const KeyIndex*>(second);
  const std::uint64_t key_a = a.key >> IgnoredBits, key_b = b.key >> IgnoredBits;
  return key_a != key_b ? (key_a < key_b ? -1 : 1) : (a.index > b.index) - (a.index < b.index);
}

/// Sequential insertion in Morton or input order, with the depth limit SolverOption::depth (Barnes and Hut 1986,
/// doi:10.1038/324446a0); single-threaded.
template <class Real, int Dim>
class InsertionBuilder final : public ChildArrayTreeBuilder<Real, Dim> {
 public:
  explicit InsertionBuilder(const Config& config)
      : order_of_insertion_(has_option(config, SolverOption::order) ? option_value<Order>(config) : Order::morton),
        quick_(has_option(config, SolverOption::sorting) && option_value<Sorting>(config) == Sorting::quick),
        depth_(depth_of(value_number(config, SolverOption::depth))) {}

 private:
  static int depth_of(std::uint32_t number) {
    constexpr int kDeepest = kKeyLevels<Dim>;
    return number == 0 ? kDeepest : std::min(static_cast<int>(number), kDeepest);
  }

  void link(StageTimings& timings) override;
  void sort();

  const Order order_of_insertion_;
  const bool quick_;
  const int depth_;
  std::vector<KeyIndex> sort_scratch_;
};

template <class Real, int Dim>
void InsertionBuilder<Real, Dim>::link(StageTimings& timings) {
  {
    const StageClock clock(timings, Stage::sort);
    sort();
  }
  const StageClock clock(timings, Stage::build);
  this->link_slots(depth_, [&](const InsertionTree<Dim>& tree) {
    for (std::size_t body = 0; body < this->order_.size(); ++body) {
      InsertionCursor at;
      try_insert<PlainAccess>(tree, static_cast<std::uint32_t>(body), at);
    }
  });
}

/// Sorts order_ into the order of insertion. Bodies with equal keys stay in input order.
template <class Real, int Dim>
void InsertionBuilder<Real, Dim>::sort() {
  if (order_of_insertion_ == Order::none) return;
  constexpr int kIgnored = Dim * (kKeyLevels<Dim> - 10);
  const bool short_keys = order_of_insertion_ == Order::morton10;
  if (quick_) {
    const auto compare = short_keys ? compare_keys<kIgnored> : compare_keys<0>;
    std::qsort(this->order_.data(), this->order_.size(), sizeof(KeyIndex), compare);
  } else {
    radix_sort(this->order_, sort_scratch_, short_keys ? kIgnored : 0);
  }
}

}  // namespace

extern const SolverFactory<TreeBuilder> kInsertionTree = solver_factory<TreeBuilder, InsertionBuilder>();

}  // namespace pericenter

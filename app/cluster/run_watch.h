#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/cluster/engine_run.h"
#include "app/cluster/run_record.h"
#include "app/plots/plot.h"

namespace pericenter::app {

/// What is known of a run.
struct RunReport {
  RunRecord record;
  bool is_known = false;  ///< whether its machine has answered once
  EngineRunState state;   ///< the last answer
  std::string problem;    ///< why the last look failed, sentences; the state is that of before. Empty: it did not
  std::vector<Plot> plots;
  bool cancels = false;  ///< the run is being ended
};

/// Looks after a run on a thread of its own: asks for its state every two seconds, on another machine every 15, and
/// fetches its results. It ends with the run, once all its results are here.
class RunWatch {
 public:
  /// `period`: time between two looks; nullopt: the usual one.
  explicit RunWatch(RunRecord record, std::optional<std::chrono::milliseconds> period = {});
  ~RunWatch();  ///< the run continues

  /// Thread-safe; never null.
  std::shared_ptr<const RunReport> report() const;
  /// Ends the run, soon. Thread-safe.
  void cancel_run();

 private:
  void watch(const std::stop_token& stop);
  bool look(const std::stop_token& stop);
  void publish(RunReport report);

  RunRecord record_;
  std::chrono::milliseconds period_;
  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  std::shared_ptr<const RunReport> report_;
  bool cancel_wanted_ = false;
  std::jthread thread_;  // last: its destructor stops it
};

}  // namespace pericenter::app

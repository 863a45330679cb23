// PlanStore: plans of graphs for one device: in memory, in files, and otherwise built.
#ifndef TFRT_GPU_LIBRARIES_DNN_PLAN_STORE_H_
#define TFRT_GPU_LIBRARIES_DNN_PLAN_STORE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "gpu/libraries/limited_map.h"
#include "gpu/wrapper/cudnn.h"
#include "graph.h"
#include "planner.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu::dnn {

// A plan, for runs. Immutable and thread-safe.
struct Plan {
  Graph graph;
  BuiltPlan built;
};

// How often plans were asked for, by where they came from.
struct PlanCounts {
  uint64_t built = 0;
  uint64_t read = 0;  // from files
  uint64_t kept = 0;  // in memory

  friend bool operator==(const PlanCounts&, const PlanCounts&) = default;
};

// Thread-safe. A plan is built once, however many threads ask for it. So is the refusal of a graph
// that the library has no engine for. Sizes of a program may vary without end: of very many plans
// in memory, the oldest are forgotten, and made again if they are needed.
class PlanStore {
 public:
  static constexpr size_t kMaxPlans = 1024;

  // `folder`: of the files of plans; empty: none. `max_plans`: in memory, at least 1. The library
  // must outlive the store.
  PlanStore(const cudnn::Library* library, DeviceDescription device, std::string folder,
            size_t max_plans = kMaxPlans);

  // Returns the plan of the graph, by BuildPlan's rules. A file that is damaged, of another user or
  // of another version is replaced, with a warning.
  StatusOr<std::shared_ptr<const Plan>> Get(const Graph& graph, const PlanChoice& choice);

  PlanCounts counts() const;
  const DeviceDescription& device() const { return device_; }
  const cudnn::Table& table() const { return library_->table(); }

  // The text by which the plan is kept: graph, choice, device and library.
  std::string Key(const Graph& graph, const PlanChoice& choice) const;

 private:
  struct Entry {
    std::mutex mutex;
    // Guarded by mutex.
    std::shared_ptr<const Plan> plan;
    Status refusal;
  };

  StatusOr<BuiltPlan> ReadOrBuild(const std::string& key, const Graph& graph,
                                  const PlanChoice& choice);
  // NotFound if there is no file that can be used; warns of others than missing ones.
  StatusOr<BuiltPlan> Read(const std::string& path, const std::string& key);

  const cudnn::Library* const library_;
  const DeviceDescription device_;
  const std::string folder_;
  std::mutex mutex_;
  LimitedMap<std::string, std::shared_ptr<Entry>> entries_;  // by key; under mutex_
  std::atomic<uint64_t> built_{0};
  std::atomic<uint64_t> read_{0};
  std::atomic<uint64_t> kept_{0};
};

}  // namespace tfrt::gpu::dnn

#endif  // TFRT_GPU_LIBRARIES_DNN_PLAN_STORE_H_

// PlanStore: plans of graphs for one device: in memory, in files, and otherwise built.
#ifndef TFRT_GPU_LIBRARIES_DNN_PLAN_STORE_H_
#define TFRT_GPU_LIBRARIES_DNN_PLAN_STORE_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

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
// that the library has no engine for.
class PlanStore {
 public:
  // `folder`: of the files of plans; empty: none. The library must outlive the store.
  PlanStore(const cudnn::Library* library, DeviceDescription device, std::string folder);

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
  std::map<std::string, std::unique_ptr<Entry>, std::less<>> entries_;  // by key; under mutex_
  std::atomic<uint64_t> built_{0};
  std::atomic<uint64_t> read_{0};
  std::atomic<uint64_t> kept_{0};
};

}  // namespace tfrt::gpu::dnn

#endif  // TFRT_GPU_LIBRARIES_DNN_PLAN_STORE_H_

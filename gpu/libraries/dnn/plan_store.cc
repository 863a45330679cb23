#include "plan_store.h"

#include <string_view>
#include <utility>

#include "lib/base/support/logging.h"
#include "plan_files.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::dnn {

namespace {

// Returns the device's text without its place in the machine: plans of equal devices are equal.
std::string WithoutPlace(std::string json) {
  for (std::string_view name : {"\"pciDeviceId\":", "\"cudaDeviceId\":"}) {
    const size_t found = json.find(name);
    if (found == std::string::npos) continue;
    const size_t begin = found + name.size();
    json.erase(begin, json.find_first_not_of("0123456789", begin) - begin);
  }
  return json;
}

}  // namespace

PlanStore::PlanStore(const cudnn::Library* library, DeviceDescription device, std::string folder,
                     size_t max_plans)
    : library_(library),
      device_(std::move(device)),
      folder_(std::move(folder)),
      entries_(max_plans) {}

std::string PlanStore::Key(const Graph& graph, const PlanChoice& choice) const {
  return StrCat("cudnn ", library_->version(), "\ndevice ", WithoutPlace(device_.json()),
                "\nchoice ", ChoiceText(choice), "\n", GraphText(graph));
}

PlanCounts PlanStore::counts() const {
  // relaxed: counts order nothing.
  return {built_.load(std::memory_order_relaxed), read_.load(std::memory_order_relaxed),
          kept_.load(std::memory_order_relaxed)};
}

StatusOr<std::shared_ptr<const Plan>> PlanStore::Get(const Graph& graph, const PlanChoice& choice) {
  const std::string key = Key(graph, choice);
  std::shared_ptr<Entry> entry;  // which may be forgotten meanwhile
  {
    std::lock_guard lock(mutex_);
    const std::shared_ptr<Entry>* found = entries_.Find(key);
    entry = found ? *found : std::make_shared<Entry>();
    if (!found) entries_.Add(key, entry);
  }
  std::lock_guard lock(entry->mutex);
  if (entry->plan) {
    kept_.fetch_add(1, std::memory_order_relaxed);  // relaxed: as in counts
    return entry->plan;
  }
  if (!entry->refusal.ok()) return entry->refusal;
  StatusOr<BuiltPlan> built = ReadOrBuild(key, graph, choice);
  if (!built.ok()) {
    // Other errors, such as a lack of memory, may pass.
    if (built.status().code() == StatusCode::kUnimplemented) entry->refusal = built.status();
    return built.status();
  }
  entry->plan = std::make_shared<const Plan>(Plan{graph, *std::move(built)});
  return entry->plan;
}

StatusOr<BuiltPlan> PlanStore::ReadOrBuild(const std::string& key, const Graph& graph,
                                           const PlanChoice& choice) {
  const std::string path = folder_.empty() ? "" : PlanPath(folder_, key);
  if (!path.empty()) {
    StatusOr<BuiltPlan> read = Read(path, key);
    if (read.ok()) {
      read_.fetch_add(1, std::memory_order_relaxed);  // relaxed: as in counts
      return read;
    }
  }
  TFRT_ASSIGN_OR_RETURN(BuiltPlan built, BuildPlan(table(), graph, device_, choice));
  built_.fetch_add(1, std::memory_order_relaxed);  // relaxed: as in counts
  if (!path.empty()) {
    StatusOr<std::string> text = PlanText(built);
    const Status written = text.ok() ? WritePlanFile(path, key, *text) : text.status();
    if (!written.ok()) TFRT_LOG(WARNING) << "a plan of cuDNN is not kept: " << written.message();
  }
  return built;
}

StatusOr<BuiltPlan> PlanStore::Read(const std::string& path, const std::string& key) {
  StatusOr<std::string> text = ReadPlanFile(path, key);
  StatusOr<BuiltPlan> plan = text.ok() ? ReadPlan(table(), *text, device_) : text.status();
  if (!plan.ok() && plan.status().code() != StatusCode::kNotFound) {
    TFRT_LOG(WARNING) << "a plan of cuDNN is built anew: "
                      << (text.ok() ? StrCat("'", path, "': ") : "") << plan.status().message();
  }
  return plan;
}

}  // namespace tfrt::gpu::dnn

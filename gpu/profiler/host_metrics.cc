// Reads facts of chips, and of this machine, from the vendor's library.

#include <string>
#include <string_view>
#include <vector>

#include "gpu/wrapper/cuda_driver.h"
#include "metric_plan.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace {

using namespace cupti;  // NOLINT: this file calls it

// One chip's object of the library.
class HostObject {
 public:
  HostObject(const Table& table, CUpti_Profiler_Host_Object* object)
      : table_(table), object_(object) {}
  ~HostObject() {
    CUpti_Profiler_Host_Deinitialize_Params parameters = {
        .structSize = sizeof(parameters), .pPriv = nullptr, .pHostObject = object_};
    (void)table_.cuptiProfilerHostDeinitialize(&parameters);
  }
  HostObject(const HostObject&) = delete;
  HostObject& operator=(const HostObject&) = delete;
  CUpti_Profiler_Host_Object* get() const { return object_; }

 private:
  const Table& table_;
  CUpti_Profiler_Host_Object* const object_;
};

class HostMetricLister final : public MetricLister {
 public:
  explicit HostMetricLister(const Table& table) : table_(table) {}

  StatusOr<std::vector<std::string>> Chips() override {
    CUpti_Profiler_Host_GetSupportedChips_Params parameters = {.structSize = sizeof(parameters)};
    TFRT_RETURN_IF_ERROR(StatusOf(table_, table_.cuptiProfilerHostGetSupportedChips(&parameters),
                                  "cuptiProfilerHostGetSupportedChips"));
    return std::vector<std::string>(parameters.ppChipNames,
                                    parameters.ppChipNames + parameters.numChips);
  }

  StatusOr<std::vector<std::string>> BaseMetrics(const std::string& chip, Kind kind) override {
    TFRT_ASSIGN_OR_RETURN(std::unique_ptr<HostObject> object, Open(chip));
    CUpti_Profiler_Host_GetBaseMetrics_Params parameters = {
        .structSize = sizeof(parameters),
        .pPriv = nullptr,
        .pHostObject = object->get(),
        .metricType = static_cast<CUpti_MetricType>(kind)};
    TFRT_RETURN_IF_ERROR(StatusOf(table_, table_.cuptiProfilerHostGetBaseMetrics(&parameters),
                                  "cuptiProfilerHostGetBaseMetrics"));
    return std::vector<std::string>(parameters.ppMetricNames,
                                    parameters.ppMetricNames + parameters.numMetrics);
  }

  StatusOr<size_t> NumPasses(const std::string& chip,
                             std::span<const std::string> metrics) override {
    TFRT_ASSIGN_OR_RETURN(std::unique_ptr<HostObject> object, Open(chip));
    std::vector<const char*> names;
    for (const std::string& metric : metrics) names.push_back(metric.c_str());
    CUpti_Profiler_Host_ConfigAddMetrics_Params add = {.structSize = sizeof(add),
                                                       .pPriv = nullptr,
                                                       .pHostObject = object->get(),
                                                       .ppMetricNames = names.data(),
                                                       .numMetrics = names.size()};
    TFRT_RETURN_IF_ERROR(StatusOf(
        table_, table_.cuptiProfilerHostConfigAddMetrics(&add),
        StrCat("cuptiProfilerHostConfigAddMetrics of ", names.size(), " metrics for ", chip)));
    CUpti_Profiler_Host_GetConfigImageSize_Params size = {
        .structSize = sizeof(size), .pPriv = nullptr, .pHostObject = object->get()};
    TFRT_RETURN_IF_ERROR(StatusOf(table_, table_.cuptiProfilerHostGetConfigImageSize(&size),
                                  "cuptiProfilerHostGetConfigImageSize"));
    std::vector<uint8_t> image(size.configImageSize);
    CUpti_Profiler_Host_GetConfigImage_Params get = {.structSize = sizeof(get),
                                                     .pPriv = nullptr,
                                                     .pHostObject = object->get(),
                                                     .configImageSize = image.size(),
                                                     .pConfigImage = image.data()};
    TFRT_RETURN_IF_ERROR(StatusOf(table_, table_.cuptiProfilerHostGetConfigImage(&get),
                                  "cuptiProfilerHostGetConfigImage"));
    CUpti_Profiler_Host_GetNumOfPasses_Params passes = {.structSize = sizeof(passes),
                                                        .pPriv = nullptr,
                                                        .configImageSize = image.size(),
                                                        .pConfigImage = image.data()};
    TFRT_RETURN_IF_ERROR(StatusOf(table_, table_.cuptiProfilerHostGetNumOfPasses(&passes),
                                  "cuptiProfilerHostGetNumOfPasses"));
    return passes.numOfPasses;
  }

 private:
  StatusOr<std::unique_ptr<HostObject>> Open(const std::string& chip) {
    CUpti_Profiler_Host_Initialize_Params parameters = {
        .structSize = sizeof(parameters),
        .pPriv = nullptr,
        .profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER,
        .pChipName = chip.c_str()};
    TFRT_RETURN_IF_ERROR(StatusOf(table_, table_.cuptiProfilerHostInitialize(&parameters),
                                  StrCat("cuptiProfilerHostInitialize of '", chip, "'")));
    return std::make_unique<HostObject>(table_, parameters.pHostObject);
  }

  const Table& table_;
};

void AddState(profiler::Table* table, std::string_view what, std::string_view state,
              std::string_view remedy) {
  table->rows.push_back({std::string(what), std::string(state), std::string(remedy)});
}

void AddDriver(profiler::Table* table) {
  StatusOr<const cuda::Driver*> driver = cuda::Driver::Get();
  if (!driver.ok()) {
    AddState(table, "driver", driver.status().message(),
             "install the vendor's driver, or give the container the GPU");
    return;
  }
  AddState(table, "driver",
           StrCat((*driver)->path(), ", CUDA ", cuda::VersionText((*driver)->version())), "");
  const int num_devices = (*driver)->NumDevices().ok() ? *(*driver)->NumDevices() : 0;
  for (int i = 0; i < num_devices; ++i) {
    StatusOr<cuda::CUdevice> device = (*driver)->FindDevice(i);
    StatusOr<std::string> name = device.ok() ? (*driver)->DeviceName(*device) : device.status();
    AddState(table, StrCat("gpu:", i), name.ok() ? *name : std::string(name.status().message()),
             "");
  }
}

void IgnoreCallback(void*, CUpti_CallbackDomain, CUpti_CallbackId, const void*) {}

// Whether it may be used now: subscribing is what fails where another tool is at work.
void AddSubscription(const Table& table, profiler::Table* states) {
  char other[64] = {};
  CUpti_SubscriberHandle subscriber = nullptr;
  CUpti_SubscriberParams parameters = {.structSize = sizeof(parameters),
                                       .subscriberName = "tfrt",
                                       .oldSubscriberName = other,
                                       .oldSubscriberSize = sizeof(other)};
  const CUptiResult result =
      table.cuptiSubscribe_v2
          ? table.cuptiSubscribe_v2(&subscriber, IgnoreCallback, nullptr, &parameters)
          : table.cuptiSubscribe(&subscriber, IgnoreCallback, nullptr);
  if (result == CUPTI_SUCCESS) {
    (void)table.cuptiUnsubscribe(subscriber);
    AddState(states, "activities", "can be collected", "");
    return;
  }
  std::string state(StatusOf(table, result, "cuptiSubscribe").message());
  if (*other) state += StrCat("; the other tool is '", std::string_view(other), "'");
  AddState(states, "activities", state, RemedyOf(result));
}

}  // namespace

StatusOr<std::unique_ptr<MetricLister>> MakeHostMetricLister(const Library& library) {
  const Table& table = library.table();
  if (!table.cuptiProfilerHostInitialize || !table.cuptiProfilerHostDeinitialize ||
      !table.cuptiProfilerHostGetSupportedChips || !table.cuptiProfilerHostGetBaseMetrics ||
      !table.cuptiProfilerHostConfigAddMetrics || !table.cuptiProfilerHostGetConfigImageSize ||
      !table.cuptiProfilerHostGetConfigImage || !table.cuptiProfilerHostGetNumOfPasses) {
    return UnimplementedError(StrCat(library.path(), " of ", VersionText(library.version()),
                                     " does not tell what chips can count: CUDA 13 does"));
  }
  return std::unique_ptr<MetricLister>(new HostMetricLister(table));
}

StatusOr<profiler::Table> ListMetrics(std::string_view chip) {
  TFRT_ASSIGN_OR_RETURN(const Library* library, Library::Get());
  TFRT_ASSIGN_OR_RETURN(std::unique_ptr<MetricLister> lister, MakeHostMetricLister(*library));
  TFRT_ASSIGN_OR_RETURN(profiler::Table table, MetricTable(*lister, std::string(chip)));
  table.source = StrCat(library->path(), ", ", VersionText(library->version()));
  return table;
}

profiler::Table GpuStates() {
  using profiler::Column;
  profiler::Table states = {.id = "gpu",
                            .title = "Profiling of GPUs",
                            .columns = {{"what", Column::Kind::kText},
                                        {"state", Column::Kind::kText},
                                        {"what to do", Column::Kind::kText}}};
  AddDriver(&states);
  StatusOr<const Library*> library = Library::Get();
  if (!library.ok()) {
    AddState(&states, "profiling library", library.status().message(),
             "install the vendor's CUPTI, or name its folder in TFRT_GPU_LIBRARY_PATH");
    return states;
  }
  AddState(&states, "profiling library",
           StrCat((*library)->path(), ", ", VersionText((*library)->version())), "");
  AddSubscription((*library)->table(), &states);
  StatusOr<std::unique_ptr<MetricLister>> lister = MakeHostMetricLister(**library);
  StatusOr<std::vector<std::string>> chips =
      lister.ok() ? (*lister)->Chips() : StatusOr<std::vector<std::string>>(lister.status());
  AddState(&states, "counters",
           chips.ok() ? StrCat("known of ", chips->size(), " chips")
                      : std::string(chips.status().message()),
           chips.ok() ? "" : "use the CUPTI of CUDA 13");
  if (!(*library)->missing_range_functions().empty()) {
    AddState(&states, "ranges of counters",
             StrCat((*library)->missing_range_functions().size(), " functions are missing, ",
                    (*library)->missing_range_functions().front(), " among them"),
             "use the CUPTI of CUDA 13");
  }
  return states;
}

}  // namespace tfrt::gpu

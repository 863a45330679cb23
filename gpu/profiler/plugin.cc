// Defines the symbols that a session looks up in tfrt_gpu_profiler.so.

#include "cupti_collector.h"
#include "metric_plan.h"
#include "tfrt/profiler/source_plugin.h"

extern "C" __attribute__((visibility("default"))) void RegisterProfilerSources(
    tfrt::profiler::SourceRegistrar registrar) {
  registrar("cupti", tfrt::gpu::MakeCuptiSource);
}

extern "C" __attribute__((visibility("default"))) const tfrt::profiler::DeviceTools*
GetDeviceTools() {
  static constexpr tfrt::profiler::DeviceTools kTools = {.list_metrics = tfrt::gpu::ListMetrics,
                                                         .states = tfrt::gpu::GpuStates};
  return &kTools;
}

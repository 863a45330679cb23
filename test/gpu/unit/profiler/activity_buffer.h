// ActivityBuffer: records of CUPTI made by hand.
#ifndef TFRT_TEST_GPU_UNIT_PROFILER_ACTIVITY_BUFFER_H_
#define TFRT_TEST_GPU_UNIT_PROFILER_ACTIVITY_BUFFER_H_

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "gpu/abi/cupti_table.h"
#include "gpu/profiler/op_links.h"

namespace tfrt::gpu {

class ActivityBuffer {
 public:
  template <typename T>
  void Add(const T& record) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(&record);
    bytes_.insert(bytes_.end(), bytes, bytes + sizeof(record));
  }
  std::vector<uint8_t>& bytes() { return bytes_; }

 private:
  std::vector<uint8_t> bytes_;
};

inline cupti::CUpti_ActivityKernel10 MakeKernel(const char* name, uint32_t correlation,
                                                uint64_t start, uint64_t end) {
  cupti::CUpti_ActivityKernel10 record = {};
  record.kind = cupti::CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
  record.name = name;
  record.correlationId = correlation;
  record.start = start;
  record.end = end;
  record.contextId = 1;
  record.streamId = 7;
  record.gridX = 4;
  record.gridY = record.gridZ = 1;
  record.blockX = 128;
  record.blockY = 2;
  record.blockZ = 1;
  record.registersPerThread = 40;
  record.staticSharedMemory = 1000;
  record.dynamicSharedMemory = 24;
  record.localMemoryPerThread = 16;
  return record;
}

inline cupti::CUpti_ActivityExternalCorrelation MakeExternal(
    cupti::CUpti_ExternalCorrelationKind kind, uint64_t id, uint32_t correlation) {
  return {.kind = cupti::CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION,
          .externalKind = kind,
          .externalId = id,
          .correlationId = correlation,
          .reserved = 0};
}

inline cupti::CUpti_ActivityAPI MakeCall(cupti::CUpti_ActivityKind kind, uint32_t id,
                                         uint32_t correlation, uint64_t start, uint64_t end) {
  return {.kind = kind,
          .cbid = id,
          .start = start,
          .end = end,
          .processId = 50,
          .threadId = 51,
          .correlationId = correlation,
          .returnValue = 0};
}

}  // namespace tfrt::gpu

#endif  // TFRT_TEST_GPU_UNIT_PROFILER_ACTIVITY_BUFFER_H_

// A CUPTI that does nothing, of version FAKE_VERSION.
#include <cstdint>

#include "gpu/abi/cupti_result.h"

using tfrt::gpu::cupti::CUptiResult;

extern "C" {

#ifdef FAKE_VERSION
__attribute__((visibility("default"))) CUptiResult cuptiGetVersion(uint32_t* version) {
  *version = FAKE_VERSION;
  return CUptiResult{};
}
#endif

#define FAKE(name) \
  __attribute__((visibility("default"))) CUptiResult name() { return CUptiResult{}; }
FAKE(cuptiGetResultString)
FAKE(cuptiGetTimestamp)
FAKE(cuptiActivityRegisterCallbacks)
FAKE(cuptiActivityEnable)
FAKE(cuptiActivityDisable)
#ifndef FAKE_LACKS_FLUSH
FAKE(cuptiActivityFlushAll)
#endif
FAKE(cuptiActivityGetNextRecord)
FAKE(cuptiActivityGetNumDroppedRecords)
FAKE(cuptiActivityPushExternalCorrelationId)
FAKE(cuptiActivityPopExternalCorrelationId)
FAKE(cuptiSubscribe)
FAKE(cuptiUnsubscribe)
FAKE(cuptiEnableCallback)
FAKE(cuptiGetCallbackName)
FAKE(cuptiGetGraphNodeId)

}  // extern "C"

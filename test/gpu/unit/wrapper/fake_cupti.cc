// A CUPTI that does nothing, of version FAKE_VERSION.
#include "tfrt/gpu/abi/cupti_types.h"

extern "C" {

#ifdef FAKE_VERSION
__attribute__((visibility("default"))) uint32_t cuptiGetVersion(uint32_t* version) {
  *version = FAKE_VERSION;
  return 0;
}
#endif

#define FAKE(name) \
  __attribute__((visibility("default"))) uint32_t name() { return 0; }
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

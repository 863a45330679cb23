// Entry points: subscribers and callbacks.
#include <algorithm>
#include <cstring>

#include "profiler.h"

namespace tfrt::gpu::cupti {
using namespace cupti_double;  // NOLINT

namespace {

CUptiResult Subscribe(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc callback,
                      void* user_data, CUpti_SubscriberParams* parameters) {
  if (!subscriber || !callback) return CUPTI_ERROR_INVALID_PARAMETER;
  Profiler& profiler = TheProfiler();
  {
    std::lock_guard lock(profiler.mutex);
    std::string other = profiler.settings.other;
    uint32_t code = profiler.settings.subscribe_code;
    if (profiler.callback) {
      code = CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
      other = "an earlier subscriber";
    }
    if (code != 0) {
      if (parameters && parameters->oldSubscriberName && parameters->oldSubscriberSize > 0) {
        const size_t size = std::min(other.size(), parameters->oldSubscriberSize - 1);
        std::memcpy(parameters->oldSubscriberName, other.data(), size);
        parameters->oldSubscriberName[size] = '\0';
      }
      return static_cast<CUptiResult>(code);
    }
  }
  if (!AttachToDriver()) return CUPTI_ERROR_UNKNOWN;
  std::lock_guard lock(profiler.mutex);
  profiler.callback = callback;
  profiler.callback_data = user_data;
  *subscriber = reinterpret_cast<CUpti_SubscriberHandle>(&profiler);
  return CUPTI_SUCCESS;
}

}  // namespace

extern "C" {

CUptiResult cuptiSubscribe(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc callback,
                           void* user_data) {
  return Subscribe(subscriber, callback, user_data, nullptr);
}

CUptiResult cuptiSubscribe_v2(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc callback,
                              void* user_data, CUpti_SubscriberParams* parameters) {
  if (parameters && parameters->structSize != sizeof(*parameters)) {
    return CUPTI_ERROR_INVALID_PARAMETER;
  }
  return Subscribe(subscriber, callback, user_data, parameters);
}

CUptiResult cuptiUnsubscribe(CUpti_SubscriberHandle subscriber) {
  Profiler& profiler = TheProfiler();
  std::lock_guard lock(profiler.mutex);
  if (subscriber != reinterpret_cast<CUpti_SubscriberHandle>(&profiler)) {
    return CUPTI_ERROR_INVALID_PARAMETER;
  }
  profiler.callback = nullptr;
  profiler.resource_callbacks.clear();
  return CUPTI_SUCCESS;
}

CUptiResult cuptiEnableCallback(uint32_t enable, CUpti_SubscriberHandle,
                                CUpti_CallbackDomain domain, CUpti_CallbackId id) {
  Profiler& profiler = TheProfiler();
  std::lock_guard lock(profiler.mutex);
  if (domain != CUPTI_CB_DOMAIN_RESOURCE) return CUPTI_ERROR_NOT_SUPPORTED;
  if (enable) {
    profiler.resource_callbacks.insert(id);
  } else {
    profiler.resource_callbacks.erase(id);
  }
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetCallbackName(CUpti_CallbackDomain domain, uint32_t id, const char** name) {
  Profiler& profiler = TheProfiler();
  std::lock_guard lock(profiler.mutex);
  if (domain != CUPTI_CB_DOMAIN_DRIVER_API || id == 0 || !profiler.driver.function_name) {
    return CUPTI_ERROR_INVALID_PARAMETER;
  }
  *name = profiler.driver.function_name(id - 1);
  return *name ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}

CUptiResult cuptiGetGraphNodeId(CUgraphNode node, uint64_t* id) {
  Profiler& profiler = TheProfiler();
  std::lock_guard lock(profiler.mutex);
  auto found = profiler.node_ids.find(node);
  if (found == profiler.node_ids.end()) return CUPTI_ERROR_INVALID_PARAMETER;
  *id = found->second;
  return CUPTI_SUCCESS;
}

}  // extern "C"
}  // namespace tfrt::gpu::cupti

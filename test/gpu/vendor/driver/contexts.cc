#include "contexts.h"

#include <vector>

#include "capture.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::cuda_double {

Context* MakeContext(Driver& driver, Device& device, unsigned flags, bool is_primary) {
  auto context = std::make_shared<Context>();
  context->id = ++driver.num_contexts;
  context->device = &device;
  context->flags = flags;
  context->is_primary = is_primary;
  context->handle = driver.contexts.Add(context);
  context->legacy = std::make_shared<Stream>();
  context->legacy->context = context.get();
  context->legacy->is_legacy = true;
  context->legacy->lane =
      driver.AddLane(context.get(), StrCat("default stream of context ", context->id),
                     /*of_stream=*/true, /*blocking=*/false);
  driver.all_contexts.push_back(context);
  return context.get();
}

void DestroyContext(Driver& driver, Context& context) {
  context.is_destroyed = true;
  if (context.sticky == CUDA_SUCCESS) context.sticky = CUDA_ERROR_CONTEXT_IS_DESTROYED;
  for (const auto& [thread, stream] : context.per_thread) LeaveCapture(driver, *stream);
  for (CUstream stream : context.streams) LeaveCapture(driver, *driver.streams.Remove(stream));
  for (CUevent event : context.events) driver.events.Remove(event);
  for (CUmodule handle : context.modules) {
    std::shared_ptr<Module> module = driver.modules.Remove(handle);
    for (auto& [name, kernel] : module->kernels) driver.kernels.Remove(kernel);
  }
  std::vector<std::shared_ptr<Allocation>> owned;
  driver.memory.ForEach([&](const std::shared_ptr<Allocation>& allocation) {
    // Memory of a pool belongs to the device.
    if (allocation->context == &context && !allocation->pool) owned.push_back(allocation);
  });
  for (const auto& allocation : owned) {
    driver.Forget(allocation);
    driver.checker.Discard(*allocation);
    if (Device* device = allocation->device) {
      device->addresses.Release(allocation->begin, allocation->size_bytes);
      device->used_bytes -= allocation->size_bytes;
    }
  }
  driver.contexts.Remove(context.handle);
  driver.scheduler.ContextFailed();
}

}  // namespace tfrt::gpu::cuda_double

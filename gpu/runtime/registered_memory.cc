#include "registered_memory.h"

#include <utility>
#include <vector>

#include "context.h"
#include "stream_slots.h"

namespace tfrt::gpu {

StatusOr<RCReference<Memory>> RegisteredMemory::Create(Context* context, void* begin,
                                                       size_t size_bytes, TaskFunction release) {
  auto register_it = [&]() -> Status {
    TFRT_RETURN_IF_ERROR(context->EnterAnew());
    if (size_bytes == 0) return OkStatus();
    return context->Check(context->Call([&] {
      return context->driver().cuMemHostRegister_v2(begin, size_bytes,
                                                    cuda::CU_MEMHOSTREGISTER_PORTABLE);
    }),
                          "cuMemHostRegister_v2");
  };
  if (Status status = register_it(); !status.ok()) {
    if (release) release();
    return status;
  }
  auto* memory = new RegisteredMemory(MemoryKind::kRegistered, context, std::move(release));
  memory->Renew(size_bytes == 0 ? 0 : reinterpret_cast<uintptr_t>(begin), size_bytes);
  context->AddRef();
  return RCReference<Memory>(TakeRef(memory));
}

RCReference<Memory> RegisteredMemory::Borrow(Context* context, cuda::CUdeviceptr begin,
                                             size_t size_bytes, TaskFunction release) {
  auto* memory = new RegisteredMemory(MemoryKind::kForeign, context, std::move(release));
  memory->Renew(size_bytes == 0 ? 0 : begin, size_bytes);
  context->AddRef();
  return RCReference<Memory>(TakeRef(memory));
}

void RegisteredMemory::Free(RegisteredMemory* memory) {
  Context& context = memory->context();
  if (!context.queue()) {
    memory->Await();  // nobody else could go on behind it
    return memory->GiveBack();
  }
  AsyncValueRef<Chain> unused = context.WhenUnused(*memory);
  auto end = [memory, unused = unused.AsPtr()] {
    // That the wait has failed is no reason to take memory away from commands that may still run.
    if (unused.IsError()) memory->Await();
    memory->GiveBack();
  };
  if (unused.IsAvailable()) return end();
  unused.AndThen(end);
}

void RegisteredMemory::Await() {
  std::vector<Point> points;
  uses_.ForEach([&](Point point) { points.push_back(point); });
  internal::AwaitAll(points);
}

void RegisteredMemory::GiveBack() {
  Context* context = &this->context();
  if (kind() == MemoryKind::kRegistered) {
    // A failure here means that the registration has ended already.
    cuda::Context::ForgetCurrent();
    (void)context->native().MakeCurrent();
    if (address() != 0) (void)context->driver().cuMemHostUnregister(host_address());
  }
  TaskFunction release = std::move(release_);
  delete this;
  if (release) release.CallAndReset();
  context->DropRef();
}

RCReference<Memory> GlobalMemory::Create(Module* module, Module::Variable* variable,
                                         cuda::CUdeviceptr begin, size_t size_bytes) {
  auto* memory = new GlobalMemory(FormRef(module), variable);
  memory->Renew(begin, size_bytes);
  variable->memories.push_back(memory);
  return RCReference<Memory>(TakeRef(memory));
}

void GlobalMemory::Free(GlobalMemory* memory) {
  RCReference<Module> module = std::move(memory->module_);
  {
    std::lock_guard lock(module->mutex_);
    memory->uses_.ForEach([&](Point point) {
      if (!IsKnownDone(point)) memory->variable_.uses.Note(point);
    });
    std::erase(memory->variable_.memories, memory);
  }
  delete memory;
}

void GlobalMemory::AppendUses(std::vector<Point>* points) const {
  std::lock_guard lock(module_->mutex_);
  auto append = [&](Point point) { points->push_back(point); };
  for (const GlobalMemory* memory : variable_.memories) memory->uses_.ForEach(append);
  variable_.uses.ForEach(append);
}

}  // namespace tfrt::gpu

// Memory that is neither the allocator's nor the pool's.
#ifndef TFRT_GPU_RUNTIME_REGISTERED_MEMORY_H_
#define TFRT_GPU_RUNTIME_REGISTERED_MEMORY_H_

#include <cstddef>
#include <utility>
#include <vector>

#include "memory.h"
#include "module.h"
#include "point.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"
#include "tfrt/support/task_function.h"

namespace tfrt::gpu {

// Memory of another owner: page-locked (Context::Register), or of the device (Context::Borrow).
class RegisteredMemory final : public Memory {
 public:
  static StatusOr<RCReference<Memory>> Create(Context* context, void* begin, size_t size_bytes,
                                              TaskFunction release);
  static RCReference<Memory> Borrow(Context* context, cuda::CUdeviceptr begin, size_t size_bytes,
                                    TaskFunction release);
  // When the commands have run: now, or later by a task of the context's queue.
  static void Free(RegisteredMemory* memory);

 private:
  RegisteredMemory(MemoryKind kind, Context* context, TaskFunction release)
      : Memory(kind, context), release_(std::move(release)) {}
  // Blocks until no command uses it.
  void Await();
  // Nothing uses it any more. Deletes it.
  void GiveBack();

  TaskFunction release_;
};

// A variable of a module, which this keeps. There may be several for one variable.
class GlobalMemory final : public Memory {
 public:
  // Under the module's lock.
  static RCReference<Memory> Create(Module* module, Module::Variable* variable,
                                    cuda::CUdeviceptr begin, size_t size_bytes);
  static void Free(GlobalMemory* memory);
  // Appends what uses the variable, by whatever memory.
  void AppendUses(std::vector<Point>* points) const;

 private:
  GlobalMemory(RCReference<Module> module, Module::Variable* variable)
      : Memory(MemoryKind::kGlobal, &module->context()),
        module_(std::move(module)),
        variable_(*variable) {}

  RCReference<Module> module_;
  Module::Variable& variable_;  // under the module's lock
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_REGISTERED_MEMORY_H_

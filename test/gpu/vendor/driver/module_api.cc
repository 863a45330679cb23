// Entry points: modules and functions.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include "call.h"

namespace tfrt::gpu::cuda_double {
namespace {

// Where a compilation writes what it has to say.
struct JitLog {
  char* text = nullptr;
  unsigned* size_value = nullptr;  // in: capacity; out: bytes written
  size_t capacity = 0;
};
struct JitOptions {
  JitLog info, error;
};

CUresult ReadOptions(unsigned count, CUjit_option* options, void** values, JitOptions* out) {
  if (count > 0 && (!options || !values)) return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < count; ++i) {
    // A number is passed in place of a pointer.
    auto size = static_cast<unsigned>(reinterpret_cast<uintptr_t>(values[i]));
    switch (options[i]) {
      case CU_JIT_INFO_LOG_BUFFER:
        out->info.text = static_cast<char*>(values[i]);
        break;
      case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
        out->info.capacity = size;
        out->info.size_value = reinterpret_cast<unsigned*>(&values[i]);
        break;
      case CU_JIT_ERROR_LOG_BUFFER:
        out->error.text = static_cast<char*>(values[i]);
        break;
      case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
        out->error.capacity = size;
        out->error.size_value = reinterpret_cast<unsigned*>(&values[i]);
        break;
      default:
        if (options[i] > 64) return CUDA_ERROR_INVALID_VALUE;
    }
  }
  return CUDA_SUCCESS;
}

void WriteLog(const JitLog& log, std::string_view text) {
  if (!log.text || log.capacity == 0) return;
  size_t length = std::min(text.size(), log.capacity - 1);
  std::memcpy(log.text, text.data(), length);
  log.text[length] = '\0';
  if (log.size_value) *log.size_value = static_cast<unsigned>(length);
}

// Device code for a machine: an object file, or several in one. Neither magic has a zero byte, so
// that nothing is read behind the end of a short text.
bool IsBinary(const char* image) {
  return std::strncmp(image, "\177ELF", 4) == 0 || std::strncmp(image, "\x50\xed\x55\xba", 4) == 0;
}

CUresult CodeOf(ptx::ParseErrorKind kind) {
  switch (kind) {
    case ptx::ParseErrorKind::kNotPtx:
      return CUDA_ERROR_INVALID_IMAGE;
    case ptx::ParseErrorKind::kSyntax:
      return CUDA_ERROR_INVALID_PTX;
    case ptx::ParseErrorKind::kUnsupported:
      return CUDA_ERROR_NOT_SUPPORTED;
  }
  return CUDA_ERROR_INVALID_IMAGE;
}

CUresult Parse(const char* image, Driver& driver, const JitOptions& options,
               std::shared_ptr<const ptx::Module>* code) {
  const Settings& settings = driver.settings;
  if (IsBinary(image)) {
    WriteLog(options.error, "the test double runs PTX only: no binary for its device");
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  }
  auto parsed = ptx::Module::Parse(image, settings.contracts);
  if (auto* error = std::get_if<ptx::ParseError>(&parsed)) {
    WriteLog(options.error, error->Log());
    return CodeOf(error->kind);
  }
  auto& module = std::get<std::unique_ptr<const ptx::Module>>(parsed);
  // Text can be compiled for later devices than it was made for, not for earlier ones.
  const int device = settings.major * 10 + settings.minor;
  if (module->target() > device) {
    WriteLog(options.error, "the text is for sm_" + std::to_string(module->target()) +
                                ", which is newer than the device, sm_" + std::to_string(device));
    return CUDA_ERROR_INVALID_PTX;
  }
  *code = std::move(module);
  std::string note = (*code)->ContractionNote();
  WriteLog(options.info, note.empty() ? "compiled for the test double" : note);
  if (!note.empty() && driver.notes.insert(note).second) {
    std::fprintf(stderr, "tfrt test double: note: %s (TFRT_GPU_DOUBLE=contract=on)\n",
                 note.c_str());
  }
  WriteLog(options.error, "");
  return CUDA_SUCCESS;
}

// Gives each variable memory with its first value.
CUresult PlaceVariables(Call& call, Module& module) {
  Driver& driver = call.driver();
  Device& device = *module.context->device;
  std::vector<uint64_t> addresses;
  for (const ptx::Variable& variable : module.code->variables()) {
    uint64_t size = std::max<uint64_t>(variable.size, 1);
    uint64_t begin = 0;
    if (size <= device.memory_bytes - device.used_bytes) begin = device.addresses.Reserve(size);
    if (begin == 0 || variable.alignment > AddressSpace::kAlignment) {
      if (begin != 0) device.addresses.Release(begin, size);
      return CUDA_ERROR_OUT_OF_MEMORY;
    }
    device.used_bytes += size;
    auto allocation = std::make_shared<Allocation>();
    allocation->id = driver.memory.NextId();
    allocation->kind = MemoryKind::kGlobal;
    allocation->begin = begin;
    allocation->size_bytes = size;
    allocation->data = device.addresses.Data(begin);
    allocation->device = &device;
    allocation->context = module.context;
    allocation->writable = !variable.constant;
    allocation->all_defined = true;
    driver.checker.Allocate(driver.HostStamp(call.name()), allocation);
    driver.memory.Add(allocation);
    module.variables.push_back(std::move(allocation));
    addresses.push_back(begin);
  }
  for (size_t i = 0; i < addresses.size(); ++i) {
    std::vector<std::byte> bytes = module.code->InitialBytes(i, addresses);
    if (!bytes.empty()) std::memcpy(module.variables[i]->data, bytes.data(), bytes.size());
  }
  module.instance.emplace(*module.code, addresses);
  return CUDA_SUCCESS;
}

void RemoveVariables(Call& call, Module& module) {
  Driver& driver = call.driver();
  for (const auto& allocation : module.variables) {
    driver.checker.Free(driver.HostStamp(call.name()), *allocation);
    driver.memory.Remove(allocation->begin);
    allocation->device->used_bytes -= allocation->size_bytes;
    allocation->device->addresses.Release(allocation->begin, allocation->size_bytes);
  }
}

CUresult GetModule(Call& call, CUmodule handle, std::shared_ptr<Module>* module) {
  *module = call.driver().modules.Find(handle);
  if (!*module) return call.BadHandle("module", call.driver().modules.WasRemoved(handle));
  return (*module)->context->failure();
}

CUresult GetKernel(Call& call, CUfunction handle, std::shared_ptr<Kernel>* kernel) {
  *kernel = call.driver().kernels.Find(handle);
  if (!*kernel) return call.BadHandle("function", call.driver().kernels.WasRemoved(handle));
  return (*kernel)->module->context->failure();
}

CUresult FunctionAttribute(const Driver& driver, const Kernel& kernel,
                           CUfunction_attribute attribute, int* value) {
  const ptx::Entry& entry = *kernel.entry;
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = static_cast<int>(MaxThreads(entry));
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      *value = static_cast<int>(entry.static_shared_bytes);
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      *value = static_cast<int>(entry.local_bytes);
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      *value = static_cast<int>(entry.registers);
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
      *value = kernel.module->code->target();
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      *value = driver.settings.major * 10 + driver.settings.minor;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *value = static_cast<int>(kernel.max_dynamic_shared_bytes);
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      *value = kernel.preferred_carveout;
      return CUDA_SUCCESS;
    default:
      *value = 0;
      return attribute <= CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH + 2 ? CUDA_SUCCESS
                                                                       : CUDA_ERROR_INVALID_VALUE;
  }
}

}  // namespace
}  // namespace tfrt::gpu::cuda_double

namespace tfrt::gpu::cuda {
using namespace cuda_double;  // NOLINT

extern "C" {

CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned num_options,
                            CUjit_option* options, void** values) {
  return Enter(Function::cuModuleLoadDataEx, Needs::kContext, [&](Call& call) -> CUresult {
    JitOptions jit;
    if (!module || !image) return CUDA_ERROR_INVALID_VALUE;
    TFRT_GPU_RETURN_IF_FAILED(ReadOptions(num_options, options, values, &jit));
    TFRT_GPU_RETURN_IF_FAILED(call.CheckCaptureAllows());
    call.NoteWaitForContext(*call.context());
    auto made = std::make_shared<Module>();
    made->context = call.context();
    TFRT_GPU_RETURN_IF_FAILED(
        Parse(static_cast<const char*>(image), call.driver(), jit, &made->code));
    if (CUresult code = PlaceVariables(call, *made); code != CUDA_SUCCESS) {
      RemoveVariables(call, *made);
      return code;
    }
    *module = call.driver().modules.Add(made);
    call.context()->modules.insert(*module);
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleUnload(CUmodule module) {
  return Enter(Function::cuModuleUnload, Needs::kContext, [&](Call& call) -> CUresult {
    std::shared_ptr<Module> found;
    TFRT_GPU_RETURN_IF_FAILED(GetModule(call, module, &found));
    TFRT_GPU_RETURN_IF_FAILED(call.CheckCaptureAllows());
    call.NoteWaitForContext(*found->context);
    found->is_unloaded = true;
    for (auto& [name, kernel] : found->kernels) call.driver().kernels.Remove(kernel);
    RemoveVariables(call, *found);
    found->context->modules.erase(module);
    call.driver().modules.Remove(module);
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  return Enter(Function::cuModuleGetFunction, Needs::kContext, [&](Call& call) -> CUresult {
    std::shared_ptr<Module> found;
    if (!function || !name) return CUDA_ERROR_INVALID_VALUE;
    call.Note("kernel=", name);
    TFRT_GPU_RETURN_IF_FAILED(GetModule(call, module, &found));
    if (auto known = found->kernels.find(name); known != found->kernels.end()) {
      *function = known->second;
      return CUDA_SUCCESS;
    }
    const ptx::Entry* entry = found->code->FindEntry(name);
    if (!entry) return CUDA_ERROR_NOT_FOUND;
    auto kernel = std::make_shared<Kernel>();
    kernel->module = found;
    kernel->entry = entry;
    kernel->max_dynamic_shared_bytes =
        kSharedBytesPerBlock - std::min(kSharedBytesPerBlock, entry->static_shared_bytes);
    *function = found->kernels[name] = call.driver().kernels.Add(std::move(kernel));
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr* address, size_t* size_bytes, CUmodule module,
                              const char* name) {
  return Enter(Function::cuModuleGetGlobal_v2, Needs::kContext, [&](Call& call) -> CUresult {
    std::shared_ptr<Module> found;
    if (!name) return CUDA_ERROR_INVALID_VALUE;
    TFRT_GPU_RETURN_IF_FAILED(GetModule(call, module, &found));
    std::optional<size_t> index = found->code->FindVariable(name);
    if (!index) return CUDA_ERROR_NOT_FOUND;
    if (address) *address = found->variables[*index]->begin;
    if (size_bytes) *size_bytes = found->code->variables()[*index].size;
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
  return Enter(Function::cuModuleGetLoadingMode, Needs::kDriver, [&](Call&) -> CUresult {
    if (!mode) return CUDA_ERROR_INVALID_VALUE;
    *mode = CU_MODULE_LAZY_LOADING;
    return CUDA_SUCCESS;
  });
}

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  return Enter(Function::cuFuncGetAttribute, Needs::kContext, [&](Call& call) -> CUresult {
    std::shared_ptr<Kernel> kernel;
    if (!value) return CUDA_ERROR_INVALID_VALUE;
    TFRT_GPU_RETURN_IF_FAILED(GetKernel(call, function, &kernel));
    return FunctionAttribute(call.driver(), *kernel, attribute, value);
  });
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  return Enter(Function::cuFuncSetAttribute, Needs::kContext, [&](Call& call) -> CUresult {
    std::shared_ptr<Kernel> kernel;
    TFRT_GPU_RETURN_IF_FAILED(GetKernel(call, function, &kernel));
    switch (attribute) {
      case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        if (value < 0 || static_cast<uint64_t>(value) + kernel->entry->static_shared_bytes >
                             kSharedBytesPerBlockOptIn) {
          return CUDA_ERROR_INVALID_VALUE;
        }
        kernel->max_dynamic_shared_bytes = static_cast<uint32_t>(value);
        return CUDA_SUCCESS;
      case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        if (value < -1 || value > 100) return CUDA_ERROR_INVALID_VALUE;
        kernel->preferred_carveout = value;
        return CUDA_SUCCESS;
      default:
        return CUDA_ERROR_INVALID_VALUE;
    }
  });
}

CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t* offset, size_t* size_bytes) {
  return Enter(Function::cuFuncGetParamInfo, Needs::kContext, [&](Call& call) -> CUresult {
    std::shared_ptr<Kernel> kernel;
    if (!offset) return CUDA_ERROR_INVALID_VALUE;
    TFRT_GPU_RETURN_IF_FAILED(GetKernel(call, function, &kernel));
    if (index >= kernel->entry->parameters.size()) return CUDA_ERROR_INVALID_VALUE;
    *offset = kernel->entry->parameters[index].offset;
    if (size_bytes) *size_bytes = kernel->entry->parameters[index].size;
    return CUDA_SUCCESS;
  });
}

CUresult cuFuncLoad(CUfunction function) {
  return Enter(Function::cuFuncLoad, Needs::kContext, [&](Call& call) -> CUresult {
    std::shared_ptr<Kernel> kernel;
    TFRT_GPU_RETURN_IF_FAILED(GetKernel(call, function, &kernel));
    if (!kernel->is_loaded) TFRT_GPU_RETURN_IF_FAILED(call.CheckCaptureAllows());
    kernel->is_loaded = true;
    return CUDA_SUCCESS;
  });
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* num_blocks, CUfunction function,
                                                     int block_size, size_t dynamic_shared_bytes) {
  return Enter(Function::cuOccupancyMaxActiveBlocksPerMultiprocessor, Needs::kContext,
               [&](Call& call) -> CUresult {
                 std::shared_ptr<Kernel> kernel;
                 if (!num_blocks || block_size <= 0) return CUDA_ERROR_INVALID_VALUE;
                 TFRT_GPU_RETURN_IF_FAILED(GetKernel(call, function, &kernel));
                 *num_blocks = static_cast<int>(MaxResidentBlocks(
                     *kernel->entry, static_cast<uint32_t>(block_size), dynamic_shared_bytes));
                 return CUDA_SUCCESS;
               });
}

}  // extern "C"
}  // namespace tfrt::gpu::cuda

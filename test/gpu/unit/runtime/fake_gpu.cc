#include "test/gpu/unit/runtime/fake_gpu.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string_view>
#include <utility>

namespace tfrt::gpu {

using namespace cuda;  // NOLINT: the vendor's spellings

namespace {

FakeGpu* the_gpu = nullptr;
// Of a thread: what is current, and what was when a context was created.
thread_local CUcontext current_context = nullptr, context_below = nullptr;

void* Pointer(CUdeviceptr address) {
  return reinterpret_cast<void*>(static_cast<uintptr_t>(address));
}

bool IsRelease(std::string_view name) {
  for (std::string_view part : {"Destroy", "Free", "Release", "Unload", "Unregister"}) {
    if (name.find(part) != name.npos) return true;
  }
  return false;
}

template <typename T>
void Fill(CUdeviceptr to, T value, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    std::memcpy(static_cast<std::byte*>(Pointer(to)) + i * sizeof(T), &value, sizeof(T));
  }
}

}  // namespace

// Each function of the table finds the driver, counts the call and holds the lock.
struct FakeGpu::Functions {
  template <typename F>
  static CUresult Do(const char* name, F&& function) {
    std::unique_lock lock(the_gpu->mutex_);
    CUresult result = the_gpu->Enter(name);
    if (result == CUDA_SUCCESS) return function(*the_gpu, lock);
    // What gives back does so all the same, as the driver's does with errors of earlier work.
    if (IsRelease(name)) function(*the_gpu, lock);
    return result;
  }
  static Stream* Of(CUstream stream) { return reinterpret_cast<Stream*>(stream); }
  static std::pair<const std::string, Kernel>* KernelOf(CUfunction function) {
    return reinterpret_cast<std::pair<const std::string, Kernel>*>(function);
  }
  static Event* Of(CUevent event) { return reinterpret_cast<Event*>(event); }

  static void FillDevices(DriverTable* table);
  static void FillStreams(DriverTable* table);
  static void FillMemory(DriverTable* table);
  static void FillCopies(DriverTable* table);
  static void FillModules(DriverTable* table);
};

#define FAKE(name, parameters, ...)                                                            \
  table->name = [] parameters {                                                                \
    return Do(                                                                                 \
        #name, [&](FakeGpu & gpu, std::unique_lock<std::mutex> & lock)->CUresult __VA_ARGS__); \
  }

void FakeGpu::Functions::FillDevices(DriverTable* table) {
  table->cuGetErrorString = [](CUresult, const char** text) {
    *text = "as the fake driver says";
    return CUDA_SUCCESS;
  };
  table->cuGetErrorName = [](CUresult, const char**) { return CUDA_ERROR_INVALID_VALUE; };
  FAKE(cuDeviceGetCount, (int* count), {
    *count = 2;
    return CUDA_SUCCESS;
  });
  FAKE(cuDeviceGet, (CUdevice * device, int ordinal), {
    *device = ordinal;
    return CUDA_SUCCESS;
  });
  FAKE(cuDeviceGetAttribute, (int* value, CUdevice_attribute attribute, CUdevice), {
    *value = attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR            ? 9
             : attribute == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN ? 100000
             : attribute == CU_DEVICE_ATTRIBUTE_MAX_PITCH                         ? 1 << 20
                                                                                  : 0;
    return CUDA_SUCCESS;
  });
  FAKE(cuDevicePrimaryCtxRetain, (CUcontext * context, CUdevice), {
    ++gpu.primary_references_;
    *context = reinterpret_cast<CUcontext>(uintptr_t{1} << 20);
    return CUDA_SUCCESS;
  });
  FAKE(cuDevicePrimaryCtxRelease_v2, (CUdevice), {
    --gpu.primary_references_;
    return CUDA_SUCCESS;
  });
  FAKE(cuCtxCreate_v2, (CUcontext * context, unsigned, CUdevice), {
    *context = reinterpret_cast<CUcontext>(gpu.next_context_++);
    context_below = std::exchange(current_context, *context);
    gpu.contexts_.insert(*context);
    return CUDA_SUCCESS;
  });
  FAKE(cuCtxDestroy_v2, (CUcontext context), {
    gpu.contexts_.erase(context);
    return CUDA_SUCCESS;
  });
  FAKE(cuCtxSetCurrent, (CUcontext context), {
    current_context = context;
    return CUDA_SUCCESS;
  });
  FAKE(cuCtxPopCurrent_v2, (CUcontext * context), {
    *context = std::exchange(current_context, std::exchange(context_below, nullptr));
    return CUDA_SUCCESS;
  });
}

void FakeGpu::Functions::FillStreams(DriverTable* table) {
  FAKE(cuStreamCreateWithPriority, (CUstream * stream, unsigned, int), {
    auto* made = new Stream{current_context};
    gpu.streams_.insert(made);
    *stream = reinterpret_cast<CUstream>(made);
    return CUDA_SUCCESS;
  });
  FAKE(cuStreamDestroy_v2, (CUstream stream), {
    Stream* gone = Of(stream);
    gpu.streams_.erase(gone);
    // Who waits for it waits no more: whoever destroys a stream has waited for all of it.
    for (Stream* other : gpu.streams_) {
      other->seen.erase(gone);
      for (size_t i = other->done; i < other->commands.size(); ++i) {
        if (other->commands[i].wait_stream == gone) other->commands[i].wait_stream = nullptr;
      }
    }
    for (Event* event : gpu.events_) event->seen.erase(gone);
    delete gone;
    return CUDA_SUCCESS;
  });
  FAKE(cuStreamSynchronize, (CUstream stream),
       { return gpu.Await(lock, Of(stream), Of(stream)->commands.size()); });
  FAKE(cuStreamQuery, (CUstream stream), {
    return gpu.RunUntil(Of(stream), Of(stream)->commands.size(), true) ? CUDA_SUCCESS
                                                                       : CUDA_ERROR_NOT_READY;
  });
  FAKE(cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned), {
    Event* record = Of(event);
    if (!record->stream) return CUDA_SUCCESS;
    size_t index = std::distance(gpu.streams_.begin(), gpu.streams_.find(record->stream));
    CUresult result = gpu.Enqueue(
        stream, "wait " + std::to_string(index) + ":" + std::to_string(record->position), {});
    if (result != CUDA_SUCCESS) return result;
    Stream* waiting = Of(stream);
    waiting->commands.back().wait_stream = record->stream;
    waiting->commands.back().wait_position = record->position;
    for (const auto& [other, position] : record->seen) {
      waiting->seen[other] = std::max(waiting->seen[other], position);
    }
    waiting->seen[record->stream] = std::max(waiting->seen[record->stream], record->position);
    return CUDA_SUCCESS;
  });
  FAKE(cuEventCreate, (CUevent * event, unsigned), {
    auto* made = new Event;
    gpu.events_.insert(made);
    *event = reinterpret_cast<CUevent>(made);
    return CUDA_SUCCESS;
  });
  FAKE(cuEventDestroy_v2, (CUevent event), {
    gpu.events_.erase(Of(event));
    delete Of(event);
    return CUDA_SUCCESS;
  });
  FAKE(cuEventRecord, (CUevent event, CUstream stream), {
    CUresult result = gpu.Enqueue(stream, "record", {});
    if (result != CUDA_SUCCESS) return result;
    *Of(event) = {Of(stream), Of(stream)->commands.size(), Of(stream)->seen};
    return CUDA_SUCCESS;
  });
  FAKE(cuEventQuery, (CUevent event), {
    Event* record = Of(event);
    if (!record->stream || gpu.RunUntil(record->stream, record->position, true)) {
      return gpu.broken_;
    }
    return gpu.broken_ != CUDA_SUCCESS ? gpu.broken_ : CUDA_ERROR_NOT_READY;
  });
  FAKE(cuEventSynchronize, (CUevent event), {
    Event record = *Of(event);  // of this call, whatever is recorded meanwhile
    return record.stream ? gpu.Await(lock, record.stream, record.position) : CUDA_SUCCESS;
  });
}

void FakeGpu::Functions::FillMemory(DriverTable* table) {
  FAKE(cuMemAlloc_v2, (CUdeviceptr * address, size_t size_bytes), {
    if (size_bytes > gpu.memory_bytes_ - gpu.bytes_allocated_) return CUDA_ERROR_OUT_OF_MEMORY;
    void* memory = std::aligned_alloc(512, (size_bytes + 511) / 512 * 512);
    gpu.memory_[memory] = size_bytes;
    gpu.bytes_allocated_ += size_bytes;
    *address = reinterpret_cast<uintptr_t>(memory);
    return CUDA_SUCCESS;
  });
  FAKE(cuMemFree_v2, (CUdeviceptr address), {
    auto found = gpu.memory_.find(Pointer(address));
    if (found == gpu.memory_.end()) return CUDA_ERROR_INVALID_VALUE;
    gpu.bytes_allocated_ -= found->second;
    gpu.memory_.erase(found);
    std::free(Pointer(address));
    return CUDA_SUCCESS;
  });
  FAKE(cuMemGetInfo_v2, (size_t* free_bytes, size_t* total_bytes), {
    *total_bytes = gpu.memory_bytes_;
    *free_bytes = gpu.memory_bytes_ - gpu.bytes_allocated_;
    return CUDA_SUCCESS;
  });
  FAKE(cuMemHostAlloc, (void** memory, size_t size_bytes, unsigned), {
    *memory = std::aligned_alloc(4096, (size_bytes + 4095) / 4096 * 4096);
    gpu.host_memory_[*memory] = size_bytes;
    return CUDA_SUCCESS;
  });
  FAKE(cuMemFreeHost, (void* memory), {
    gpu.host_memory_.erase(memory);
    std::free(memory);
    return CUDA_SUCCESS;
  });
  FAKE(cuMemHostRegister_v2, (void* memory, size_t, unsigned), {
    return gpu.registered_.insert(memory).second ? CUDA_SUCCESS
                                                 : CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  });
  FAKE(cuMemHostUnregister, (void* memory), {
    gpu.registered_.erase(memory);
    return CUDA_SUCCESS;
  });
}

void FakeGpu::Functions::FillCopies(DriverTable* table) {
  // As an H100's for two memories of the host: the caller waits for the stream.
  FAKE(cuMemcpyAsync, (CUdeviceptr to, CUdeviceptr from, size_t size_bytes, CUstream stream), {
    gpu.Enqueue(stream, "copy " + std::to_string(size_bytes),
                [=] { std::memmove(Pointer(to), Pointer(from), size_bytes); });
    return gpu.Await(lock, Of(stream), Of(stream)->commands.size());
  });
  FAKE(cuLaunchHostFunc, (CUstream stream, CUhostFn function, void* data),
       { return gpu.Enqueue(stream, "host function", [=] { function(data); }); });
  FAKE(cuMemcpyDtoDAsync_v2, (CUdeviceptr to, CUdeviceptr from, size_t size_bytes, CUstream stream),
       {
         return gpu.Enqueue(stream, "copy " + std::to_string(size_bytes),
                            [=] { std::memmove(Pointer(to), Pointer(from), size_bytes); });
       });
  FAKE(cuMemcpyPeerAsync,
       (CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, size_t size_bytes, CUstream stream),
       {
         return gpu.Enqueue(stream, "peer copy " + std::to_string(size_bytes),
                            [=] { std::memmove(Pointer(to), Pointer(from), size_bytes); });
       });
  FAKE(cuMemcpy2DAsync_v2, (const CUDA_MEMCPY2D* given, CUstream stream), {
    const CUDA_MEMCPY2D copy = *given;
    return gpu.Enqueue(
        stream, std::to_string(copy.Height) + " rows of " + std::to_string(copy.WidthInBytes), [=] {
          const bool is_to_host = copy.dstMemoryType == CU_MEMORYTYPE_HOST;
          const bool is_from_host = copy.srcMemoryType == CU_MEMORYTYPE_HOST;
          auto* to = static_cast<char*>(is_to_host ? copy.dstHost : Pointer(copy.dstDevice));
          auto* from =
              static_cast<const char*>(is_from_host ? copy.srcHost : Pointer(copy.srcDevice));
          for (size_t row = 0; row < copy.Height; ++row) {
            std::memcpy(to + row * copy.dstPitch, from + row * copy.srcPitch, copy.WidthInBytes);
          }
        });
  });
  FAKE(cuMemcpyHtoDAsync_v2, (CUdeviceptr to, const void* from, size_t size_bytes, CUstream stream),
       {
         return gpu.Enqueue(stream, "h2d " + std::to_string(size_bytes),
                            [=] { std::memcpy(Pointer(to), from, size_bytes); });
       });
  FAKE(cuMemcpyDtoHAsync_v2, (void* to, CUdeviceptr from, size_t size_bytes, CUstream stream), {
    return gpu.Enqueue(stream, "d2h " + std::to_string(size_bytes),
                       [=] { std::memcpy(to, Pointer(from), size_bytes); });
  });
  FAKE(cuMemsetD8Async, (CUdeviceptr to, unsigned char value, size_t count, CUstream stream),
       { return gpu.Enqueue(stream, "set", [=] { Fill(to, value, count); }); });
  FAKE(cuMemsetD16Async, (CUdeviceptr to, unsigned short value, size_t count, CUstream stream),
       { return gpu.Enqueue(stream, "set", [=] { Fill(to, value, count); }); });
  FAKE(cuMemsetD32Async, (CUdeviceptr to, unsigned value, size_t count, CUstream stream),
       { return gpu.Enqueue(stream, "set", [=] { Fill(to, value, count); }); });
}

void FakeGpu::Functions::FillModules(DriverTable* table) {
  FAKE(cuModuleLoadDataEx,
       (CUmodule * module, const void* image, unsigned count, CUjit_option* options, void** values),
       {
         if (std::strncmp(static_cast<const char*>(image), ".version", 8) != 0) {
           for (unsigned i = 0; i < count; ++i) {
             if (options[i] == CU_JIT_ERROR_LOG_BUFFER) {
               std::strcpy(static_cast<char*>(values[i]), gpu.jit_log_.c_str());
             }
           }
           return CUDA_ERROR_INVALID_IMAGE;
         }
         auto* made = new std::string(static_cast<const char*>(image));
         gpu.modules_.insert(made);
         *module = reinterpret_cast<CUmodule>(made);
         return CUDA_SUCCESS;
       });
  FAKE(cuModuleUnload, (CUmodule module), {
    gpu.modules_.erase(reinterpret_cast<std::string*>(module));
    delete reinterpret_cast<std::string*>(module);
    return CUDA_SUCCESS;
  });
  FAKE(cuModuleGetFunction, (CUfunction * function, CUmodule, const char* name), {
    auto found = gpu.kernels_.find(name);
    if (found == gpu.kernels_.end()) return CUDA_ERROR_NOT_FOUND;
    *function = reinterpret_cast<CUfunction>(&*found);
    return CUDA_SUCCESS;
  });
  FAKE(cuModuleGetGlobal_v2,
       (CUdeviceptr * address, size_t* size_bytes, CUmodule, const char* name), {
         static float knob;
         if (std::strcmp(name, "knob") != 0) return CUDA_ERROR_NOT_FOUND;
         *address = reinterpret_cast<uintptr_t>(&knob);
         *size_bytes = sizeof(knob);
         return CUDA_SUCCESS;
       });
  FAKE(cuFuncGetAttribute, (int* value, CUfunction_attribute attribute, CUfunction function), {
    const Kernel& kernel = KernelOf(function)->second;
    *value = attribute == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK           ? kernel.max_threads
             : attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES ? 49152
             : attribute == CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES             ? kernel.shared_bytes
                                                                            : 0;
    return CUDA_SUCCESS;
  });
  FAKE(cuFuncSetAttribute, (CUfunction, CUfunction_attribute, int), { return CUDA_SUCCESS; });
  FAKE(cuFuncGetParamInfo, (CUfunction function, size_t index, size_t* offset, size_t* size_bytes),
       {
         const auto& sizes = KernelOf(function)->second.parameter_sizes;
         if (index >= sizes.size()) return CUDA_ERROR_INVALID_VALUE;
         *offset = 0;
         *size_bytes = sizes[index];
         return CUDA_SUCCESS;
       });
  FAKE(cuLaunchKernel,
       (CUfunction function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
        CUstream stream, void** parameters, void**),
       {
         auto* kernel = KernelOf(function);
         std::vector<std::vector<std::byte>> values;
         for (size_t i = 0; i < kernel->second.parameter_sizes.size(); ++i) {
           auto* begin = static_cast<std::byte*>(parameters[i]);
           values.emplace_back(begin, begin + kernel->second.parameter_sizes[i]);
         }
         return gpu.Enqueue(stream, "launch " + kernel->first, [kernel, values] {
           std::vector<const std::byte*> addresses;
           for (const auto& value : values) addresses.push_back(value.data());
           if (kernel->second.run) kernel->second.run(addresses);
         });
       });
}

#undef FAKE

FakeGpu::FakeGpu(Mode mode) : mode_(mode) {
  EXPECT_EQ(the_gpu, nullptr) << "two drivers at once";
  the_gpu = this;
  Functions::FillDevices(&table_);
  Functions::FillStreams(&table_);
  Functions::FillMemory(&table_);
  Functions::FillCopies(&table_);
  Functions::FillModules(&table_);
}

FakeGpu::~FakeGpu() {
  EXPECT_EQ(streams_.size(), 0u) << "streams are left";
  EXPECT_EQ(events_.size(), 0u) << "events are left";
  EXPECT_EQ(memory_.size(), 0u) << "device memory is left";
  EXPECT_EQ(host_memory_.size(), 0u) << "page-locked memory is left";
  EXPECT_EQ(registered_.size(), 0u) << "memory is left registered";
  EXPECT_EQ(modules_.size(), 0u) << "modules are left";
  EXPECT_EQ(contexts_.size(), 0u) << "contexts are left";
  EXPECT_EQ(primary_references_, 0) << "the primary context is still retained";
  EXPECT_EQ(num_wrong_contexts_, 0u) << "commands came with another context";
  current_context = context_below = nullptr;
  the_gpu = nullptr;
}

CUresult FakeGpu::Enter(const char* function) {
  const std::string_view name = function;
  ++calls_[function];
  contexts_at_[function] = current_context;
  if (auto failure = failures_.find(function); failure != failures_.end()) {
    if (--failure->second.nth == 0) {
      CUresult result = failure->second.result;
      failures_.erase(failure);
      return result;
    }
  }
  return IsRelease(function) || name == "cuCtxSetCurrent" ? CUDA_SUCCESS : broken_;
}

CUresult FakeGpu::Enqueue(CUstream handle, std::string text, std::function<void()> run) {
  Stream* stream = Functions::Of(handle);
  if (stream->context != current_context) ++num_wrong_contexts_;
  stream->commands.push_back({std::move(text), std::move(run)});
  if (mode_ == Mode::kAtCall) RunUntil(stream, stream->commands.size(), true);
  return CUDA_SUCCESS;
}

bool FakeGpu::RunUntil(Stream* stream, size_t position, bool is_asked) {
  while (stream->done < position) {
    if (broken_ != CUDA_SUCCESS) return false;
    if (mode_ == Mode::kReleased && stream->done >= stream->released) return false;
    if (mode_ == Mode::kWhenAsked && !is_asked) return false;
    Command& command = stream->commands[stream->done];
    if (command.wait_stream && !RunUntil(command.wait_stream, command.wait_position, is_asked)) {
      return false;
    }
    if (command.run && break_next_ != CUDA_SUCCESS) {
      broken_ = std::exchange(break_next_, CUDA_SUCCESS);
      changed_.notify_all();
      return false;
    }
    if (command.run) command.run();
    command.run = nullptr;
    ++stream->done;
  }
  return true;
}

void FakeGpu::RunReleased() {
  // Until nothing moves: streams wait for one another.
  for (bool moved = true; moved;) {
    moved = false;
    for (Stream* stream : streams_) {
      size_t before = stream->done;
      RunUntil(stream, stream->commands.size(), true);
      moved |= stream->done != before;
    }
  }
  changed_.notify_all();
}

CUresult FakeGpu::Await(std::unique_lock<std::mutex>& lock, Stream* stream, size_t position) {
  changed_.wait(lock, [&] { return RunUntil(stream, position, true) || broken_ != CUDA_SUCCESS; });
  return stream->done >= position ? CUDA_SUCCESS : broken_;
}

void FakeGpu::set_mode(Mode mode) {
  std::lock_guard lock(mutex_);
  mode_ = mode;
  changed_.notify_all();
}

void FakeGpu::Release(size_t count) {
  std::lock_guard lock(mutex_);
  for (Stream* stream : streams_) {
    stream->released = count == SIZE_MAX ? SIZE_MAX : stream->released + count;
  }
  RunReleased();
}

void FakeGpu::Release(CUstream stream, size_t count) {
  std::lock_guard lock(mutex_);
  Functions::Of(stream)->released += count;
  RunReleased();
}

void FakeGpu::AddKernel(std::string name, Kernel kernel) {
  std::lock_guard lock(mutex_);
  kernels_.insert_or_assign(std::move(name), std::move(kernel));
}

void FakeGpu::Fail(const std::string& function, CUresult result, uint64_t nth) {
  std::lock_guard lock(mutex_);
  failures_[function] = {result, nth};
}

void FakeGpu::BreakNextCommand(CUresult result) {
  std::lock_guard lock(mutex_);
  break_next_ = result;
}

uint64_t FakeGpu::NumCalls(const std::string& function) const {
  std::lock_guard lock(mutex_);
  uint64_t count = 0;
  for (const auto& [name, number] : calls_) {
    if (function.empty() || name == function) count += number;
  }
  return count;
}

std::map<std::string, uint64_t> FakeGpu::Calls() const {
  std::lock_guard lock(mutex_);
  return calls_;
}

void FakeGpu::ForgetCalls() {
  std::lock_guard lock(mutex_);
  calls_.clear();
}

CUcontext FakeGpu::ContextAt(const std::string& function) const {
  std::lock_guard lock(mutex_);
  auto found = contexts_at_.find(function);
  return found == contexts_at_.end() ? nullptr : found->second;
}

std::vector<std::string> FakeGpu::CommandsOf(CUstream stream) const {
  std::lock_guard lock(mutex_);
  std::vector<std::string> texts;
  for (const Command& command : Functions::Of(stream)->commands) texts.push_back(command.text);
  return texts;
}

bool FakeGpu::IsOrdered(CUstream stream, CUstream other) const {
  std::lock_guard lock(mutex_);
  const Stream* first = Functions::Of(stream);
  // Records behind the last command do nothing.
  size_t end = first->commands.size();
  while (end > 0 && first->commands[end - 1].text == "record") --end;
  auto seen = Functions::Of(other)->seen.find(first);
  return first == Functions::Of(other) || end == 0 ||
         (seen != Functions::Of(other)->seen.end() && seen->second >= end);
}

}  // namespace tfrt::gpu

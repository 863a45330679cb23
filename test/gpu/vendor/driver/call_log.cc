#include "call_log.h"

namespace tfrt::gpu::cuda_double {
namespace {

constexpr const char* kNames[] = {
#define TFRT_GPU_NAME(result, name, since, parameters, arguments) #name,
    TFRT_CUDA_DRIVER_FUNCTIONS(TFRT_GPU_NAME) TFRT_CUDA_DRIVER_TEST_FUNCTIONS(TFRT_GPU_NAME)
#undef TFRT_GPU_NAME
};

}  // namespace

const char* FunctionName(Function function) { return kNames[static_cast<size_t>(function)]; }

Function FindFunction(std::string_view name) {
  for (size_t i = 0; i < std::size(kNames); ++i) {
    if (name == kNames[i]) return static_cast<Function>(i);
  }
  return Function::kCount;
}

CallLog::~CallLog() {
  if (file_) std::fclose(file_);
}

bool CallLog::Open(const std::string& path) {
  file_ = std::fopen(path.c_str(), "w");
  // Whole lines, also of programs that end in an unusual way.
  if (file_) std::setvbuf(file_, nullptr, _IOLBF, 0);
  return file_ != nullptr;
}

void CallLog::Count(Function function) {
  // relaxed: numbers only.
  counts_[static_cast<size_t>(function)].fetch_add(1, std::memory_order_relaxed);
}

uint64_t CallLog::num_calls(Function function) const {
  return counts_[static_cast<size_t>(function)].load(std::memory_order_relaxed);  // as above
}

uint64_t CallLog::num_calls() const { return Sum(counts_); }

void CallLog::CountBlocking(Function function) {
  blocking_[static_cast<size_t>(function)].fetch_add(1, std::memory_order_relaxed);  // as above
}

uint64_t CallLog::num_blocking_calls(Function function) const {
  return blocking_[static_cast<size_t>(function)].load(std::memory_order_relaxed);  // as above
}

uint64_t CallLog::num_blocking_calls() const { return Sum(blocking_); }

void CallLog::ClearCounts() {
  for (Counts* counts : {&counts_, &blocking_}) {
    for (auto& count : *counts) count.store(0, std::memory_order_relaxed);  // as above
  }
  std::lock_guard lock(library_mutex_);
  library_counts_.clear();
}

void CallLog::CountLibrary(std::string_view function) {
  std::lock_guard lock(library_mutex_);
  const auto found = library_counts_.find(function);
  if (found == library_counts_.end()) {
    library_counts_.emplace(function, 1);
  } else {
    ++found->second;
  }
}

uint64_t CallLog::num_library_calls(std::string_view function) const {
  std::lock_guard lock(library_mutex_);
  const auto found = library_counts_.find(function);
  return found == library_counts_.end() ? 0 : found->second;
}

void CallLog::WriteLibrary(std::string_view function, uint32_t result) {
  std::fprintf(file_, "%llu %.*s -> %u\n", static_cast<unsigned long long>(++num_lines_),
               static_cast<int>(function.size()), function.data(), result);
}

uint64_t CallLog::Sum(const Counts& counts) {
  uint64_t sum = 0;
  for (const auto& count : counts) sum += count.load(std::memory_order_relaxed);  // as above
  return sum;
}

void CallLog::Write(Function function, std::string_view details, CUresult result) {
  std::string_view code = ResultName(result);
  std::fprintf(file_, "%llu %s%.*s -> %.*s\n", static_cast<unsigned long long>(++num_lines_),
               FunctionName(function), static_cast<int>(details.size()), details.data(),
               static_cast<int>(code.size()), code.data());
}

}  // namespace tfrt::gpu::cuda_double

#include <algorithm>
#include <charconv>
#include <map>
#include <mutex>
#include <thread>

#include "lib/base/support/logging.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt {
namespace {

using QueueOr = StatusOr<std::unique_ptr<ConcurrentWorkQueue>>;

constexpr int kDefaultBlockingThreads = 256;
constexpr int kMaxThreads = 4096;

struct FactoryTable {
  std::mutex mutex;
  std::map<std::string, WorkQueueFactory, std::less<>> factories;
};
FactoryTable& Table() {
  static FactoryTable* table = new FactoryTable;
  return *table;
}

Status CannotCreate(std::string_view config) {
  return InvalidArgumentError(StrCat("couldn't create work queue type ", config));
}

// A number of threads from 1 to kMaxThreads, or 0.
int ParseThreadCount(std::string_view text) {
  int count = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  bool valid = error == std::errc() && end == text.data() + text.size() && count >= 1 &&
               count <= kMaxThreads;
  return valid ? count : 0;
}

QueueOr MakeMultiThreaded(std::string_view config, std::string_view argument, bool has_argument) {
  int num_threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  int num_blocking_threads = kDefaultBlockingThreads;
  if (has_argument) {
    size_t comma = argument.find(',');
    num_threads = ParseThreadCount(argument.substr(0, comma));
    if (comma != std::string_view::npos) {
      num_blocking_threads = ParseThreadCount(argument.substr(comma + 1));
    }
    if (num_threads == 0 || num_blocking_threads == 0) {
      TFRT_LOG(ERROR) << "Invalid argument for multi-threaded work queue: " << argument;
      return CannotCreate(config);
    }
  }
  return CreateMultiThreadedWorkQueue(num_threads, num_blocking_threads);
}

}  // namespace

Status RegisterWorkQueueFactory(std::string_view name, WorkQueueFactory factory) {
  FactoryTable& table = Table();
  std::lock_guard lock(table.mutex);
  if (name == "s" || name == "mstd" ||
      !table.factories.try_emplace(std::string(name), std::move(factory)).second) {
    return AlreadyExistsError(StrCat("work queue type '", name, "' exists already"));
  }
  return OkStatus();
}

StatusOr<std::unique_ptr<ConcurrentWorkQueue>> CreateWorkQueue(std::string_view config) {
  size_t colon = config.find(':');
  bool has_argument = colon != std::string_view::npos;
  std::string_view name = config.substr(0, colon);
  std::string_view argument = has_argument ? config.substr(colon + 1) : "";
  if (name == "s") {
    if (!has_argument) return CreateSingleThreadedWorkQueue();
    TFRT_LOG(ERROR) << "Invalid argument for single-threaded work queue: " << argument;
    return CannotCreate(config);
  }
  if (name == "mstd") return MakeMultiThreaded(config, argument, has_argument);
  WorkQueueFactory factory;
  {
    FactoryTable& table = Table();
    std::lock_guard lock(table.mutex);
    auto found = table.factories.find(name);
    if (found == table.factories.end()) return CannotCreate(config);
    factory = found->second;
  }
  return factory(argument);
}

}  // namespace tfrt

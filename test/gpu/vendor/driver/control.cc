#include "control.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <utility>

#include "capture.h"
#include "operations.h"
#include "reports.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::cuda_double {
namespace {

// A function of several streams: each member is a command of its own, and all wait for the last.
class MeetingOperation final : public Operation {
 public:
  MeetingOperation(HostOperation work, uint64_t key, size_t num_members)
      : work_(std::move(work)), key_(key), num_members_(num_members) {}
  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_HOST; }
  std::string_view name() const override { return work_.name(); }
  void Begin(Command& command) const override { work_.Begin(command); }
  bool IsReady(const Command& command) const override;
  CUresult Execute(Command& command) const override { return work_.Execute(command); }
  void End(Command& command) const override;

 private:
  const HostOperation work_;
  const uint64_t key_;
  const size_t num_members_;
};

bool MeetingOperation::IsReady(const Command& command) const {
  Meeting& meeting = TheDriver()->meetings[key_];
  // A member that is early for the next meeting waits until the members of this one have left.
  if (!meeting.present.empty()) return meeting.present.contains(command.id);
  meeting.arrived.insert(command.id);
  if (meeting.arrived.size() < num_members_) return false;
  meeting.present.swap(meeting.arrived);
  return true;
}

void MeetingOperation::End(Command& command) const {
  work_.End(command);
  Meeting& meeting = TheDriver()->meetings[key_];
  meeting.arrived.erase(command.id);
  meeting.present.erase(command.id);
}

HostOperation MakeHostOperation(const char* name, void (*function)(void*), void* user_data,
                                const tfrtDoubleRange* ranges, size_t num_ranges) {
  std::vector<HostOperation::Range> used;
  for (size_t i = 0; i < num_ranges; ++i) {
    constexpr MarkKind kKinds[] = {MarkKind::kRead, MarkKind::kWrite, MarkKind::kReadWrite,
                                   MarkKind::kRead};
    used.push_back({ranges[i].address, ranges[i].size_bytes, kKinds[ranges[i].use & 3],
                    /*takes_unwritten=*/ranges[i].use == 3});
  }
  return HostOperation(name, [=] { function(user_data); }, std::move(used));
}

CUresult EnqueueOperation(void* stream, std::shared_ptr<const Operation> operation) {
  // Not a function of the driver: the nearest one that is stands for it in the log.
  return Enter(Function::cuLaunchHostFunc, Needs::kContext, [&](Call& call) -> CUresult {
    std::shared_ptr<Stream> found;
    TFRT_GPU_RETURN_IF_FAILED(call.GetStream(static_cast<CUstream>(stream), &found));
    return call.Submit(found, std::move(operation));
  });
}

uint64_t NumAllocations(const Driver& driver, bool of_host) {
  uint64_t count = 0;
  driver.memory.ForEach([&](const std::shared_ptr<Allocation>& allocation) {
    bool counts =
        of_host ? IsHost(allocation->kind)
                : allocation->kind == MemoryKind::kDevice || allocation->kind == MemoryKind::kPool;
    count += counts;
  });
  return count;
}

}  // namespace
}  // namespace tfrt::gpu::cuda_double

using namespace tfrt::gpu::cuda_double;  // NOLINT

extern "C" {

size_t tfrtDoubleNumReports() { return TheReports().count(); }

size_t tfrtDoubleReport(size_t index, char* text, size_t capacity) {
  std::string report = TheReports().Get(index);
  if (text && capacity > 0) {
    size_t length = std::min(report.size(), capacity - 1);
    std::memcpy(text, report.data(), length);
    text[length] = '\0';
  }
  return report.size();
}

void tfrtDoubleClearReports() { TheReports().Clear(); }

void tfrtDoubleHostAccess(const void* memory, size_t size_bytes, int writes) {
  Driver* driver = TheDriver();
  if (!driver || size_bytes == 0) return;
  std::lock_guard lock(driver->mutex);
  auto begin = reinterpret_cast<uint64_t>(memory);
  Stamp stamp = driver->HostStamp(writes ? "write by the host" : "read by the host");
  driver->checker.HostUse(stamp, begin, begin + size_bytes, writes != 0);
  // Commands that have not run yet are not in the shadow of the memory.
  std::shared_ptr<Allocation> allocation = driver->memory.Find(begin);
  if (!allocation) return;
  for (const Allocation::PendingUse& use : allocation->pending_uses) {
    using Kind = Allocation::PendingUse::Kind;
    if (use.begin >= begin + size_bytes || begin >= use.end) continue;
    // A kernel tells its bytes when it has run, and then meets what the host has done here.
    if (use.kind == Kind::kAny || (use.kind == Kind::kRead && !writes)) continue;
    driver->checker.Report(
        stamp, "unordered",
        tfrt::StrCat(writes ? "writes" : "reads", " bytes of ", allocation->Name(),
                     " that a command in flight uses; missing: a wait of the "
                     "host for that command"));
    return;
  }
}

uint64_t tfrtDoubleNumCalls(const char* function) {
  if (!function) return TheCallLog().num_calls();
  Function found = FindFunction(function);
  return found == Function::kCount ? TheCallLog().num_library_calls(function)
                                   : TheCallLog().num_calls(found);
}

uint64_t tfrtDoubleNumBlockingCalls(const char* function) {
  if (!function) return TheCallLog().num_blocking_calls();
  Function found = FindFunction(function);
  return found == Function::kCount ? 0 : TheCallLog().num_blocking_calls(found);
}

void tfrtDoubleClearCalls() { TheCallLog().ClearCounts(); }

int tfrtDoubleInject(const char* text) {
  Driver* driver = TheDriver();
  if (!driver) return 1;
  Settings settings;
  std::string wrong = ParseSettings(text, &settings);
  if (wrong.empty()) wrong = CheckFaults(settings.faults, driver->settings.num_devices);
  if (!wrong.empty()) {
    std::fprintf(stderr, "tfrt test double: tfrtDoubleInject: %s\n", wrong.c_str());
    return 1;
  }
  std::lock_guard lock(driver->mutex);
  driver->faults = std::move(settings.faults);
  for (auto& device : driver->devices) device->lost = tfrt::gpu::cuda::CUDA_SUCCESS;
  return 0;
}

uint32_t tfrtDoubleLibraryCall(const char* function) {
  TheCallLog().CountLibrary(function);
  Driver* driver = TheDriver();
  if (!driver) return 0;
  std::lock_guard lock(driver->mutex);
  uint32_t code = 0;
  // Each fault counts the calls that another one strikes.
  for (Fault& fault : driver->faults.calls) {
    if (fault.name == function && fault.Strikes()) code = static_cast<uint32_t>(fault.code);
  }
  if (TheCallLog().is_open()) TheCallLog().WriteLibrary(function, code);
  return code;
}

uint64_t tfrtDoubleLibraryVersion(const char* library, uint64_t otherwise) {
  const Driver* driver = TheDriver();
  if (!driver) return otherwise;
  const auto& versions = driver->settings.versions;
  const auto found = versions.find(std::string_view(library));
  return found == versions.end() ? otherwise : found->second;
}

uint64_t tfrtDoubleNumLive(const char* kind) {
  Driver* driver = TheDriver();
  if (!driver) return 0;
  std::lock_guard lock(driver->mutex);
  std::string_view name = kind;
  if (name == "contexts") return driver->contexts.num_live();
  if (name == "streams") return driver->streams.num_live();
  if (name == "events") return driver->events.num_live();
  if (name == "modules") return driver->modules.num_live();
  if (name == "graphs") return driver->graphs.num_live();
  if (name == "execs") return driver->execs.num_live();
  if (name == "allocations") return NumAllocations(*driver, /*of_host=*/false);
  if (name == "pinned") return NumAllocations(*driver, /*of_host=*/true);
  return UINT64_MAX;
}

void tfrtDoubleSetProfiler(const tfrtDoubleProfiler* profiler) {
  Driver* driver = TheDriver();
  if (!driver) return;
  std::lock_guard lock(driver->mutex);
  driver->profiler = profiler;
}

const char* tfrtDoubleFunctionName(uint32_t function) {
  return function < static_cast<uint32_t>(Function::kCount)
             ? FunctionName(static_cast<Function>(function))
             : nullptr;
}

void tfrtDoubleEnableActivities(int enabled) {
  Driver* driver = TheDriver();
  if (!driver) return;
  std::lock_guard lock(driver->mutex);
  driver->activities.Enable(enabled != 0);
}

size_t tfrtDoubleTakeActivities(void* buffer, size_t size_bytes) {
  Driver* driver = TheDriver();
  if (!driver) return 0;
  std::lock_guard lock(driver->mutex);
  return driver->activities.Take(static_cast<std::byte*>(buffer), size_bytes);
}

uint32_t tfrtDoubleEnqueue(void* stream, const char* name, void (*function)(void* user_data),
                           void* user_data, const tfrtDoubleRange* ranges, size_t num_ranges) {
  return EnqueueOperation(stream, std::make_shared<HostOperation>(MakeHostOperation(
                                      name, function, user_data, ranges, num_ranges)));
}

uint32_t tfrtDoubleEnqueueTogether(void* stream, const char* name, uint64_t key, size_t num_members,
                                   void (*function)(void* user_data), void* user_data,
                                   const tfrtDoubleRange* ranges, size_t num_ranges) {
  return EnqueueOperation(
      stream,
      std::make_shared<MeetingOperation>(
          MakeHostOperation(name, function, user_data, ranges, num_ranges), key, num_members));
}

void tfrtDoubleReadWritten(uint64_t address, uint64_t size_bytes, uint64_t* bits) {
  Checker& checker = TheDriver()->checker;
  if (std::shared_ptr<Allocation> allocation = checker.Find(address)) {
    checker.ReadDefined(*allocation, address, address + size_bytes, bits);
  }
}

void tfrtDoubleForgetWritten(uint64_t address, uint64_t size_bytes) {
  Checker& checker = TheDriver()->checker;
  if (std::shared_ptr<Allocation> allocation = checker.Find(address)) {
    checker.Undefine(*allocation, address, address + size_bytes);
  }
}

void* tfrtDoubleHostView(uint64_t address) {
  Driver* driver = TheDriver();
  std::shared_ptr<Allocation> allocation = driver ? driver->checker.Find(address) : nullptr;
  return allocation ? allocation->At(address) : nullptr;
}

}  // extern "C"

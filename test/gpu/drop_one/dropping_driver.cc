#include "test/gpu/drop_one/dropping_driver.h"

#include <cassert>
#include <string_view>

namespace tfrt::gpu::test {
namespace {

using namespace tfrt::gpu::cuda;  // NOLINT

// Entries of a table carry no state of their own.
DroppingDriver* current = nullptr;

CUresult WaitEvent(CUstream stream, CUevent event, unsigned flags) {
  if (current->Drops("cuStreamWaitEvent", event)) return CUDA_SUCCESS;
  return current->real().cuStreamWaitEvent(stream, event, flags);
}
CUresult Record(CUevent event, CUstream stream) {
  if (current->Drops("cuEventRecord", event)) return CUDA_SUCCESS;
  return current->real().cuEventRecord(event, stream);
}
CUresult SynchronizeStream(CUstream stream) {
  if (current->Drops("cuStreamSynchronize")) return CUDA_SUCCESS;
  return current->real().cuStreamSynchronize(stream);
}
CUresult SynchronizeEvent(CUevent event) {
  if (current->Drops("cuEventSynchronize", event)) return CUDA_SUCCESS;
  return current->real().cuEventSynchronize(event);
}
CUresult QueryEvent(CUevent event) {
  CUresult result = current->real().cuEventQuery(event);
  if (result == CUDA_SUCCESS) current->NoteUse(event);
  return result;
}
CUresult SynchronizeContext() {
  if (current->Drops("cuCtxSynchronize")) return CUDA_SUCCESS;
  return current->real().cuCtxSynchronize();
}

}  // namespace

DroppingDriver::DroppingDriver(const RawDriver& driver, int dropped)
    : real_(driver), dropped_(dropped), table_(driver) {
  assert(!current);
  current = this;
  table_.cuStreamWaitEvent = WaitEvent;
  table_.cuEventRecord = Record;
  table_.cuStreamSynchronize = SynchronizeStream;
  table_.cuEventSynchronize = SynchronizeEvent;
  table_.cuEventQuery = QueryEvent;
  table_.cuCtxSynchronize = SynchronizeContext;
}

DroppingDriver::~DroppingDriver() { current = nullptr; }

std::vector<std::string> DroppingDriver::calls() const {
  std::lock_guard lock(mutex_);
  return calls_;
}

std::set<int> DroppingDriver::used() const {
  std::lock_guard lock(mutex_);
  return used_;
}

bool DroppingDriver::Drops(const char* name, CUevent event) {
  std::lock_guard lock(mutex_);
  const int number = static_cast<int>(calls_.size());
  calls_.push_back(name);
  if (name == std::string_view("cuEventRecord")) {
    records_[event] = number;
  } else {
    used_.insert(number);
    if (auto record = records_.find(event); record != records_.end()) used_.insert(record->second);
  }
  return number == dropped_;
}

void DroppingDriver::NoteUse(CUevent event) {
  std::lock_guard lock(mutex_);
  if (auto record = records_.find(event); record != records_.end()) used_.insert(record->second);
}

}  // namespace tfrt::gpu::test

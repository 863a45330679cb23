#include "test/gpu/drop_one/dropping_driver.h"

#include <cassert>

namespace tfrt::gpu::test {
namespace {

using namespace tfrt::gpu::cuda;  // NOLINT

// Entries of a table carry no state of their own.
DroppingDriver* current = nullptr;

CUresult WaitEvent(CUstream stream, CUevent event, unsigned flags) {
  if (current->Drops("cuStreamWaitEvent")) return CUDA_SUCCESS;
  return current->real().cuStreamWaitEvent(stream, event, flags);
}
CUresult Record(CUevent event, CUstream stream) {
  if (current->Drops("cuEventRecord")) return CUDA_SUCCESS;
  return current->real().cuEventRecord(event, stream);
}
CUresult SynchronizeStream(CUstream stream) {
  if (current->Drops("cuStreamSynchronize")) return CUDA_SUCCESS;
  return current->real().cuStreamSynchronize(stream);
}
CUresult SynchronizeEvent(CUevent event) {
  if (current->Drops("cuEventSynchronize")) return CUDA_SUCCESS;
  return current->real().cuEventSynchronize(event);
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
  table_.cuCtxSynchronize = SynchronizeContext;
}

DroppingDriver::~DroppingDriver() { current = nullptr; }

bool DroppingDriver::Drops(const char* name) {
  calls_.push_back(name);
  return static_cast<int>(calls_.size()) - 1 == dropped_;
}

}  // namespace tfrt::gpu::test

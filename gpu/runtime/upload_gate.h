// UploadGate: keeps copies from the host from running too far ahead of a device.
#ifndef TFRT_GPU_RUNTIME_UPLOAD_GATE_H_
#define TFRT_GPU_RUNTIME_UPLOAD_GATE_H_

#include <cstddef>
#include <cstdint>
#include <mutex>

#include "point.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu {

class Stream;

// A block that a copy has filled and an op has read is free for the next copy only when the host
// knows that the op has run. A program that reads no result would never know, and each copy would
// take more memory. So every half of the permitted copies gets a mark, and the next half waits for
// the mark before. Costs a lock for each copy, and nothing for a launch. Thread-safe.
class UploadGate {
 public:
  // The streams of the ops and of the copies, of one context; they outlive the gate. At least two
  // copies and bytes.
  UploadGate(Stream& compute, Stream& h2d, uint32_t max_copies, size_t max_bytes)
      : compute_(compute), h2d_(h2d), max_copies_(max_copies), max_bytes_(max_bytes) {}
  UploadGate(const UploadGate&) = delete;
  UploadGate& operator=(const UploadGate&) = delete;

  // Called before the memory of a copy is allocated. The thread waits for the device while too much
  // is in flight. No task is needed for that to end. Fails with the error of the device.
  Status Admit(size_t size_bytes);

 private:
  Stream& compute_;
  Stream& h2d_;
  const uint32_t max_copies_;
  const size_t max_bytes_;

  // Guarded by mutex_, which is held during the wait: others would have to wait, too.
  std::mutex mutex_;
  uint32_t num_copies_ = 0;  // since the mark
  size_t num_bytes_ = 0;     // theirs
  Point mark_of_compute_, mark_of_h2d_;
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_UPLOAD_GATE_H_

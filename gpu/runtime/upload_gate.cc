#include "upload_gate.h"

#include "context.h"
#include "stream.h"

namespace tfrt::gpu {

Status UploadGate::Admit(size_t size_bytes) {
  std::lock_guard lock(mutex_);
  const bool fits = num_copies_ < max_copies_ / 2 && size_bytes <= max_bytes_ / 2 &&
                    num_bytes_ <= max_bytes_ / 2 - size_bytes;
  if (!fits && num_copies_ > 0) {
    Context& context = compute_.context();
    TFRT_RETURN_IF_ERROR(context.Wait(mark_of_compute_));
    TFRT_RETURN_IF_ERROR(context.Wait(mark_of_h2d_));
    mark_of_h2d_ = h2d_.tail();
    TFRT_ASSIGN_OR_RETURN(mark_of_compute_, compute_.Record());
    num_copies_ = 0;
    num_bytes_ = 0;
  }
  ++num_copies_;
  num_bytes_ += size_bytes;
  return OkStatus();
}

}  // namespace tfrt::gpu

#include "event.h"

#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {

Status Event::Record(Stream& stream) {
  if (&stream.context() != context_.get()) {
    return InvalidArgumentError(StrCat("an event of one context of ", context_->name(),
                                       " is recorded on ", stream.name(), " of another"));
  }
  TFRT_ASSIGN_OR_RETURN(Point point, stream.Record());
  std::lock_guard lock(mutex_);
  point_ = point;
  return OkStatus();
}

}  // namespace tfrt::gpu

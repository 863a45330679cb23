#include "allocation.h"

#include <sys/mman.h>

#include "context.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::cuda_double {

Allocation::~Allocation() {
  if (kind == MemoryKind::kPinned && data) munmap(data, size_bytes);
}

std::string Allocation::Name() const {
  switch (kind) {
    case MemoryKind::kPinned:
      return StrCat("pinned allocation ", id, " (", size_bytes, " bytes)");
    case MemoryKind::kRegistered:
      return StrCat("registered memory ", id, " (", size_bytes, " bytes)");
    default:
      return StrCat("allocation ", id, " (", size_bytes, " bytes of device ", device->ordinal, ")");
  }
}

}  // namespace tfrt::gpu::cuda_double

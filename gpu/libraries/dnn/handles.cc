#include "handles.h"

#include "gpu/wrapper/cudnn.h"

namespace tfrt::gpu::dnn {

StatusOr<HandleTraits::Handle> HandleTraits::Create(Context&) {
  TFRT_ASSIGN_OR_RETURN(const cudnn::Library* library, cudnn::Library::Get());
  Handle handle = nullptr;
  TFRT_RETURN_IF_ERROR(
      cudnn::StatusOf(library->table(), library->table().cudnnCreate(&handle), "cudnnCreate"));
  return handle;
}

void HandleTraits::Destroy(Context&, Handle handle) {
  const StatusOr<const cudnn::Library*> library = cudnn::Library::Get();
  if (library.ok()) (void)(*library)->table().cudnnDestroy(handle);
}

}  // namespace tfrt::gpu::dnn

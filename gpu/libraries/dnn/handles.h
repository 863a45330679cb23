// The handles of cuDNN in one context.
#ifndef TFRT_GPU_LIBRARIES_DNN_HANDLES_H_
#define TFRT_GPU_LIBRARIES_DNN_HANDLES_H_

#include "gpu/abi/cudnn_types.h"
#include "gpu/libraries/handle_pool.h"
#include "gpu/runtime/context.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu::dnn {

struct HandleTraits {
  using Handle = cudnn::cudnnHandle_t;
  // Opens the library. Fails with its error, or that of cudnn::Library::Get.
  static StatusOr<Handle> Create(Context& context);
  static void Destroy(Context& context, Handle handle);
};

// Take a handle before a stream's call, and set its stream in the call.
using Handles = HandlePool<HandleTraits>;

}  // namespace tfrt::gpu::dnn

#endif  // TFRT_GPU_LIBRARIES_DNN_HANDLES_H_

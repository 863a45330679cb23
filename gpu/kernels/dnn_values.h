// The values of `tfrt_gpu.dnn` programs.
#ifndef TFRT_GPU_KERNELS_DNN_VALUES_H_
#define TFRT_GPU_KERNELS_DNN_VALUES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "cuda_value.h"
#include "gpu/abi/cudnn_table.h"
#include "gpu/runtime/context.h"
#include "gpu/wrapper/cudnn.h"
#include "lib/format/op_table/gpu_enums.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu {

// Returns the library. If it is missing, the error has the name that programs expect.
StatusOr<const cudnn::Library*> DnnLibrary();

// Returns the type in which convolutions keep their sums. The variable
// TF_FP16_CONV_USE_FP32_COMPUTE of the environment decides for HALF.
StatusOr<cudnn::cudnnDataType_t> DnnSumType(cudnn::cudnnDataType_t compute_type);
// Returns the bytes of a number or, for the types with vectors, of a vector.
uint64_t DnnUnitBytes(cudnn::cudnnDataType_t type);

// Owns a descriptor of the library, of which `create` and `destroy` are members of its table.
// Immutable once it has been set: any threads may use it.
template <typename H, auto create, auto destroy>
class DnnDescriptor {
 public:
  // `what` names `create` in messages.
  static StatusOr<DnnDescriptor> Create(const cudnn::Library& library, std::string_view what) {
    H handle = nullptr;
    TFRT_RETURN_IF_ERROR(
        cudnn::StatusOf(library.table(), (library.table().*create)(&handle), what));
    return DnnDescriptor(&library, handle);
  }
  DnnDescriptor(DnnDescriptor&& other) noexcept
      : library_(other.library_), handle_(std::exchange(other.handle_, nullptr)) {}
  DnnDescriptor& operator=(DnnDescriptor&& other) noexcept {
    std::swap(library_, other.library_);
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~DnnDescriptor() {
    if (handle_) (void)(library_->table().*destroy)(handle_);
  }
  H get() const { return handle_; }

 private:
  DnnDescriptor(const cudnn::Library* library, H handle) : library_(library), handle_(handle) {}

  const cudnn::Library* library_;
  H handle_;
};

// `!tfrt_gpu.dnn.handle`: of any stream of the context. The library's handles are leased by each
// call.
struct DnnHandleValue {
  static constexpr std::string_view kProgramTypeName = "dnn handle";
  RCReference<Context> context;
};

// `!tfrt_gpu.dnn.tensor.descriptor`, ...
struct DnnTensorValue {
  static constexpr std::string_view kProgramTypeName = "dnn tensor descriptor";
  DnnDescriptor<cudnn::cudnnTensorDescriptor_t, &cudnn::Table::cudnnCreateTensorDescriptor,
                &cudnn::Table::cudnnDestroyTensorDescriptor>
      descriptor;
  cudnn::cudnnDataType_t type;
  uint64_t size_bytes;  // from the first byte to the last
};
struct DnnFilterValue {
  static constexpr std::string_view kProgramTypeName = "dnn filter descriptor";
  DnnDescriptor<cudnn::cudnnFilterDescriptor_t, &cudnn::Table::cudnnCreateFilterDescriptor,
                &cudnn::Table::cudnnDestroyFilterDescriptor>
      descriptor;
  uint64_t size_bytes;
};
struct DnnConvolutionValue {
  static constexpr std::string_view kProgramTypeName = "dnn convolution descriptor";
  DnnDescriptor<cudnn::cudnnConvolutionDescriptor_t,
                &cudnn::Table::cudnnCreateConvolutionDescriptor,
                &cudnn::Table::cudnnDestroyConvolutionDescriptor>
      descriptor;
};
struct DnnPoolingValue {
  static constexpr std::string_view kProgramTypeName = "dnn pooling descriptor";
  DnnDescriptor<cudnn::cudnnPoolingDescriptor_t, &cudnn::Table::cudnnCreatePoolingDescriptor,
                &cudnn::Table::cudnnDestroyPoolingDescriptor>
      descriptor;
};
struct DnnActivationValue {
  static constexpr std::string_view kProgramTypeName = "dnn activation descriptor";
  DnnDescriptor<cudnn::cudnnActivationDescriptor_t, &cudnn::Table::cudnnCreateActivationDescriptor,
                &cudnn::Table::cudnnDestroyActivationDescriptor>
      descriptor;
};

// `!tfrt_gpu.dnn.convolution.algorithm`: the attribute's value, of any direction.
struct DnnAlgorithmValue {
  static constexpr std::string_view kProgramTypeName = "dnn convolution algorithm";
  uint64_t value = 0;
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_KERNELS_DNN_VALUES_H_

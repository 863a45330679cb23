// Kernels of cuDNN that compute what descriptors say: pooling and convolutions.

#include <cstdint>
#include <string_view>

#include "dnn_call.h"
#include "dnn_values.h"
#include "gpu/runtime/block_cache.h"
#include "kernel_groups.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/half.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace {

using namespace cudnn;  // NOLINT: the vendor's names

// The library takes the bytes that descriptors describe, whatever the buffers hold.
Status CheckBuffer(std::string_view what, const GpuBuffer::Use& use, uint64_t size_bytes) {
  if (use->size_bytes >= size_bytes) return OkStatus();
  return InvalidArgumentError(StrCat("buffer size (", use->size_bytes, ") of ", what,
                                     " is smaller than its tensor (", size_bytes, ")"));
}

// Programs describe more than their buffers hold, and look at the first elements alone. A whole
// buffer has a block of the allocator, in which that harms nobody.
Status CheckPooledBuffer(std::string_view what, const GpuBuffer::Use& use, uint64_t size_bytes) {
  const bool has_block = use->memory && use->memory->kind() == MemoryKind::kDevice &&
                         use->address == use->memory->address() &&
                         use->size_bytes == use->memory->size_bytes();
  if (has_block && size_bytes <= SizeClass::kMinBytes) return OkStatus();
  return CheckBuffer(what, use, size_bytes);
}

StatusOr<Chain> PoolingForward(const DnnHandleValue& handle, const RCReference<Stream>& stream,
                               const DnnPoolingValue& pooling, float alpha,
                               const DnnTensorValue& x_desc, const GpuBuffer& x, float beta,
                               const DnnTensorValue& y_desc, const GpuBuffer& y, Argument<Chain>,
                               const ExecutionContext& exec_ctx) {
  const GpuBuffer::Use x_use(x), y_use(y);
  TFRT_RETURN_IF_ERROR(CheckPooledBuffer("x", x_use, x_desc.size_bytes));
  TFRT_RETURN_IF_ERROR(CheckPooledBuffer("y", y_use, y_desc.size_bytes));
  // The library reads doubles for tensors of doubles.
  const double factors[] = {alpha, beta};
  const bool is_double = x_desc.type == CUDNN_DATA_DOUBLE;
  return CallDnn("tfrt_gpu.dnn.pooling_forward", "cudnnPoolingForward", handle, *stream,
                 {&x_use, &y_use}, exec_ctx, [&](const Table& table, cudnnHandle_t leased) {
                   return table.cudnnPoolingForward(
                       leased, pooling.descriptor.get(),
                       is_double ? static_cast<const void*>(&factors[0]) : &alpha,
                       x_desc.descriptor.get(), DnnAddress(x_use),
                       is_double ? static_cast<const void*>(&factors[1]) : &beta,
                       y_desc.descriptor.get(), DnnAddress(y_use));
                 });
}

StatusOr<Chain> PoolingBackward(const DnnHandleValue& handle, const RCReference<Stream>& stream,
                                const DnnPoolingValue& pooling, float alpha,
                                const DnnTensorValue& y_desc, const GpuBuffer& y,
                                const DnnTensorValue& dy_desc, const GpuBuffer& dy,
                                const DnnTensorValue& x_desc, const GpuBuffer& x, float beta,
                                const DnnTensorValue& dx_desc, const GpuBuffer& dx, Argument<Chain>,
                                const ExecutionContext& exec_ctx) {
  const GpuBuffer::Use y_use(y), dy_use(dy), x_use(x), dx_use(dx);
  TFRT_RETURN_IF_ERROR(CheckPooledBuffer("y", y_use, y_desc.size_bytes));
  TFRT_RETURN_IF_ERROR(CheckPooledBuffer("dy", dy_use, dy_desc.size_bytes));
  TFRT_RETURN_IF_ERROR(CheckPooledBuffer("x", x_use, x_desc.size_bytes));
  TFRT_RETURN_IF_ERROR(CheckPooledBuffer("dx", dx_use, dx_desc.size_bytes));
  const double factors[] = {alpha, beta};
  const bool is_double = x_desc.type == CUDNN_DATA_DOUBLE;
  return CallDnn("tfrt_gpu.dnn.pooling_backward", "cudnnPoolingBackward", handle, *stream,
                 {&y_use, &dy_use, &x_use, &dx_use}, exec_ctx,
                 [&](const Table& table, cudnnHandle_t leased) {
                   return table.cudnnPoolingBackward(
                       leased, pooling.descriptor.get(),
                       is_double ? static_cast<const void*>(&factors[0]) : &alpha,
                       y_desc.descriptor.get(), DnnAddress(y_use), dy_desc.descriptor.get(),
                       DnnAddress(dy_use), x_desc.descriptor.get(), DnnAddress(x_use),
                       is_double ? static_cast<const void*>(&factors[1]) : &beta,
                       dx_desc.descriptor.get(), DnnAddress(dx_use));
                 });
}

// The factors of a convolution in the type that the library reads.
class Factors {
 public:
  static StatusOr<Factors> Create(int32_t scale_type, double alpha, double beta) {
    TFRT_ASSIGN_OR_RETURN(auto type, CudaValue<cudnnDataType_t>(GpuEnum::kDnnDataType, scale_type));
    return Factors(type == CUDNN_DATA_DOUBLE, alpha, beta);
  }
  const void* alpha() const {
    return is_double_ ? static_cast<const void*>(&doubles_[0]) : &floats_[0];
  }
  const void* beta() const {
    return is_double_ ? static_cast<const void*>(&doubles_[1]) : &floats_[1];
  }

 private:
  Factors(bool is_double, double alpha, double beta)
      : is_double_(is_double),
        doubles_{alpha, beta},
        floats_{static_cast<float>(alpha), static_cast<float>(beta)} {}

  bool is_double_;
  double doubles_[2];
  float floats_[2];
};

template <typename T>
StatusOr<T> AlgorithmOf(GpuEnum which, const DnnAlgorithmValue& algorithm) {
  return CudaValue<T>(which, static_cast<int64_t>(algorithm.value));
}

StatusOr<Chain> ConvolutionForward(const DnnHandleValue& handle, const RCReference<Stream>& stream,
                                   const DnnTensorValue& x_desc, const GpuBuffer& x,
                                   const DnnFilterValue& w_desc, const GpuBuffer& w,
                                   const DnnConvolutionValue& conv, const DnnAlgorithmValue& algo,
                                   const GpuBuffer& workspace, const DnnTensorValue& y_desc,
                                   const GpuBuffer& y, Argument<Chain>,
                                   Attribute<int32_t> scale_type,
                                   const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(const Factors factors, Factors::Create(*scale_type, 1, 0));
  // Programs may give an algorithm of another direction: it is a number.
  TFRT_ASSIGN_OR_RETURN(auto algorithm,
                        AlgorithmOf<cudnnConvolutionFwdAlgo_t>(GpuEnum::kDnnConvFwdAlgo, algo));
  const GpuBuffer::Use x_use(x), w_use(w), workspace_use(workspace), y_use(y);
  TFRT_RETURN_IF_ERROR(CheckBuffer("x", x_use, x_desc.size_bytes));
  TFRT_RETURN_IF_ERROR(CheckBuffer("w", w_use, w_desc.size_bytes));
  TFRT_RETURN_IF_ERROR(CheckBuffer("y", y_use, y_desc.size_bytes));
  return CallDnn("tfrt_gpu.dnn.convolution_forward", "cudnnConvolutionForward", handle, *stream,
                 {&x_use, &w_use, &workspace_use, &y_use}, exec_ctx,
                 [&](const Table& table, cudnnHandle_t leased) {
                   return table.cudnnConvolutionForward(
                       leased, factors.alpha(), x_desc.descriptor.get(), DnnAddress(x_use),
                       w_desc.descriptor.get(), DnnAddress(w_use), conv.descriptor.get(), algorithm,
                       DnnAddress(workspace_use), workspace_use->size_bytes, factors.beta(),
                       y_desc.descriptor.get(), DnnAddress(y_use));
                 });
}

StatusOr<Chain> ConvolutionBackwardData(
    const DnnHandleValue& handle, const RCReference<Stream>& stream, const DnnFilterValue& w_desc,
    const GpuBuffer& w, const DnnTensorValue& dy_desc, const GpuBuffer& dy,
    const DnnConvolutionValue& conv, const DnnAlgorithmValue& algo, const GpuBuffer& workspace,
    const DnnTensorValue& dx_desc, const GpuBuffer& dx, Argument<Chain>,
    Attribute<int32_t> scale_type, const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(const Factors factors, Factors::Create(*scale_type, 1, 0));
  TFRT_ASSIGN_OR_RETURN(auto algorithm, AlgorithmOf<cudnnConvolutionBwdDataAlgo_t>(
                                            GpuEnum::kDnnConvBwdDataAlgo, algo));
  const GpuBuffer::Use w_use(w), dy_use(dy), workspace_use(workspace), dx_use(dx);
  TFRT_RETURN_IF_ERROR(CheckBuffer("w", w_use, w_desc.size_bytes));
  TFRT_RETURN_IF_ERROR(CheckBuffer("dy", dy_use, dy_desc.size_bytes));
  TFRT_RETURN_IF_ERROR(CheckBuffer("dx", dx_use, dx_desc.size_bytes));
  return CallDnn("tfrt_gpu.dnn.convolution_backward_data", "cudnnConvolutionBackwardData", handle,
                 *stream, {&w_use, &dy_use, &workspace_use, &dx_use}, exec_ctx,
                 [&](const Table& table, cudnnHandle_t leased) {
                   return table.cudnnConvolutionBackwardData(
                       leased, factors.alpha(), w_desc.descriptor.get(), DnnAddress(w_use),
                       dy_desc.descriptor.get(), DnnAddress(dy_use), conv.descriptor.get(),
                       algorithm, DnnAddress(workspace_use), workspace_use->size_bytes,
                       factors.beta(), dx_desc.descriptor.get(), DnnAddress(dx_use));
                 });
}

StatusOr<Chain> ConvolutionBackwardFilter(
    const DnnHandleValue& handle, const RCReference<Stream>& stream, const DnnTensorValue& x_desc,
    const GpuBuffer& x, const DnnTensorValue& dy_desc, const GpuBuffer& dy,
    const DnnConvolutionValue& conv, const DnnAlgorithmValue& algo, const GpuBuffer& workspace,
    const DnnFilterValue& dw_desc, const GpuBuffer& dw, Argument<Chain>,
    Attribute<int32_t> scale_type, const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(const Factors factors, Factors::Create(*scale_type, 1, 0));
  TFRT_ASSIGN_OR_RETURN(auto algorithm, AlgorithmOf<cudnnConvolutionBwdFilterAlgo_t>(
                                            GpuEnum::kDnnConvBwdFilterAlgo, algo));
  const GpuBuffer::Use x_use(x), dy_use(dy), workspace_use(workspace), dw_use(dw);
  TFRT_RETURN_IF_ERROR(CheckBuffer("x", x_use, x_desc.size_bytes));
  TFRT_RETURN_IF_ERROR(CheckBuffer("dy", dy_use, dy_desc.size_bytes));
  TFRT_RETURN_IF_ERROR(CheckBuffer("dw", dw_use, dw_desc.size_bytes));
  return CallDnn("tfrt_gpu.dnn.convolution_backward_filter", "cudnnConvolutionBackwardFilter",
                 handle, *stream, {&x_use, &dy_use, &workspace_use, &dw_use}, exec_ctx,
                 [&](const Table& table, cudnnHandle_t leased) {
                   return table.cudnnConvolutionBackwardFilter(
                       leased, factors.alpha(), x_desc.descriptor.get(), DnnAddress(x_use),
                       dy_desc.descriptor.get(), DnnAddress(dy_use), conv.descriptor.get(),
                       algorithm, DnnAddress(workspace_use), workspace_use->size_bytes,
                       factors.beta(), dw_desc.descriptor.get(), DnnAddress(dw_use));
                 });
}

// A factor of a program, of any of the types that the dialect gives it.
StatusOr<double> NumberOf(AsyncValue* value) {
  if (value->type_id() == GetTypeId<float>()) return value->get<float>();
  if (value->type_id() == GetTypeId<double>()) return value->get<double>();
  if (value->type_id() == GetTypeId<Fp16>()) return static_cast<float>(value->get<Fp16>());
  return InvalidArgumentError("a factor of a convolution is f16, f32 or f64");
}

StatusOr<Chain> ConvolutionBiasActivationForward(
    const DnnHandleValue& handle, const RCReference<Stream>& stream, AsyncValue* alpha1,
    const DnnTensorValue& x_desc, const GpuBuffer& x, const DnnFilterValue& w_desc,
    const GpuBuffer& w, const DnnConvolutionValue& conv, const DnnAlgorithmValue& algo,
    const GpuBuffer& workspace, AsyncValue* alpha2, const DnnTensorValue& z_desc,
    const GpuBuffer& z, const DnnTensorValue& bias_desc, const GpuBuffer& bias,
    const DnnActivationValue& activation, const DnnTensorValue& y_desc, const GpuBuffer& y,
    Argument<Chain>, Attribute<int32_t> scale_type, const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(const double alpha, NumberOf(alpha1));
  TFRT_ASSIGN_OR_RETURN(const double beta, NumberOf(alpha2));
  TFRT_ASSIGN_OR_RETURN(const Factors factors, Factors::Create(*scale_type, alpha, beta));
  TFRT_ASSIGN_OR_RETURN(auto algorithm,
                        AlgorithmOf<cudnnConvolutionFwdAlgo_t>(GpuEnum::kDnnConvFwdAlgo, algo));
  const GpuBuffer::Use x_use(x), w_use(w), workspace_use(workspace), z_use(z), bias_use(bias),
      y_use(y);
  TFRT_RETURN_IF_ERROR(CheckBuffer("x", x_use, x_desc.size_bytes));
  TFRT_RETURN_IF_ERROR(CheckBuffer("w", w_use, w_desc.size_bytes));
  TFRT_RETURN_IF_ERROR(CheckBuffer("z", z_use, z_desc.size_bytes));
  TFRT_RETURN_IF_ERROR(CheckBuffer("bias", bias_use, bias_desc.size_bytes));
  TFRT_RETURN_IF_ERROR(CheckBuffer("y", y_use, y_desc.size_bytes));
  return CallDnn("tfrt_gpu.dnn.convolution_bias_activation_forward",
                 "cudnnConvolutionBiasActivationForward", handle, *stream,
                 {&x_use, &w_use, &workspace_use, &z_use, &bias_use, &y_use}, exec_ctx,
                 [&](const Table& table, cudnnHandle_t leased) {
                   return table.cudnnConvolutionBiasActivationForward(
                       leased, factors.alpha(), x_desc.descriptor.get(), DnnAddress(x_use),
                       w_desc.descriptor.get(), DnnAddress(w_use), conv.descriptor.get(), algorithm,
                       DnnAddress(workspace_use), workspace_use->size_bytes, factors.beta(),
                       z_desc.descriptor.get(), DnnAddress(z_use), bias_desc.descriptor.get(),
                       DnnAddress(bias_use), activation.descriptor.get(), y_desc.descriptor.get(),
                       DnnAddress(y_use));
                 });
}

}  // namespace

void RegisterDnnKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_gpu.dnn.pooling_forward", TFRT_KERNEL(PoolingForward));
  registry->AddKernel("tfrt_gpu.dnn.pooling_backward", TFRT_KERNEL(PoolingBackward));
  registry->AddKernel("tfrt_gpu.dnn.convolution_forward", TFRT_KERNEL(ConvolutionForward));
  registry->AddKernel("tfrt_gpu.dnn.convolution_backward_data",
                      TFRT_KERNEL(ConvolutionBackwardData));
  registry->AddKernel("tfrt_gpu.dnn.convolution_backward_filter",
                      TFRT_KERNEL(ConvolutionBackwardFilter));
  registry->AddKernel("tfrt_gpu.dnn.convolution_bias_activation_forward",
                      TFRT_KERNEL(ConvolutionBiasActivationForward));
}

}  // namespace tfrt::gpu

#include "byte_contractions.h"

#include <cstdlib>
#include <memory>
#include <utility>

#include "lib/ops/maths/contraction/byte_kernels.h"
#include "lib/ops/maths/contraction/quantized_products.h"
#include "tfrt/host_context/execution_context.h"

namespace tfrt::bench {
namespace {

struct Call {
  explicit Call(HostContext* host)
      : host(host), exec_ctx(RequestContextBuilder(host, nullptr).Build()) {}

  template <typename T>
  std::unique_ptr<DenseHostTensor> Tensor(TensorShape shape, T step) {
    auto tensor =
        DenseHostTensor::CreateUninitialized({DTypeOf<T>(), std::move(shape)}, host->allocator());
    if (!tensor.ok()) std::abort();
    auto* data = static_cast<T*>(*tensor->MutableData());
    for (int64_t i = 0; i < tensor->num_elements(); ++i) data[i] = static_cast<T>(i % 113) * step;
    return std::make_unique<DenseHostTensor>(*std::move(tensor));
  }
  void Finish(maths::Completion done) const {
    if (!done.ok()) std::abort();
    AsyncValue* awaited[] = {done->GetAsyncValue()};
    host->Await(awaited);
  }
  void SetNumbers(int64_t columns) {
    one = Tensor<float>({}, 1);
    *static_cast<float*>(*one->MutableData()) = 0.01f;
    zero = Tensor<uint8_t>({}, 1);
    scales = Tensor<float>({columns}, 0.001f);
    for (int64_t i = 0; i < columns; ++i) static_cast<float*>(*scales->MutableData())[i] = 0.02f;
    bias = Tensor<float>({columns}, 0.1f);
    numbers = {.a_scale = one.get(),
               .b_scale = scales.get(),
               .a_zero = zero.get(),
               .bias = bias.get(),
               .out_scale = one.get(),
               .out_zero = zero.get(),
               .activation = {maths::Activation::kRelu}};
  }
  void SetWeights(StatusOr<RCReference<AsyncValue>> packed, const DenseHostTensor& plain) {
    if (!packed.ok()) std::abort();
    weights = *std::move(packed);
    b = *maths::ByteOperandOf(weights ? weights->get<tfrt::Tensor>()
                                      : static_cast<const tfrt::Tensor&>(plain));
  }

  HostContext* host;
  ExecutionContext exec_ctx;
  std::unique_ptr<DenseHostTensor> a, plain, out, one, zero, scales, bias;
  RCReference<AsyncValue> weights;
  maths::ByteOperand b;
  maths::QuantizedNumbers numbers;
};

}  // namespace

std::function<void()> BytesOf(HostContext* host, const MatMulShape& s) {
  auto call = std::make_shared<Call>(host);
  call->a = call->Tensor<uint8_t>({s.m, s.k}, 1);
  call->plain = call->Tensor<int8_t>({s.k, s.n}, 1);
  call->out = call->Tensor<uint8_t>({s.m, s.n}, 1);
  call->SetNumbers(s.n);
  call->SetWeights(maths::PackByteMatrix(*call->plain, false), *call->plain);
  return [call] {
    call->Finish(maths::QuantizedMatMul(*call->a, call->b, false, call->numbers, *call->out,
                                        call->exec_ctx));
  };
}

std::function<void()> DynamicBytesOf(HostContext* host, const MatMulShape& s) {
  auto call = std::make_shared<Call>(host);
  call->a = call->Tensor<float>({s.m, s.k}, 0.01f);
  call->plain = call->Tensor<int8_t>({s.k, s.n}, 1);
  call->out = call->Tensor<float>({s.m, s.n}, 1);
  call->SetNumbers(s.n);
  call->numbers = {.b_scale = call->scales.get(), .bias = call->bias.get()};
  call->SetWeights(maths::PackByteMatrix(*call->plain, false), *call->plain);
  return [call] {
    call->Finish(maths::DynamicQuantizedMatMul(*call->a, call->b, false, call->numbers, *call->out,
                                               call->exec_ctx));
  };
}

std::function<void()> BytesOf(HostContext* host, const ConvolutionShape& s) {
  auto call = std::make_shared<Call>(host);
  call->a = call->Tensor<uint8_t>({1, s.size, s.size, s.in_channels}, 1);
  call->plain = call->Tensor<int8_t>({s.filter, s.filter, s.in_channels, s.out_channels}, 1);
  call->out = call->Tensor<uint8_t>({1, s.out_size(), s.out_size(), s.out_channels}, 1);
  call->SetNumbers(s.out_channels);
  call->SetWeights(maths::PackByteFilter(*call->plain, 1, true), *call->plain);
  return [call, s] {
    const int64_t pads[] = {s.padding, s.padding, s.padding, s.padding};
    const int64_t strides[] = {s.stride, s.stride};
    call->Finish(maths::QuantizedConv(*call->a, call->b, 1,
                                      {.channels_last = true, .pads = pads, .strides = strides},
                                      call->numbers, *call->out, call->exec_ctx));
  };
}

std::string_view ByteKernelName() { return contraction::BestByteKernel().name; }

}  // namespace tfrt::bench

// Softmax and normalisation.

#include <algorithm>

#include "lib/ops/maths/cpu/channel_norm.h"
#include "lib/ops/maths/cpu/scan.h"
#include "lib/ops/maths/normalization.h"
#include "lib/ops/op_call/number_dispatch.h"
#include "op_groups.h"
#include "op_output.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/support/str_cat.h"
#include "unsupported_dtype.h"

namespace tfrt {
namespace {

// A tensor as rows along its last dimension. None if there are no elements.
struct Rows {
  explicit Rows(const DenseHostTensor& in) {
    if (in.num_elements() == 0) return;
    columns = in.shape().dim(in.shape().rank() - 1);
    count = static_cast<size_t>(in.num_elements() / columns);
  }
  int64_t columns = 1;
  size_t count = 0;
};

template <bool log>
Status Softmax(const DenseHostTensor& in, const TensorMetadata& result, OpCall& call) {
  return ForFloat(call, in.dtype(), [&]<typename T>(std::type_identity<T>) -> Status {
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.AllocateOrReuse(result));
    maths::Completion done = log ? maths::LogSoftmax<T>(in, out, call.exec_ctx())
                                 : maths::Softmax<T>(in, out, call.exec_ctx());
    return SetResultAfter(call, 0, std::move(out), std::move(done));
  });
}

Status Hardmax(const DenseHostTensor& in, const TensorMetadata& result, OpCall& call) {
  return ForFloat(call, in.dtype(), [&]<typename T>(std::type_identity<T>) -> Status {
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
    const Rows rows(in);
    auto* x = static_cast<const T*>(in.data());
    T* y = WritableData<T>(out);
    ComputeResult(
        call, rows.count, 8 * static_cast<size_t>(rows.columns), {&in}, std::move(out),
        [=](size_t begin, size_t end) { cpu::HardmaxRows(rows.columns, x, y, begin, end); });
    return OkStatus();
  });
}

float EpsilonOf(const OpAttrsRef& attrs) { return attrs.Get<float>("epsilon").value_or(1e-5f); }

Status LayerNorm(const DenseHostTensor& x, const DenseHostTensor& scale,
                 const DenseHostTensor& offset, const TensorMetadata& result,
                 const OpAttrsRef& attrs, OpCall& call) {
  return ForFloat(call, x.dtype(), [&]<typename T>(std::type_identity<T>) -> Status {
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.AllocateOrReuse(result));
    const Rows rows(x);
    const float epsilon = EpsilonOf(attrs);
    auto *in = static_cast<const T*>(x.data()), *scales = static_cast<const T*>(scale.data());
    auto* offsets = static_cast<const T*>(offset.data());
    T* y = WritableData<T>(out);
    ComputeResult(call, rows.count, 12 * static_cast<size_t>(rows.columns), {&x, &scale, &offset},
                  std::move(out), [=](size_t begin, size_t end) {
                    cpu::LayerNormRowsOf(rows.columns, scales, offsets, epsilon, in, y, begin, end);
                  });
    return OkStatus();
  });
}

Status RmsNorm(const DenseHostTensor& x, const DenseHostTensor& scale, const TensorMetadata& result,
               const OpAttrsRef& attrs, OpCall& call) {
  return ForFloat(call, x.dtype(), [&]<typename T>(std::type_identity<T>) -> Status {
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.AllocateOrReuse(result));
    const Rows rows(x);
    const float epsilon = EpsilonOf(attrs);
    auto *in = static_cast<const T*>(x.data()), *scales = static_cast<const T*>(scale.data());
    T* y = WritableData<T>(out);
    ComputeResult(call, rows.count, 8 * static_cast<size_t>(rows.columns), {&x, &scale},
                  std::move(out), [=](size_t begin, size_t end) {
                    cpu::RmsNormRows(rows.columns, scales, epsilon, in, y, begin, end);
                  });
    return OkStatus();
  });
}

// A tensor of rank 2 or more as images.
cpu::ChannelLayout ChannelLayoutOf(const DenseHostTensor& x, const OpAttrsRef& attrs) {
  cpu::ChannelLayout layout;
  layout.channels_last = attrs.Get<bool>("channels_last").value_or(false);
  const size_t rank = x.shape().rank(), channel = layout.channels_last ? rank - 1 : 1;
  layout.channels = x.shape().dim(channel);
  layout.places = 1;
  for (size_t i = 1; i < rank; ++i) {
    if (i != channel) layout.places *= x.shape().dim(i);
  }
  return layout;
}

// The shape function has checked that the groups divide the channels.
template <bool each_channel>
Status GroupNorm(const DenseHostTensor& x, const DenseHostTensor& scale,
                 const DenseHostTensor& offset, const TensorMetadata& result,
                 const OpAttrsRef& attrs, OpCall& call) {
  return ForFloat(call, x.dtype(), [&]<typename T>(std::type_identity<T>) -> Status {
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.AllocateOrReuse(result));
    const cpu::ChannelLayout layout = ChannelLayoutOf(x, attrs);
    const int64_t groups = each_channel ? layout.channels : *attrs.Get<int64_t>("groups");
    const float epsilon = EpsilonOf(attrs);
    auto *in = static_cast<const T*>(x.data()), *scales = static_cast<const T*>(scale.data());
    auto* offsets = static_cast<const T*>(offset.data());
    T* y = WritableData<T>(out);
    const int64_t count = x.num_elements() == 0 ? 0 : x.shape().dim(0) * groups;
    const auto size = static_cast<size_t>(count == 0 ? 1 : x.num_elements() / count);
    ComputeResult(call, static_cast<size_t>(count), 12 * size, {&x, &scale, &offset},
                  std::move(out), [=](size_t begin, size_t end) {
                    cpu::GroupNorm(layout, groups, scales, offsets, epsilon, in, y, begin, end);
                  });
    return OkStatus();
  });
}

Status Lrn(const DenseHostTensor& x, const TensorMetadata& result, const OpAttrsRef& attrs,
           OpCall& call) {
  if (x.shape().rank() < 2) {
    return InvalidArgumentError(StrCat(call.op_name(), ": the input has the shape ",
                                       x.shape().ToString(), ", which has no channels"));
  }
  const cpu::LocalResponse response{*attrs.Get<int64_t>("size"), *attrs.Get<float>("alpha"),
                                    *attrs.Get<float>("beta"), *attrs.Get<float>("bias")};
  if (response.size < 1) {
    return InvalidArgumentError(
        StrCat(call.op_name(), ": the sum is over ", response.size, " channels"));
  }
  return ForFloat(call, x.dtype(), [&]<typename T>(std::type_identity<T>) -> Status {
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
    const cpu::ChannelLayout layout = ChannelLayoutOf(x, attrs);
    auto* in = static_cast<const T*>(x.data());
    T* y = WritableData<T>(out);
    const auto images = static_cast<size_t>(x.num_elements() == 0 ? 0 : x.shape().dim(0));
    ComputeResult(call, images, 64 * static_cast<size_t>(layout.channels * layout.places), {&x},
                  std::move(out), [=](size_t begin, size_t end) {
                    cpu::LocalResponseNorm(layout, response, in, y, begin, end);
                  });
    return OkStatus();
  });
}

}  // namespace

void RegisterNormalizationOps(OpRegistry* registry) {
  registry->Implement("graph.softmax", {.function = TFRT_OP(Softmax<false>)});
  registry->Implement("graph.log_softmax", {.function = TFRT_OP(Softmax<true>)});
  registry->Implement("graph.hardmax", {.function = TFRT_OP(Hardmax)});
  registry->Implement("graph.layer_norm", {.function = TFRT_OP(LayerNorm)});
  registry->Implement("graph.rms_norm", {.function = TFRT_OP(RmsNorm)});
  registry->Implement("graph.instance_norm", {.function = TFRT_OP(GroupNorm<true>)});
  registry->Implement("graph.group_norm", {.function = TFRT_OP(GroupNorm<false>)});
  registry->Implement("graph.lrn", {.function = TFRT_OP(Lrn)});
}

}  // namespace tfrt

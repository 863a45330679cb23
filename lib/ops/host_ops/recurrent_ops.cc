// Recurrent layers.

#include <string_view>
#include <vector>

#include "lib/ops/maths/contraction/recurrent.h"
#include "op_groups.h"
#include "op_output.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

using DenseArgument = OptionalOpArgument<DenseHostTensor>;

std::vector<std::string_view> StringsOf(const OpAttrsRef& attrs, std::string_view name) {
  std::vector<std::string_view> strings;
  auto aggregate = attrs.GetAggregate(name);
  for (size_t i = 0; aggregate && i < aggregate->size(); ++i) {
    strings.push_back(aggregate->element_code(i) == StringAttribute::kCode
                          ? StringAttribute(aggregate->element_data(i)).get()
                          : std::string_view());
  }
  return strings;
}

StatusOr<maths::RecurrentOptions> RecurrentOptionsOf(maths::RecurrentKind kind,
                                                     const OpAttrsRef& attrs) {
  const std::string_view direction = attrs.GetString("direction").value_or("forward");
  maths::RecurrentOptions options{
      .kind = kind,
      .forward = direction != "reverse",
      .backward = direction != "forward",
      .batch_first = attrs.Get<bool>("batch_first").value_or(false),
      .input_forget = attrs.Get<bool>("input_forget").value_or(false),
      .linear_before_reset = attrs.Get<bool>("linear_before_reset").value_or(false),
      .clip = attrs.Get<float>("clip").value_or(0)};
  auto numbers = [&](std::string_view name) {
    return attrs.GetArray<float>(name).value_or(std::span<const float>());
  };
  TFRT_RETURN_IF_ERROR(options.SetFunctions(
      StringsOf(attrs, "activations"), numbers("activation_alpha"), numbers("activation_beta")));
  return options;
}

// As many results as are asked for: y, last_h and, of a layer with a cell, last_c.
Status Run(OpCall& call, maths::RecurrentKind kind, maths::RecurrentOperands operands) {
  TFRT_ASSIGN_OR_RETURN(maths::RecurrentOptions options, RecurrentOptionsOf(kind, call.attrs()));
  std::vector<DenseHostTensor> results;
  results.reserve(call.num_results());
  for (size_t i = 0; i < call.num_results(); ++i) {
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(call.result_metadata(i)));
    results.push_back(std::move(out));
  }
  auto result = [&](size_t i) { return i < results.size() ? &results[i] : nullptr; };
  operands.y = result(0), operands.last_h = result(1), operands.last_c = result(2);
  TFRT_ASSIGN_OR_RETURN(AsyncValueRef<Chain> done,
                        maths::Recurrent(options, operands, call.exec_ctx()));
  for (size_t i = 0; i < results.size(); ++i) {
    SetResultAfter(call, i, std::move(results[i]), done.CopyRef());
  }
  return OkStatus();
}

Status Lstm(const DenseHostTensor& x, const DenseHostTensor& w, const DenseHostTensor& r,
            DenseArgument bias, DenseArgument lengths, DenseArgument initial_h,
            DenseArgument initial_c, DenseArgument peepholes, const TensorMetadata&, OpCall& call) {
  return Run(call, maths::RecurrentKind::kLstm,
             {.x = &x,
              .w = &w,
              .r = &r,
              .bias = bias.get(),
              .lengths = lengths.get(),
              .initial_h = initial_h.get(),
              .initial_c = initial_c.get(),
              .peepholes = peepholes.get()});
}

Status DynamicQuantizedLstm(const DenseHostTensor& x, const DenseHostTensor& w,
                            const DenseHostTensor& r, const DenseHostTensor& w_scale,
                            const DenseHostTensor& w_zero, const DenseHostTensor& r_scale,
                            const DenseHostTensor& r_zero, DenseArgument bias,
                            DenseArgument lengths, DenseArgument initial_h, DenseArgument initial_c,
                            DenseArgument peepholes, const TensorMetadata&, OpCall& call) {
  return Run(call, maths::RecurrentKind::kLstm,
             {.x = &x,
              .w = &w,
              .r = &r,
              .bias = bias.get(),
              .lengths = lengths.get(),
              .initial_h = initial_h.get(),
              .initial_c = initial_c.get(),
              .peepholes = peepholes.get(),
              .w_scale = &w_scale,
              .w_zero = &w_zero,
              .r_scale = &r_scale,
              .r_zero = &r_zero});
}

template <maths::RecurrentKind kind>
Status WithoutCell(const DenseHostTensor& x, const DenseHostTensor& w, const DenseHostTensor& r,
                   DenseArgument bias, DenseArgument lengths, DenseArgument initial_h,
                   const TensorMetadata&, OpCall& call) {
  return Run(call, kind,
             {.x = &x,
              .w = &w,
              .r = &r,
              .bias = bias.get(),
              .lengths = lengths.get(),
              .initial_h = initial_h.get()});
}

}  // namespace

void RegisterRecurrentOps(OpRegistry* registry) {
  registry->Implement("graph.lstm", {.function = TFRT_OP(Lstm)});
  registry->Implement("graph.dynamic_quantized_lstm", {.function = TFRT_OP(DynamicQuantizedLstm)});
  registry->Implement("graph.gru", {.function = TFRT_OP(WithoutCell<maths::RecurrentKind::kGru>)});
  registry->Implement("graph.rnn", {.function = TFRT_OP(WithoutCell<maths::RecurrentKind::kRnn>)});
}

}  // namespace tfrt

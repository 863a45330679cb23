// Ops that compute each element from one element of each argument. One function serves them all:
// cpu::FindElementFunction has what differs.

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>

#include "elementwise_ops.h"
#include "lib/ops/maths/tensor/element_blocks.h"
#include "lib/runtime/tensor/cast.h"
#include "lib/runtime/tensor/dtype_dispatch.h"
#include "op_groups.h"
#include "op_output.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/scalar_host_tensor.h"
#include "unsupported_dtype.h"

namespace tfrt {
namespace {

using maths::Element;
using Operand = maths::ElementOperand;
using Op = ElementwiseOp;

Operand Number(float number) {
  Operand operand;
  operand.element.number = number;
  return operand;
}

StatusOr<Operand> OperandOf(const OpCall& call, size_t index) {
  const AsyncValue* value = call.argument(index);
  if (value->IsType<DenseHostTensor>()) [[likely]] {
    return Operand::Of(value->get<DenseHostTensor>());
  }
  const Tensor& tensor = value->get<Tensor>();
  Operand operand;
  operand.dtype = tensor.dtype();
  const size_t size = DTypeSize(tensor.dtype());
  if (tensor.tensor_type() != kScalarHostTensorType || size > sizeof(Element)) {
    return InvalidArgumentError(
        StrCat(call.op_name(), ": argument ", index, " is no tensor of numbers"));
  }
  std::memcpy(operand.element.bytes, value->get<AnyScalarHostTensor>().data(), size);
  return operand;
}

// A bound of `clip` that bounds nothing.
Operand FurthestBound(DType dtype, bool low) {
  Operand operand;
  operand.dtype = dtype;
  DispatchDType(dtype, [&]<typename T>(std::type_identity<T>) {
    using Limits = std::numeric_limits<T>;
    if constexpr (sizeof(T) <= sizeof(Element)) {
      T bound = low ? Limits::lowest() : Limits::max();
      if constexpr (Limits::has_infinity) bound = low ? -Limits::infinity() : Limits::infinity();
      std::memcpy(operand.element.bytes, &bound, sizeof(T));
    }
  });
  return operand;
}

bool HasZero(const Operand& operand) {
  bool found = false;
  DispatchDType(operand.dtype, [&]<typename T>(std::type_identity<T>) {
    if constexpr (std::is_integral_v<T>) {
      auto* data = static_cast<const T*>(operand.data());
      const int64_t count = operand.dense ? operand.dense->num_elements() : 1;
      found = std::find(data, data + count, T(0)) != data + count;
    }
  });
  return found;
}

// The attributes that are operands of the function.
StatusOr<std::array<float, 2>> ParametersOf(Op op, const OpAttrsRef& attrs,
                                            std::span<const OpAttrSpec> specs) {
  std::array<float, 2> parameters = {};
  for (size_t i = 0; i < tfrt::ParametersOf(op); ++i) {
    if (specs[i].kind == OpAttrSpec::Kind::kBool) {
      parameters[i] = attrs.Get<bool>(specs[i].name).value_or(false) ? 1.0f : 0.0f;
    } else if (auto number = attrs.Get<float>(specs[i].name)) {
      parameters[i] = *number;
    } else {
      return InvalidArgumentError(StrCat("the attribute '", specs[i].name, "' is no f32"));
    }
  }
  return parameters;
}

// Makes the result of a call whose operands have one element each: a scalar tensor.
RCReference<AsyncValue> MakeScalar(const TensorMetadata& metadata, const Element& element) {
  RCReference<AsyncValue> scalar;
  DispatchDType(metadata.dtype, [&]<typename T>(std::type_identity<T>) {
    T value;
    std::memcpy(&value, element.bytes, sizeof(T));
    scalar = MakeAvailableAsyncValueRef<ScalarHostTensor<T>>(metadata.shape, value).ReleaseRCRef();
  });
  return scalar;
}

// The most frequent calls, the short way: dense operands that are like the result and few. False,
// and nothing has happened, for others.
StatusOr<bool> ComputeAlike(Op op, const OpDescription& row, OpCall& call) {
  const size_t count = row.arguments.size();
  const bool is_plain = op < Op::kPow && op != Op::kDiv;
  if (!is_plain || call.num_arguments() != count || !call.has_result_metadata()) return false;
  const TensorMetadata& result = call.result_metadata(0);
  cpu::ElementRun run{.size = result.shape.num_elements()};
  for (size_t i = 0; i < count; ++i) {
    const auto* dense = call.argument(i)->GetIfPlain<DenseHostTensor>();
    if (!dense || dense->metadata() != result) return false;
    run.in[i] = dense->data();
  }
  if (run.size == 0 ||
      static_cast<size_t>(run.size) > ItemsPerBlock(cpu::CostOfElement(op, result.dtype))) {
    return false;
  }
  cpu::ElementFunction function = cpu::FindElementFunction(op, result.dtype);
  if (!function) return false;
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.AllocateOrReuse(result));
  run.out = WritableData<char>(out);
  function(op, run);
  SetResult(call, 0, std::move(out));
  return true;
}

Status Compute(Op op, const OpDescription& row, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(bool is_done, ComputeAlike(op, row, call));
  if (is_done) return OkStatus();
  std::array<Operand, kMaxElementwiseOperands> operands;
  const size_t num_arguments = row.arguments.size();
  // Decides the function: what `select` chooses from, the first argument of others.
  const size_t decisive = op == Op::kSelect ? 1 : 0;
  if (!call.has_result_metadata()) {
    return InvalidArgumentError(StrCat(call.op_name(), ": the shape of the result is not known"));
  }
  for (size_t i = 0; i < num_arguments; ++i) {
    if (i < call.num_arguments() && call.argument(i)) {
      TFRT_ASSIGN_OR_RETURN(operands[i], OperandOf(call, i));
    } else {
      operands[i] = FurthestBound(operands[0].dtype, i == 1);
    }
  }
  const DType dtype = operands[decisive].dtype;
  cpu::ElementFunction function = cpu::FindElementFunction(op, dtype);
  if (!function) {
    return UnsupportedDType(call, dtype);
  }
  std::optional<DenseHostTensor> exponents;
  if (op == Op::kPow && operands[1].dtype != cpu::ExponentDType(dtype)) {
    if (!operands[1].dense) {
      return InvalidArgumentError(
          StrCat(call.op_name(), ": the exponent is a scalar of ", DTypeName(operands[1].dtype)));
    }
    TFRT_ASSIGN_OR_RETURN(
        DenseHostTensor cast,
        CastTensor(*operands[1].dense, cpu::ExponentDType(dtype), call.allocator()));
    exponents = std::move(cast);
    operands[1].dense = &*exponents;
    operands[1].dtype = exponents->dtype();
  }
  if ((op == Op::kDiv || op == Op::kMod || op == Op::kFloorDivide) && HasZero(operands[1])) {
    return InvalidArgumentError(StrCat(call.op_name(), ": integer division by zero"));
  }
  TFRT_ASSIGN_OR_RETURN(auto parameters, ParametersOf(op, call.attrs(), row.attrs));
  for (size_t i = num_arguments; i < OperandsOf(op); ++i) {
    operands[i] = Number(parameters[i - num_arguments]);
  }

  const TensorMetadata& result = call.result_metadata(0);
  if (std::ranges::none_of(std::span(operands).first(num_arguments), &Operand::dense)) {
    cpu::ElementRun run{.size = 1};
    for (size_t i = 0; i < OperandsOf(op); ++i) run.in[i] = operands[i].data();
    Element element;
    run.out = element.bytes;
    function(op, run);
    call.SetResult(0, MakeScalar(result, element));
    return OkStatus();
  }
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.AllocateOrReuse(result));
  if (out.num_elements() == 0) {
    SetResult(call, 0, std::move(out));
    return OkStatus();
  }
  const DenseHostTensor* kept[kMaxElementwiseOperands];
  for (size_t i = 0; i < std::size(kept); ++i) {
    kept[i] = operands[i].dense ? operands[i].dense : &out;
  }
  const auto size = static_cast<size_t>(out.num_elements());
  const size_t block_size = ItemsPerBlock(cpu::CostOfElement(op, dtype));
  AsyncValueRef<Chain> done =
      RunBlocks(call.exec_ctx(), size, block_size, {kept[0], kept[1], kept[2], &out},
                maths::ElementBlocks(op, function, std::span(operands).first(OperandsOf(op)),
                                     result, WritableData<char>(out)));
  SetResultAfter(call, 0, std::move(out), std::move(done));
  return OkStatus();
}

template <Op op>
void RunOp(OpCall& call) noexcept {
  RunElementwise(op, call);
}

// The quick way of a few f32: no metadata, no operands, no blocks. The bits are the same.
template <Op op>
bool RunQuickly(const DenseHostTensor& a, const DenseHostTensor& b, void* result) noexcept {
  if (a.dtype() != DType::kF32) return false;
  const size_t count = a.size_bytes() / sizeof(float);
  auto *x = static_cast<const float*>(a.data()), *y = static_cast<const float*>(b.data());
  auto* z = static_cast<float*>(result);
  for (size_t i = 0; i < count; ++i) {
    if constexpr (op == Op::kAdd) z[i] = x[i] + y[i];
    if constexpr (op == Op::kSub) z[i] = x[i] - y[i];
    if constexpr (op == Op::kMul) z[i] = x[i] * y[i];
    if constexpr (op == Op::kDiv) z[i] = x[i] / y[i];
  }
  return true;
}

template <Op op>
void Register(std::string_view name, OpRegistry* registry) {
  OpQuickFunction quick = nullptr;
  if constexpr (op <= Op::kDiv) quick = &RunQuickly<op>;
  registry->Implement(name, {.function = &RunOp<op>, .quick = quick});
}

}  // namespace

void RunElementwise(Op op, OpCall& call) {
  static const auto rows = [] {
    std::array<const OpDescription*, 256> found = {};
#define TFRT_FIND(number, name, row, operands, parameters, in_tapes) \
  found[number] = FindOpDescription(row);
    TFRT_ELEMENTWISE_OPS(TFRT_FIND)
#undef TFRT_FIND
    return found;
  }();
  Op function = op;
  if (op == Op::kGelu && call.attrs().Get<bool>("approximate").value_or(false)) {
    function = Op::kGeluTanh;
  }
  Status status = Compute(function, *rows[static_cast<size_t>(op)], call);
  if (!status.ok()) call.ReportError(std::move(status));
}

void RegisterElementwiseOps(OpRegistry* registry) {
#define TFRT_REGISTER(number, name, row, operands, parameters, in_tapes) \
  if constexpr (Op::name != Op::kGeluTanh) Register<Op::name>("graph." row, registry);
  TFRT_ELEMENTWISE_OPS(TFRT_REGISTER)
#undef TFRT_REGISTER
  // Along the last dimension, as the broadcast of a vector.
  registry->Implement("graph.bias_add", {.function = &RunOp<Op::kAdd>});
}

}  // namespace tfrt

// Ops that compute each element of the result from one element of each of two arguments.

#include "binary_ops.h"

#include <algorithm>
#include <cstring>

#include "op_groups.h"
#include "tfrt/core_runtime/number_dispatch.h"
#include "tfrt/core_runtime/op_metadata.h"
#include "tfrt/core_runtime/op_output.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/kernel_maths/cpu/broadcast.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/scalar_host_tensor.h"

namespace tfrt {
namespace {

using cpu::BinaryOp;

// An unsigned type in which arithmetic of T wraps, and is not promoted to int.
template <typename T>
using Wrapping = std::conditional_t<(sizeof(T) < 4), uint32_t, std::make_unsigned_t<T>>;

// Rows of an output, which is dense, and where each input's elements are, as cpu::BinaryRows,
// whatever the dtype. Strides are in elements.
struct PairRows {
  int64_t rows;
  int64_t columns;
  const void* a;
  int64_t a_row_stride;
  bool a_repeats;
  const void* b;
  int64_t b_row_stride;
  bool b_repeats;
  void* out;
};
using RowsFunction = void (*)(const PairRows& rows);

// F::Apply(a, b) for each pair.
template <typename F, typename T, typename R>
void ApplyToRows(const PairRows& r) {
  const int64_t a_step = r.a_repeats ? 0 : 1, b_step = r.b_repeats ? 0 : 1;
  for (int64_t row = 0; row < r.rows; ++row) {
    auto* a = static_cast<const T*>(r.a) + row * r.a_row_stride;
    auto* b = static_cast<const T*>(r.b) + row * r.b_row_stride;
    auto* out = static_cast<R*>(r.out) + row * r.columns;
    if (!r.a_repeats && !r.b_repeats) {
      for (int64_t i = 0; i < r.columns; ++i) out[i] = F::Apply(a[i], b[i]);
    } else {
      for (int64_t i = 0; i < r.columns; ++i) out[i] = F::Apply(a[i * a_step], b[i * b_step]);
    }
  }
}

constexpr int kFewColumns = kMaxQuickBytes / sizeof(float);

template <BinaryOp op>
struct Arithmetic {
  static constexpr bool kIsDivision = op == BinaryOp::kDiv;
  // One loop has the bits of all.
  static constexpr bool kHasQuickWay =
      op == BinaryOp::kAdd || op == BinaryOp::kSub || op == BinaryOp::kMul || op == BinaryOp::kDiv;
  template <typename T>
  static constexpr bool kSupports =
      op == BinaryOp::kAdd || op == BinaryOp::kSub || op == BinaryOp::kMul || op == BinaryOp::kDiv
          ? kIsNumber<T>
          : kIsReal<T>;

  // Integers wrap; a divisor is not 0.
  template <typename T>
  static T Apply(T a, T b) {
    if constexpr (op == BinaryOp::kMaximum) return a > b || a != a ? a : b;
    if constexpr (op == BinaryOp::kMinimum) return a < b || a != a ? a : b;
    if constexpr (op == BinaryOp::kReluGrad) return a > T(0) ? b : T(0);
    if constexpr (std::is_integral_v<T>) {
      using U = Wrapping<T>;
      if constexpr (op == BinaryOp::kAdd) return static_cast<T>(U(a) + U(b));
      if constexpr (op == BinaryOp::kSub) return static_cast<T>(U(a) - U(b));
      if constexpr (op == BinaryOp::kMul) return static_cast<T>(U(a) * U(b));
      if constexpr (op == BinaryOp::kDiv) {
        if constexpr (std::is_signed_v<T>) {
          if (b == T(-1)) return static_cast<T>(U(0) - U(a));
        }
        return static_cast<T>(a / b);
      }
    } else {
      if constexpr (op == BinaryOp::kAdd) return a + b;
      if constexpr (op == BinaryOp::kSub) return a - b;
      if constexpr (op == BinaryOp::kMul) return a * b;
      if constexpr (op == BinaryOp::kDiv) return a / b;
    }
  }

  // With the graph kernels' loops, where they have them. They choose vectors of the CPU's, which
  // takes longer than a few elements do; the bits are the same.
  template <typename T>
  static void Rows(const PairRows& r) {
    if constexpr (kHasQuickWay) {
      if (r.rows == 1 && r.columns <= kFewColumns) return ApplyToRows<Arithmetic, T, T>(r);
    }
    if constexpr (std::is_same_v<T, float> || (std::is_same_v<T, int32_t> && !kIsDivision)) {
      cpu::Binary(op, cpu::BinaryRows<T>{r.rows, r.columns, static_cast<const T*>(r.a),
                                         r.a_row_stride, r.a_repeats, static_cast<const T*>(r.b),
                                         r.b_row_stride, r.b_repeats, static_cast<T*>(r.out)});
    } else {
      ApplyToRows<Arithmetic, T, T>(r);
    }
  }
};

enum class Relation { kLess, kLessEqual, kGreater, kGreaterEqual, kEqual, kNotEqual };

template <Relation relation>
struct Comparison {
  static constexpr bool kIsDivision = false;
  static constexpr bool kHasQuickWay = false;
  template <typename T>
  static constexpr bool kSupports = kIsReal<T>;

  template <typename T>
  static bool Apply(T a, T b) {
    if constexpr (relation == Relation::kLess) return a < b;
    if constexpr (relation == Relation::kLessEqual) return a <= b;
    if constexpr (relation == Relation::kGreater) return a > b;
    if constexpr (relation == Relation::kGreaterEqual) return a >= b;
    if constexpr (relation == Relation::kEqual) return a == b;
    if constexpr (relation == Relation::kNotEqual) return a != b;
  }
  template <typename T>
  static void Rows(const PairRows& r) {
    ApplyToRows<Comparison, T, bool>(r);
  }
};

// Null if F has no function of the dtype.
template <typename F>
RowsFunction RowsFunctionOf(DType dtype) {
  if (dtype == DType::kF32) [[likely]]
    return &F::template Rows<float>;
  RowsFunction function = nullptr;
  DispatchNumber(dtype, [&]<typename T>(std::type_identity<T>) {
    if constexpr (F::template kSupports<T>) function = &F::template Rows<T>;
  });
  return function;
}

// The graph kernels' cost of an element of arithmetic, so that blocks are cut as theirs.
constexpr size_t kElementCost = sizeof(float);

// One argument: where its elements are and in which shape; a scalar tensor is one element.
struct Operand {
  explicit Operand(const AsyncValue* value) {
    if (value->IsType<DenseHostTensor>()) [[likely]] {
      dense = &value->get<DenseHostTensor>();
      data = dense->data();
    } else {
      data = value->get<AnyScalarHostTensor>().data();
    }
  }
  const DenseHostTensor* dense = nullptr;  // null: a scalar tensor
  const void* data;
};

bool HasZero(DType dtype, const Operand& operand) {
  bool found = false;
  DispatchReal(dtype, [&]<typename T>(std::type_identity<T>) {
    auto* data = static_cast<const T*>(operand.data);
    if constexpr (std::is_integral_v<T>) {
      const int64_t count = operand.dense ? operand.dense->num_elements() : 1;
      found = std::find(data, data + count, T(0)) != data + count;
    }
  });
  return found;
}

// Shapes that differ, or a scalar tensor.
struct Broadcast {
  cpu::BroadcastPlan plan;
  RowsFunction function;
  size_t element_size;
  size_t result_size;
  bool is_scalar[2];
  alignas(16) char scalars[2][16];  // copies: blocks may run when a scalar tensor is gone
  const char* inputs[2];
  char* out;

  Broadcast(RowsFunction function, const Operand& a, const Operand& b, size_t element_size,
            DenseHostTensor& out, size_t result_size)
      : plan(a.dense ? a.dense->shape() : TensorShape(), b.dense ? b.dense->shape() : TensorShape(),
             out.shape()),
        function(function),
        element_size(element_size),
        result_size(result_size),
        is_scalar{!a.dense, !b.dense},
        inputs{static_cast<const char*>(a.data), static_cast<const char*>(b.data)},
        out(WritableData<char>(out)) {
    for (int i = 0; i < 2; ++i) {
      if (is_scalar[i]) std::memcpy(scalars[i], inputs[i], element_size);
    }
  }

  // Units [begin, end) of the plan, as BroadcastPlan::Run has them.
  void operator()(int64_t begin, int64_t end) const {
    const char* a = is_scalar[0] ? scalars[0] : inputs[0];
    const char* b = is_scalar[1] ? scalars[1] : inputs[1];
    const auto size = static_cast<int64_t>(element_size);
    PairRows rows{plan.rows,         plan.columns,   a,  plan.a_row_stride, plan.a_repeats, b,
                  plan.b_row_stride, plan.b_repeats, out};
    if (plan.splits_columns()) {
      rows.columns = end - begin;
      rows.a = a + (plan.a_repeats ? 0 : begin * size);
      rows.b = b + (plan.b_repeats ? 0 : begin * size);
      rows.out = out + begin * result_size;
      return function(rows);
    }
    cpu::Odometer<2> odometer(plan.outer, begin / plan.rows);
    while (begin < end) {
      const int64_t first_row = begin % plan.rows;
      rows.rows = std::min(plan.rows - first_row, end - begin);
      rows.a = a + (odometer.offset(0) + first_row * plan.a_row_stride) * size;
      rows.b = b + (odometer.offset(1) + first_row * plan.b_row_stride) * size;
      rows.out = out + begin * plan.columns * result_size;
      function(rows);
      begin += rows.rows;
      odometer.Advance();
    }
  }
};

RCReference<AsyncValue> MakeScalar(const TensorMetadata& metadata, const void* value) {
  RCReference<AsyncValue> scalar;
  DispatchDType(metadata.dtype, [&]<typename T>(std::type_identity<T>) {
    scalar = MakeAvailableAsyncValueRef<ScalarHostTensor<T>>(metadata.shape,
                                                             *static_cast<const T*>(value))
                 .ReleaseRCRef();
  });
  return scalar;
}

Status Compute(OpCall& call, RowsFunction function, DType dtype, const TensorMetadata& result,
               size_t a_index, size_t b_index) {
  const Operand a(call.argument(a_index)), b(call.argument(b_index));
  if (!a.dense && !b.dense) {
    alignas(16) char value[16];
    function({1, 1, a.data, 0, false, b.data, 0, false, value});
    call.SetResult(0, MakeScalar(result, value));
    return OkStatus();
  }
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.AllocateOrReuse(result, {a_index, b_index}));
  const size_t size = DTypeSize(dtype), result_size = DTypeSize(result.dtype);
  if (a.dense && b.dense && a.dense->shape() == b.dense->shape()) [[likely]] {
    auto* x = static_cast<const char*>(a.data);
    auto* y = static_cast<const char*>(b.data);
    char* z = WritableData<char>(out);
    const auto count = static_cast<size_t>(out.num_elements());
    ComputeResult(call, count, kElementCost, {a.dense, b.dense}, std::move(out),
                  [=](size_t begin, size_t end) {
                    function({1, static_cast<int64_t>(end - begin), x + begin * size, 0, false,
                              y + begin * size, 0, false, z + begin * result_size});
                  });
    return OkStatus();
  }
  if (out.num_elements() == 0) {
    SetResult(call, 0, std::move(out));
    return OkStatus();
  }
  Broadcast broadcast(function, a, b, size, out, result_size);
  const size_t units = broadcast.plan.num_units();
  const size_t cost = broadcast.plan.unit_size() * kElementCost;
  const DenseHostTensor& any = a.dense ? *a.dense : *b.dense;
  ComputeResult(call, units, cost, {&any, b.dense ? b.dense : &any}, std::move(out),
                std::move(broadcast));
  return OkStatus();
}

// False, without a result, if F has no function of the arguments' dtype.
template <typename F>
bool ComputeOfDType(OpCall& call, DType dtype, const TensorMetadata& result, size_t a, size_t b) {
  RowsFunction function = RowsFunctionOf<F>(dtype);
  if (!function) return false;
  Status status;
  if (F::kIsDivision && HasZero(dtype, Operand(call.argument(b)))) {
    status = InvalidArgumentError(StrCat(call.op_name(), ": integer division by zero"));
  } else {
    status = Compute(call, function, dtype, result, a, b);
  }
  if (!status.ok()) call.ReportError(std::move(status));
  return true;
}

Status UnsupportedDType(DType dtype) {
  return InvalidArgumentError(StrCat("Unsupported input dtype: ", DTypeName(dtype)));
}

// The quick way for a few floats: no metadata, no rows, no blocks.
template <typename F>
bool QuickBinary(const DenseHostTensor& a, const DenseHostTensor& b, void* result) noexcept {
  if (a.dtype() != DType::kF32) return false;
  const size_t count = a.size_bytes() / sizeof(float);
  auto* x = static_cast<const float*>(a.data());
  auto* y = static_cast<const float*>(b.data());
  auto* z = static_cast<float*>(result);
  for (size_t i = 0; i < count; ++i) z[i] = F::Apply(x[i], y[i]);
  return true;
}

template <typename F>
Status BinaryOpFunction(const Tensor& a, const Tensor&, const TensorMetadata& result,
                        OpCall& call) {
  return ComputeOfDType<F>(call, a.dtype(), result, 0, 1) ? OkStatus()
                                                          : UnsupportedDType(a.dtype());
}

// The activation is the first argument of the function, the second one of the op.
Status ReluGrad(const Tensor& gradients, const Tensor&, const TensorMetadata& result,
                OpCall& call) {
  if (ComputeBinary<BinaryOp::kReluGrad>(call, result, 1, 0)) return OkStatus();
  return UnsupportedDType(gradients.dtype());
}

template <typename F>
void RegisterBinary(OpRegistry* registry, std::string_view name) {
  OpQuickFunction quick = nullptr;
  if constexpr (F::kHasQuickWay) quick = &QuickBinary<F>;
  registry->Implement(name, {.function = TFRT_OP(BinaryOpFunction<F>), .quick = quick});
}

template <Relation relation>
void RegisterComparison(OpRegistry* registry, std::string_view name) {
  RegisterBinary<Comparison<relation>>(registry, name);
}

}  // namespace

template <BinaryOp op>
bool ComputeBinary(OpCall& call, const TensorMetadata& result, size_t a, size_t b) {
  return ComputeOfDType<Arithmetic<op>>(call, result.dtype, result, a, b);
}
template bool ComputeBinary<BinaryOp::kAdd>(OpCall&, const TensorMetadata&, size_t, size_t);
template bool ComputeBinary<BinaryOp::kReluGrad>(OpCall&, const TensorMetadata&, size_t, size_t);

void RegisterBinaryOps(OpRegistry* registry) {
  RegisterBinary<Arithmetic<BinaryOp::kAdd>>(registry, "tf.AddV2");
  RegisterBinary<Arithmetic<BinaryOp::kSub>>(registry, "tf.Sub");
  RegisterBinary<Arithmetic<BinaryOp::kMul>>(registry, "tf.Mul");
  RegisterBinary<Arithmetic<BinaryOp::kDiv>>(registry, "tf.RealDiv");
  RegisterBinary<Arithmetic<BinaryOp::kMaximum>>(registry, "tf.Maximum");
  RegisterBinary<Arithmetic<BinaryOp::kMinimum>>(registry, "tf.Minimum");
  RegisterComparison<Relation::kLess>(registry, "tf.Less");
  RegisterComparison<Relation::kLessEqual>(registry, "tf.LessEqual");
  RegisterComparison<Relation::kGreater>(registry, "tf.Greater");
  RegisterComparison<Relation::kGreaterEqual>(registry, "tf.GreaterEqual");
  RegisterComparison<Relation::kEqual>(registry, "tf.Equal");
  RegisterComparison<Relation::kNotEqual>(registry, "tf.NotEqual");
  registry->Implement("tf.ReluGrad", {.function = TFRT_OP(ReluGrad)});
}

}  // namespace tfrt

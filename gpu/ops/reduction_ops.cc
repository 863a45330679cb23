// Ops that make one element of several.

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "gpu/device_code/launch_blocks.h"
#include "gpu_ops.h"
#include "kernels.h"
#include "lib/ops/maths/shapes/axes.h"
#include "lib/runtime/tensor/dense_integers.h"

namespace tfrt::gpu {
namespace {

// Tells of each dimension whether it is reduced.
using Reduced = InlineVector<bool, 8>;

// The rule has looked at the axes, but the memory may be a program's, which writes there meanwhile.
// So what is left must be as large as the result.
StatusOr<Reduced> ReducedBy(const GpuOpCall& call, std::span<const int64_t> axes) {
  const TensorShape& shape = call.argument(0).shape;
  Reduced reduced;
  for (size_t i = 0; i < shape.rank(); ++i) reduced.push_back(false);
  for (int64_t axis : axes) {
    TFRT_ASSIGN_OR_RETURN(size_t normal, NormalizeAxis(axis, shape));
    reduced[normal] = true;
  }
  int64_t size = 1;
  for (size_t i = 0; i < shape.rank(); ++i) {
    if (!reduced[i]) size *= shape.dim(i);
  }
  if (size == call.result(0).shape.num_elements()) return reduced;
  return InvalidArgumentError(StrCat(call.op_name(), ": the axes have changed"));
}

// Reduces any dimensions.
class AxesReduction {
 public:
  static StatusOr<AxesReduction> Make(GpuOpSetup& setup, std::string_view name, DType dtype) {
    TFRT_ASSIGN_OR_RETURN(ReduceKernel reduce, ReduceKernel::Make(setup, name, dtype));
    TFRT_ASSIGN_OR_RETURN(PermuteKernel permute, PermuteKernel::Make(setup, dtype));
    return AxesReduction(reduce, permute, DTypeSize(dtype));
  }

  Status Run(GpuOpCall& call, const OpBytes& out, const OpBytes& in, const TensorShape& shape,
             const Reduced& reduced) const {
    // Dimensions of size 1 are left out, and neighbours of which both are reduced, or neither, are
    // one.
    Dims dims;
    Reduced kinds;
    for (size_t i = 0; i < shape.rank(); ++i) {
      if (shape.dim(i) == 1) continue;
      if (!dims.empty() && kinds.back() == reduced[i]) {
        dims.back() *= shape.dim(i);
      } else {
        dims.push_back(shape.dim(i));
        kinds.push_back(reduced[i]);
      }
    }
    if (dims.empty() || (dims.size() == 1 && !kinds[0])) {
      return reduce_.Run(call, out, in, shape.num_elements(), 1, 1);
    }
    if (dims.size() == 1) return reduce_.Run(call, out, in, 1, dims[0], 1);
    if (dims.size() == 2 && kinds[1]) return reduce_.Run(call, out, in, dims[0], dims[1], 1);
    if (dims.size() == 2) return reduce_.Run(call, out, in, 1, dims[0], dims[1]);
    if (dims.size() == 3 && kinds[1]) return reduce_.Run(call, out, in, dims[0], dims[1], dims[2]);
    // First the elements of each sum come side by side.
    Dims order;
    int64_t sizes[2] = {1, 1};
    for (bool kind : {false, true}) {
      for (size_t i = 0; i < dims.size(); ++i) {
        if (kinds[i] != kind) continue;
        order.push_back(static_cast<int64_t>(i));
        sizes[kind] *= dims[i];
      }
    }
    TFRT_ASSIGN_OR_RETURN(OpBytes moved,
                          call.Scratch(static_cast<size_t>(shape.num_elements()) * element_bytes_));
    TFRT_RETURN_IF_ERROR(permute_.Run(call, moved, in, dims, order));
    return reduce_.Run(call, out, moved, sizes[0], sizes[1], 1);
  }

 private:
  AxesReduction(ReduceKernel reduce, PermuteKernel permute, size_t element_bytes)
      : reduce_(reduce), permute_(std::move(permute)), element_bytes_(element_bytes) {}

  ReduceKernel reduce_;
  PermuteKernel permute_;
  size_t element_bytes_;
};

// One of the reductions that have kernels.
class Reduce final : public GpuOp {
 public:
  Reduce(AxesReduction reduction, std::optional<FillValue> nothing)
      : reduction_(std::move(reduction)), nothing_(nothing) {}

  static MadeOp Make(GpuOpSetup& setup, std::string_view kernel) {
    TFRT_ASSIGN_OR_RETURN(AxesReduction reduction,
                          AxesReduction::Make(setup, kernel, setup.dtype(0)));
    return std::make_unique<Reduce>(std::move(reduction), std::nullopt);
  }
  // The smallest or the largest element, and of no elements the number that loses.
  static MadeOp MakeExtreme(GpuOpSetup& setup, bool is_max) {
    const DType dtype = setup.dtype(0);
    TFRT_ASSIGN_OR_RETURN(AxesReduction reduction,
                          AxesReduction::Make(setup, is_max ? "max" : "min", dtype));
    TFRT_ASSIGN_OR_RETURN(FillValue nothing, FillValue::OfLimit(setup, dtype, !is_max));
    return std::make_unique<Reduce>(std::move(reduction), nothing);
  }

  Status Run(GpuOpCall& call) const override {
    const Integers axes = ReadIntegers(call.host_value(1));
    const TensorShape& shape = call.argument(0).shape;
    if (axes.empty()) {
      call.SetView(0, 0);
      return OkStatus();
    }
    TFRT_ASSIGN_OR_RETURN(const Reduced reduced, ReducedBy(call, axes));
    if (shape.num_elements() == 0 && nothing_) {
      TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
      return nothing_->Run(call, out, call.result(0).shape.num_elements());
    }
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    return reduction_.Run(call, out, call.bytes(0), shape, reduced);
  }

 private:
  const AxesReduction reduction_;
  const std::optional<FillValue> nothing_;
};

// after(sum(before(in))), where the functions have one operand, or are null. The function `before`
// may have two, both the element.
class SumOfFunction final : public GpuOp {
 public:
  SumOfFunction(const Function* before, bool is_product, AxesReduction sum, const Function* after)
      : before_(before), is_product_(is_product), sum_(std::move(sum)), after_(after) {}

  static MadeOp Make(GpuOpSetup& setup, std::string_view before, std::string_view after) {
    const DType dtype = setup.dtype(0);
    const Function *first = nullptr, *last = nullptr;
    if (!before.empty()) {
      TFRT_ASSIGN_OR_RETURN(first, setup.TypedKernel(before, dtype));
    }
    if (!after.empty()) {
      TFRT_ASSIGN_OR_RETURN(last, setup.TypedKernel(after, dtype));
    }
    TFRT_ASSIGN_OR_RETURN(AxesReduction sum, AxesReduction::Make(setup, "sum", dtype));
    return std::make_unique<SumOfFunction>(first, before == "mul", std::move(sum), last);
  }

  Status Run(GpuOpCall& call) const override {
    const Integers axes = ReadIntegers(call.host_value(1));
    const TensorShape& shape = call.argument(0).shape;
    const int64_t size = shape.num_elements(), out_size = call.result(0).shape.num_elements();
    TFRT_ASSIGN_OR_RETURN(const Reduced reduced, ReducedBy(call, axes));
    OpBytes in = call.bytes(0);
    if (before_) {
      TFRT_ASSIGN_OR_RETURN(OpBytes changed, call.Scratch(in.size_bytes));
      const DeviceLaunch launch = ElementwiseLaunch(size);
      if (is_product_) {
        TFRT_RETURN_IF_ERROR(
            call.Launch(*before_, launch, changed, in, in, size, int64_t{1}, int64_t{1}));
      } else {
        TFRT_RETURN_IF_ERROR(call.Launch(*before_, launch, changed, in, size));
      }
      in = changed;
    }
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    TFRT_RETURN_IF_ERROR(sum_.Run(call, out, in, shape, reduced));
    if (!after_) return OkStatus();
    return call.Launch(*after_, ElementwiseLaunch(out_size), out, out, out_size);
  }

 private:
  const Function* const before_;
  const bool is_product_;
  const AxesReduction sum_;
  const Function* const after_;
};

// m + log(sum(exp(in - m))), where m is the largest element if that is finite, and 0 otherwise.
class LogSumExp final : public GpuOp {
 public:
  struct Kernels {
    AxesReduction max, sum;
    BroadcastKernel sub, add;
    FillValue nothing;
    CastKernel before, after;  // f16 and bf16 are computed in f32
    const Function *exp, *log, *is_inf, *select;
    size_t element_bytes;
  };
  explicit LogSumExp(Kernels kernels) : with_(std::move(kernels)) {}

  static MadeOp Make(GpuOpSetup& setup) {
    const DType own = setup.dtype(0);
    const bool is_half = own == DType::kF16 || own == DType::kBF16;
    const DType dtype = is_half ? DType::kF32 : own;
    TFRT_ASSIGN_OR_RETURN(const Function* exp, setup.TypedKernel("exp", dtype));
    TFRT_ASSIGN_OR_RETURN(const Function* log, setup.TypedKernel("log", dtype));
    TFRT_ASSIGN_OR_RETURN(const Function* is_inf, setup.TypedKernel("is_inf", dtype));
    TFRT_ASSIGN_OR_RETURN(std::string width, WidthOf(setup, dtype));
    TFRT_ASSIGN_OR_RETURN(const Function* select, setup.Kernel(StrCat("select_", width)));
    TFRT_ASSIGN_OR_RETURN(AxesReduction max, AxesReduction::Make(setup, "max", dtype));
    TFRT_ASSIGN_OR_RETURN(AxesReduction sum, AxesReduction::Make(setup, "sum", dtype));
    TFRT_ASSIGN_OR_RETURN(BroadcastKernel sub, BroadcastKernel::Make(setup, "sub", dtype));
    TFRT_ASSIGN_OR_RETURN(BroadcastKernel add, BroadcastKernel::Make(setup, "add", dtype));
    TFRT_ASSIGN_OR_RETURN(FillValue nothing, FillValue::OfLimit(setup, own, /*largest=*/false));
    TFRT_ASSIGN_OR_RETURN(CastKernel before, CastKernel::Make(setup, own, dtype));
    TFRT_ASSIGN_OR_RETURN(CastKernel after, CastKernel::Make(setup, dtype, own));
    return std::make_unique<LogSumExp>(Kernels{max, sum, sub, add, nothing, before, after, exp, log,
                                               is_inf, select, DTypeSize(dtype)});
  }

  Status Run(GpuOpCall& call) const override {
    const TensorShape& shape = call.argument(0).shape;
    TFRT_ASSIGN_OR_RETURN(const Reduced reduced, ReducedBy(call, ReadIntegers(call.host_value(1))));
    const int64_t size = shape.num_elements(), out_size = call.result(0).shape.num_elements();
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    if (size == 0) return with_.nothing.Run(call, out, out_size);
    const size_t bytes = static_cast<size_t>(out_size) * with_.element_bytes;
    TFRT_ASSIGN_OR_RETURN(OpBytes in, with_.before.Run(call, call.bytes(0), size));
    TFRT_ASSIGN_OR_RETURN(OpBytes most, FiniteMost(call, in, shape, reduced, out_size));
    Dims kept;
    for (size_t i = 0; i < shape.rank(); ++i) kept.push_back(reduced[i] ? 1 : shape.dim(i));
    TFRT_ASSIGN_OR_RETURN(TensorShape kept_shape, TensorShape::Create({kept.data(), kept.size()}));
    TFRT_ASSIGN_OR_RETURN(OpBytes powers,
                          call.Scratch(static_cast<size_t>(size) * with_.element_bytes));
    TFRT_RETURN_IF_ERROR(with_.sub.Run(call, powers, in, shape, most, kept_shape));
    TFRT_RETURN_IF_ERROR(call.Launch(*with_.exp, ElementwiseLaunch(size), powers, powers, size));
    TFRT_ASSIGN_OR_RETURN(OpBytes sums, call.Scratch(bytes));
    TFRT_RETURN_IF_ERROR(with_.sum.Run(call, sums, powers, shape, reduced));
    TFRT_RETURN_IF_ERROR(
        call.Launch(*with_.log, ElementwiseLaunch(out_size), sums, sums, out_size));
    const OpBytes& result = with_.after ? sums : out;
    TFRT_RETURN_IF_ERROR(with_.add.Run(call, result, sums, kept_shape, most, kept_shape));
    return with_.after ? with_.after.Run(call, out, sums, out_size) : OkStatus();
  }

 private:
  // m as above.
  StatusOr<OpBytes> FiniteMost(GpuOpCall& call, const OpBytes& in, const TensorShape& shape,
                               const Reduced& reduced, int64_t size) const {
    const auto count = static_cast<size_t>(size);
    TFRT_ASSIGN_OR_RETURN(OpBytes most, call.Scratch(count * with_.element_bytes));
    TFRT_ASSIGN_OR_RETURN(OpBytes infinite, call.Scratch(count));
    TFRT_ASSIGN_OR_RETURN(OpBytes zero, call.Scratch(with_.element_bytes));
    TFRT_RETURN_IF_ERROR(with_.max.Run(call, most, in, shape, reduced));
    TFRT_RETURN_IF_ERROR(
        call.Launch(*with_.is_inf, ElementwiseLaunch(size), infinite, most, size, 1.0f, 1.0f));
    TFRT_RETURN_IF_ERROR(call.Clear(zero));
    TFRT_RETURN_IF_ERROR(call.Launch(*with_.select, ThreadsLaunch(size), most, infinite, zero, most,
                                     size, int64_t{1}, int64_t{0}, int64_t{1}));
    return most;
  }

  const Kernels with_;
};

// The sum over the dimensions that broadcasting has added or made longer.
class SumTo final : public GpuOp {
 public:
  explicit SumTo(AxesReduction sum) : sum_(std::move(sum)) {}

  Status Run(GpuOpCall& call) const override {
    const TensorShape &from = call.argument(0).shape, &to = call.result(0).shape;
    if (from == to) {
      call.SetView(0, 0);
      return OkStatus();
    }
    Reduced reduced;
    const size_t missing = from.rank() - to.rank();
    for (size_t i = 0; i < from.rank(); ++i) {
      reduced.push_back(i < missing || to.dim(i - missing) != from.dim(i));
    }
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    return sum_.Run(call, out, call.bytes(0), from, reduced);
  }

 private:
  const AxesReduction sum_;
};

class BiasAddGrad final : public GpuOp {
 public:
  explicit BiasAddGrad(ReduceKernel sum) : sum_(sum) {}

  Status Run(GpuOpCall& call) const override {
    const int64_t size = call.argument(0).shape.num_elements();
    const int64_t channels = call.result(0).shape.num_elements();
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    return sum_.Run(call, out, call.bytes(0), 1, channels == 0 ? 0 : size / channels, channels);
  }

 private:
  const ReduceKernel sum_;
};

// The place of an extreme along one dimension.
class ArgExtreme final : public GpuOp {
 public:
  explicit ArgExtreme(ReduceKernel reduce) : reduce_(reduce) {}

  static MadeOp Make(GpuOpSetup& setup, std::string_view kernel) {
    const DType to = setup.attrs().GetType("dtype").value();
    if (to != DType::kI32 && to != DType::kI64) {
      return InvalidArgumentError(
          StrCat(setup.op_name(), ": no places of ", DTypeName(to), ", only i32 and i64"));
    }
    TFRT_ASSIGN_OR_RETURN(ReduceKernel reduce,
                          ReduceKernel::Make(setup, kernel, setup.dtype(0), DTypeName(to)));
    return std::make_unique<ArgExtreme>(reduce);
  }

  Status Run(GpuOpCall& call) const override {
    const TensorShape& shape = call.argument(0).shape;
    TFRT_ASSIGN_OR_RETURN(int64_t axis,
                          ReadInteger(call.op_name(), "dimension", call.host_value(1)));
    TFRT_ASSIGN_OR_RETURN(size_t at, NormalizeAxis(axis, shape));
    int64_t outer = 1, inner = 1;
    for (size_t i = 0; i < at; ++i) outer *= shape.dim(i);
    for (size_t i = at + 1; i < shape.rank(); ++i) inner *= shape.dim(i);
    if (outer * inner != call.result(0).shape.num_elements()) {
      return InvalidArgumentError(StrCat(call.op_name(), ": the dimension has changed"));
    }
    if (shape.dim(at) == 0 && outer * inner != 0) {
      return InvalidArgumentError(
          StrCat(call.op_name(), ": no elements in the shape ", shape.ToString()));
    }
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    return reduce_.Run(call, out, call.bytes(0), outer, shape.dim(at), inner);
  }

 private:
  const ReduceKernel reduce_;
};

MadeOp MakeMax(GpuOpSetup& setup) { return Reduce::MakeExtreme(setup, /*is_max=*/true); }
MadeOp MakeMin(GpuOpSetup& setup) { return Reduce::MakeExtreme(setup, /*is_max=*/false); }
MadeOp MakeMean(GpuOpSetup& setup) { return Reduce::Make(setup, "mean"); }
MadeOp MakeProduct(GpuOpSetup& setup) { return Reduce::Make(setup, "prod"); }
MadeOp MakeSum(GpuOpSetup& setup) { return Reduce::Make(setup, "sum"); }
MadeOp MakeL1(GpuOpSetup& setup) { return SumOfFunction::Make(setup, "abs", ""); }
MadeOp MakeL2(GpuOpSetup& setup) { return SumOfFunction::Make(setup, "mul", "sqrt"); }
MadeOp MakeSumSquare(GpuOpSetup& setup) { return SumOfFunction::Make(setup, "mul", ""); }
MadeOp MakeLogSum(GpuOpSetup& setup) { return SumOfFunction::Make(setup, "", "log"); }
MadeOp MakeArgmax(GpuOpSetup& setup) { return ArgExtreme::Make(setup, "argmax"); }
MadeOp MakeArgmin(GpuOpSetup& setup) { return ArgExtreme::Make(setup, "argmin"); }

MadeOp MakeSumTo(GpuOpSetup& setup) {
  TFRT_ASSIGN_OR_RETURN(AxesReduction sum, AxesReduction::Make(setup, "sum", setup.dtype(0)));
  return std::make_unique<SumTo>(std::move(sum));
}

MadeOp MakeBiasAddGrad(GpuOpSetup& setup) {
  TFRT_ASSIGN_OR_RETURN(ReduceKernel sum, ReduceKernel::Make(setup, "sum", setup.dtype(0)));
  return std::make_unique<BiasAddGrad>(sum);
}

constexpr GpuOpRow kReductionRows[] = {
    {"argmax", MakeArgmax},
    {"argmin", MakeArgmin},
    {"bias_add_grad", MakeBiasAddGrad},
    {"reduce_l1", MakeL1},
    {"reduce_l2", MakeL2},
    {"reduce_log_sum", MakeLogSum},
    {"reduce_log_sum_exp", LogSumExp::Make},
    {"reduce_max", MakeMax},
    {"reduce_mean", MakeMean},
    {"reduce_min", MakeMin},
    {"reduce_prod", MakeProduct},
    {"reduce_sum", MakeSum},
    {"reduce_sum_square", MakeSumSquare},
    {"sum_to", MakeSumTo},
};

}  // namespace

std::span<const GpuOpRow> ReductionGpuOps() { return kReductionRows; }

}  // namespace tfrt::gpu

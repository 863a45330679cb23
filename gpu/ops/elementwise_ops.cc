// Ops that compute each element of the result from one element of each argument.

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "gpu_ops.h"
#include "kernels.h"

namespace tfrt::gpu {
namespace {

// out[i] = f(in[i]), with two parameters where the kernel has them.
class Unary final : public GpuOp {
 public:
  using Parameters = std::array<float, 2>;
  explicit Unary(const Function* function, std::optional<Parameters> parameters = std::nullopt)
      : function_(*function), parameters_(parameters) {}

  static MadeOp Make(GpuOpSetup& setup, std::string_view kernel,
                     std::optional<Parameters> parameters = std::nullopt) {
    TFRT_ASSIGN_OR_RETURN(const Function* function, setup.TypedKernel(kernel, setup.dtype(0)));
    return std::make_unique<Unary>(function, parameters);
  }

  Status Run(GpuOpCall& call) const override {
    const int64_t size = call.result(0).shape.num_elements();
    const DeviceLaunch launch = ElementwiseLaunch(size);
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    if (!parameters_) return call.Launch(function_, launch, out, call.bytes(0), size);
    return call.Launch(function_, launch, out, call.bytes(0), size, (*parameters_)[0],
                       (*parameters_)[1]);
  }

 private:
  const Function& function_;
  const std::optional<Parameters> parameters_;
};

// out[i] = f(a[i], b[i]), where dimensions of 1 repeat.
class Binary final : public GpuOp {
 public:
  explicit Binary(BroadcastKernel kernel) : kernel_(std::move(kernel)) {}

  static MadeOp Make(GpuOpSetup& setup, std::string_view kernel) {
    const DType dtype = setup.dtype(0);
    if (setup.dtype(1) != dtype) return setup.DifferentDTypes(dtype, setup.dtype(1));
    TFRT_ASSIGN_OR_RETURN(BroadcastKernel made, BroadcastKernel::Make(setup, kernel, dtype));
    return std::make_unique<Binary>(made);
  }

  Status Run(GpuOpCall& call) const override {
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    return kernel_.Run(call, out, call.bytes(0), call.argument(0).shape, call.bytes(1),
                       call.argument(1).shape);
  }

 private:
  const BroadcastKernel kernel_;
};

// x to the power of y, whose dtypes may differ: both become floats of one dtype. Whole numbers have
// powers of exponents of their own dtype alone.
class Power final : public GpuOp {
 public:
  Power(CastKernel x, CastKernel y, BroadcastKernel kernel, CastKernel out, size_t bytes)
      : x_(x), y_(y), kernel_(std::move(kernel)), out_(out), bytes_(bytes) {}

  static MadeOp Make(GpuOpSetup& setup) {
    const DType x_dtype = setup.dtype(0), y_dtype = setup.dtype(1);
    if (x_dtype == y_dtype) return Binary::Make(setup, "pow");
    if (!IsFloat(x_dtype)) return setup.UnsupportedDType(x_dtype);
    const bool is_half = x_dtype == DType::kF16 || x_dtype == DType::kBF16;
    const DType dtype = is_half ? DType::kF32 : x_dtype;
    TFRT_ASSIGN_OR_RETURN(BroadcastKernel kernel, BroadcastKernel::Make(setup, "pow", dtype));
    TFRT_ASSIGN_OR_RETURN(CastKernel x, CastKernel::Make(setup, x_dtype, dtype));
    TFRT_ASSIGN_OR_RETURN(CastKernel y, CastKernel::Make(setup, y_dtype, dtype));
    TFRT_ASSIGN_OR_RETURN(CastKernel out, CastKernel::Make(setup, dtype, x_dtype));
    return std::make_unique<Power>(x, y, std::move(kernel), out, DTypeSize(dtype));
  }

  Status Run(GpuOpCall& call) const override {
    const TensorShape &x_shape = call.argument(0).shape, &y_shape = call.argument(1).shape;
    const int64_t size = call.result(0).shape.num_elements();
    TFRT_ASSIGN_OR_RETURN(OpBytes x, x_.Run(call, call.bytes(0), x_shape.num_elements()));
    TFRT_ASSIGN_OR_RETURN(OpBytes y, y_.Run(call, call.bytes(1), y_shape.num_elements()));
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    if (!out_) return kernel_.Run(call, out, x, x_shape, y, y_shape);
    TFRT_ASSIGN_OR_RETURN(OpBytes powers, call.Scratch(static_cast<size_t>(size) * bytes_));
    TFRT_RETURN_IF_ERROR(kernel_.Run(call, powers, x, x_shape, y, y_shape));
    return out_.Run(call, out, powers, size);
  }

 private:
  const CastKernel x_, y_;
  const BroadcastKernel kernel_;
  const CastKernel out_;
  const size_t bytes_;
};

// The name of a row as a template argument.
template <size_t size>
struct Name {
  constexpr Name(const char (&text)[size]) {  // NOLINT: implicit by design
    for (size_t i = 0; i < size; ++i) characters[i] = text[i];
  }
  constexpr std::string_view view() const { return {characters, size - 1}; }
  char characters[size];
};

// Rows whose kernels have their name.
template <Name name>
constexpr GpuOpRow kUnary = {name.view(),
                             [](GpuOpSetup& setup) { return Unary::Make(setup, name.view()); }};
template <Name name>
constexpr GpuOpRow kBinary = {name.view(),
                              [](GpuOpSetup& setup) { return Binary::Make(setup, name.view()); }};
// With attributes of f32 as parameters; those that a kernel does not use are 0.
template <Name name, Name alpha>
constexpr GpuOpRow kOneParameter = {name.view(), [](GpuOpSetup& setup) {
                                      return Unary::Make(setup, name.view(),
                                                         {{setup.Attr<float>(alpha.view()), 0}});
                                    }};
template <Name name, Name alpha, Name beta>
constexpr GpuOpRow kTwoParameters = {
    name.view(), [](GpuOpSetup& setup) {
      return Unary::Make(setup, name.view(),
                         {{setup.Attr<float>(alpha.view()), setup.Attr<float>(beta.view())}});
    }};

// The bias is broadcast along the last dimension, as NumPy does.
MadeOp MakeBiasAdd(GpuOpSetup& setup) { return Binary::Make(setup, "add"); }

MadeOp MakeGelu(GpuOpSetup& setup) {
  return Unary::Make(setup, setup.Attr<bool>("approximate") ? "gelu_tanh" : "gelu");
}

MadeOp MakeRound(GpuOpSetup& setup) {
  if (setup.dtype(0) == DType::kI32 || setup.dtype(0) == DType::kI64) return MakeView(setup);
  return Unary::Make(setup, "round");
}

MadeOp MakeIsNan(GpuOpSetup& setup) { return Unary::Make(setup, "is_nan", {{0, 0}}); }

MadeOp MakeIsInf(GpuOpSetup& setup) {
  const bool negative = setup.Attr<bool>("negative");
  const bool positive = setup.Attr<bool>("positive");
  return Unary::Make(setup, "is_inf", {{negative ? 1.0f : 0.0f, positive ? 1.0f : 0.0f}});
}

MadeOp MakeMod(GpuOpSetup& setup) {
  return Binary::Make(setup, setup.Attr<bool>("truncate") ? "truncate_mod" : "mod");
}

MadeOp MakeCast(GpuOpSetup& setup) {
  const DType to = setup.attrs().GetType("dtype").value();
  TFRT_ASSIGN_OR_RETURN(const Function* function,
                        setup.TypedKernel("cast", setup.dtype(0), DTypeName(to)));
  return std::make_unique<Unary>(function);
}

constexpr GpuOpRow kElementwiseRows[] = {
    kUnary<"abs">,
    kUnary<"acos">,
    kUnary<"acosh">,
    kUnary<"asin">,
    kUnary<"asinh">,
    kUnary<"atan">,
    kUnary<"atanh">,
    kUnary<"bitwise_not">,
    kUnary<"ceil">,
    kUnary<"cos">,
    kUnary<"cosh">,
    kUnary<"erf">,
    kUnary<"exp">,
    kUnary<"exp2">,
    kUnary<"expm1">,
    kUnary<"floor">,
    kUnary<"hard_swish">,
    kUnary<"log">,
    kUnary<"log1p">,
    kUnary<"logical_not">,
    kUnary<"mish">,
    kUnary<"neg">,
    kUnary<"reciprocal">,
    kUnary<"relu">,
    kUnary<"rsqrt">,
    kUnary<"sigmoid">,
    kUnary<"sign">,
    kUnary<"sin">,
    kUnary<"sinh">,
    kUnary<"softplus">,
    kUnary<"sqrt">,
    kUnary<"tan">,
    kUnary<"tanh">,
    kOneParameter<"elu", "alpha">,
    kOneParameter<"leaky_relu", "alpha">,
    kOneParameter<"swish", "alpha">,
    kTwoParameters<"hard_sigmoid", "alpha", "beta">,
    kTwoParameters<"selu", "alpha", "gamma">,
    {"bias_add", MakeBiasAdd},
    {"cast", MakeCast},
    {"gelu", MakeGelu},
    {"is_inf", MakeIsInf},
    {"is_nan", MakeIsNan},
    kBinary<"add">,
    kBinary<"bitwise_and">,
    kBinary<"bitwise_or">,
    kBinary<"bitwise_xor">,
    kBinary<"div">,
    kBinary<"equal">,
    kBinary<"greater">,
    kBinary<"greater_equal">,
    kBinary<"less">,
    kBinary<"less_equal">,
    kBinary<"logical_and">,
    kBinary<"logical_or">,
    kBinary<"logical_xor">,
    kBinary<"maximum">,
    kBinary<"minimum">,
    kBinary<"mul">,
    kBinary<"not_equal">,
    kBinary<"prelu">,
    kBinary<"relu_grad">,
    kBinary<"shift_left">,
    kBinary<"shift_right">,
    kBinary<"sub">,
    {"mod", MakeMod},
    {"pow", Power::Make},
    {"round", MakeRound},
};

}  // namespace

std::span<const GpuOpRow> ElementwiseGpuOps() { return kElementwiseRows; }

}  // namespace tfrt::gpu

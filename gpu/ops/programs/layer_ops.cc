// Ops of networks that programs call by names of rows but with other meanings.

#include <cassert>
#include <cstdint>
#include <memory>
#include <string_view>

#include "gpu/ops/gpu_ops.h"
#include "lib/ops/op_call/derived_metadata.h"
#include "program_ops.h"

namespace tfrt::gpu {
namespace {

using AttrKind = OpAttrSpec::Kind;

// Softmax of images: over all but the first dimension of [N,C,H,W], to which shapes of fewer
// dimensions are filled with ones in front. So a matrix is one image.
class ImageSoftmax final : public GpuOp {
 public:
  explicit ImageSoftmax(const Function* function) : function_(*function) {}

  static MadeOp Make(GpuOpSetup& setup) {
    TFRT_ASSIGN_OR_RETURN(const Function* function, setup.TypedKernel("softmax", setup.dtype(0)));
    return std::make_unique<ImageSoftmax>(function);
  }

  Status Run(GpuOpCall& call) const override {
    constexpr size_t kImageRank = 4;
    const TensorShape& shape = call.result(0).shape;
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    if (shape.num_elements() == 0) return OkStatus();
    const int64_t images = shape.rank() < kImageRank ? 1 : shape.dim(0);
    const int64_t elements = shape.num_elements() / images;
    return call.Launch(function_, SoftmaxLaunch(images, elements), out, call.bytes(0), images,
                       elements);
  }

 private:
  const Function& function_;
};

// True if both are floats, and the first has fewer bits.
bool IsNarrower(DType to, DType from) {
  const auto is_float = [](DType dtype) {
    return dtype == DType::kF16 || dtype == DType::kBF16 || dtype == DType::kF32 ||
           dtype == DType::kF64;
  };
  return is_float(to) && is_float(from) && DTypeSize(to) < DTypeSize(from);
}

// Numbers as another type. With `Truncate` floats lose the bits that a narrower type has not, and
// those beyond its limits become its limits.
class Cast final : public GpuOp {
 public:
  explicit Cast(const Function* function) : function_(*function) {}

  static MadeOp Make(GpuOpSetup& setup) {
    const DType from = setup.dtype(0), to = setup.attrs().GetType("DstT").value();
    const bool truncates = setup.Attr<bool>("Truncate") && IsNarrower(to, from);
    TFRT_ASSIGN_OR_RETURN(const Function* function,
                          setup.TypedKernel(truncates ? "truncate" : "cast", from, DTypeName(to)));
    return std::make_unique<Cast>(function);
  }

  Status Run(GpuOpCall& call) const override {
    const int64_t size = call.result(0).shape.num_elements();
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    return call.Launch(function_, ElementwiseLaunch(size), out, call.bytes(0), size);
  }

 private:
  const Function& function_;
};

// The relu is what `activation_mode` says, not the row's.
MadeOp MakeBatchNormEx(GpuOpSetup& setup) {
  const std::string_view mode = setup.attrs().GetString("activation_mode").value();
  if (mode != "Identity" && mode != "Relu") {
    return InvalidArgumentError(StrCat(setup.op_name(), ": activation_mode is '", mode,
                                       "', expected 'Identity' or 'Relu'"));
  }
  return MakeBatchNorm(setup, mode == "Relu");
}

}  // namespace

void RegisterProgramOps(OpRegistry* registry) {
  RegisterLayerProgramOps(registry);
  RegisterTestProgramOps(registry);
  assert(registry->first_error().ok());
}

void RegisterLayerProgramOps(OpRegistry* registry) {
  registry->Add({.name = "tf.Softmax",
                 .summary = "Softmax over all but the first dimension of images [N,C,H,W].",
                 .arguments = {{"logits"}},
                 .results = {"probabilities"},
                 .metadata = MetadataFunctionOf(ShapeRuleNumber::kSoftmaxRule),
                 .composite = &RunMade<&ImageSoftmax::Make>});
  registry->Add({.name = "tf.Cast",
                 .summary = "Numbers as `DstT`, with `Truncate` rounded towards zero.",
                 .arguments = {{"x"}},
                 .attrs = {{"DstT", AttrKind::kType}, {"Truncate", AttrKind::kBool, "false"}},
                 .results = {"y"},
                 .metadata = MetadataFunctionOf(ShapeRuleNumber::kCastRule),
                 .composite = &RunMade<&Cast::Make>});
  registry->Add(
      {.name = "tf._FusedBatchNormEx",
       .summary = "Batch normalisation, plus `side_input`, and then an activation.",
       .arguments = {{"x"},
                     {"scale"},
                     {"offset"},
                     {"mean"},
                     {"variance"},
                     {"side_input", OpArgumentSpec::Kind::kOptional}},
       .attrs = {{"activation_mode", AttrKind::kString, "\"Identity\""},
                 {"data_format", AttrKind::kString, "\"NHWC\""},
                 {"epsilon", AttrKind::kF32, "1e-4f"},
                 {"exponential_avg_factor", AttrKind::kF32, "1.0f"},
                 {"is_training", AttrKind::kBool, "false"}},
       .results = {"y", "batch_mean", "batch_variance", "reserve_1", "reserve_2", "reserve_3"},
       .metadata = MetadataFunctionOf(ShapeRuleNumber::kBatchNormRule),
       .composite = &RunMade<&MakeBatchNormEx>});
}

}  // namespace tfrt::gpu

#include "library_windows.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "gpu/abi/cudnn_types.h"
#include "gpu/libraries/dnn/context_plans.h"
#include "gpu/libraries/dnn/forms.h"
#include "gpu/libraries/dnn/graphs.h"
#include "gpu/libraries/dnn/run_plan.h"
#include "gpu/runtime/context.h"
#include "tfrt/support/small_array.h"

namespace tfrt::gpu {
namespace {

constexpr std::string_view kLibrary = "cuDNN";

// As for products: smaller convolutions are those of our kernels where the library is only found. A
// guess until hardware has been measured.
constexpr int64_t kLeastMultiplications = int64_t{1} << 21;

std::optional<cudnn::cudnnDataType_t> TypeOf(DType dtype) {
  switch (dtype) {
    case DType::kF16:
      return cudnn::CUDNN_DATA_HALF;
    case DType::kBF16:
      return cudnn::CUDNN_DATA_BFLOAT16;
    case DType::kF32:
      return cudnn::CUDNN_DATA_FLOAT;
    default:
      return std::nullopt;
  }
}

// The number of spatial dimensions that the library gets: two, where the first of three is unused.
size_t FirstSpatial(const DeviceWindows& windows) {
  return windows.in[0] == 1 && windows.out[0] == 1 && windows.taps[0] == 1 && windows.before[0] == 0
             ? 1
             : 0;
}

dnn::TensorForm FormOf(cudnn::cudnnDataType_t type, int64_t first, int64_t second,
                       const SpatialNumbers& spatial, size_t first_spatial, bool channels_last) {
  dnn::TensorForm form;
  form.type = type;
  form.dims = {first, second};
  form.dims.insert(form.dims.end(), spatial.begin() + first_spatial, spatial.end());
  form.strides = channels_last ? dnn::ChannelsLastStrides(form.dims) : dnn::RowStrides(form.dims);
  return form;
}

dnn::WindowForm WindowOf(const DeviceWindows& windows, size_t first_spatial) {
  dnn::WindowForm form;
  for (size_t i = first_spatial; i < windows.in.size(); ++i) {
    // The pixels that the last window uses behind the image. Those that no window uses are left.
    const int64_t end = int64_t{windows.out[i] - 1} * windows.stride[i] +
                        int64_t{windows.taps[i] - 1} * windows.dilation[i] + 1;
    form.padding_before.push_back(windows.before[i]);
    form.padding_after.push_back(std::max<int64_t>(end - windows.in[i] - windows.before[i], 0));
    form.strides.push_back(windows.stride[i]);
    form.dilations.push_back(windows.dilation[i]);
    form.sizes.push_back(windows.taps[i]);
  }
  return form;
}

// A run of a plan. The bytes of the command are those of the tensors, and last the workspace.
class PlanCommand final : public LibraryCommand {
 public:
  PlanCommand(std::shared_ptr<const dnn::Plan> plan, std::vector<int64_t> ids)
      : plan_(std::move(plan)), ids_(std::move(ids)) {}

  StatusOr<Point> Enqueue(Stream& stream, std::span<const MemoryRange> bytes) const override {
    SmallArray<dnn::BoundTensor, 6> tensors(ids_.size());
    for (size_t i = 0; i < ids_.size(); ++i) tensors[i] = {ids_[i], bytes[i]};
    return dnn::RunPlan(stream, plan_->built, tensors.span(), {}, bytes.back());
  }

 private:
  const std::shared_ptr<const dnn::Plan> plan_;
  const std::vector<int64_t> ids_;
};

// The forms of a convolution's tensors.
struct ConvolutionTensors {
  ConvolutionTensors(cudnn::cudnnDataType_t type, const DeviceWindows& w)
      : first_spatial(FirstSpatial(w)),
        channels_last(w.channels_last != 0),
        image(FormOf(type, w.batch, int64_t{w.groups} * w.channels, w.in, first_spatial,
                     channels_last)),
        filter(FormOf(type, int64_t{w.groups} * w.outputs, w.channels, w.taps, first_spatial,
                      channels_last)),
        result(FormOf(type, w.batch, int64_t{w.groups} * w.outputs, w.out, first_spatial,
                      channels_last)) {}

  // The bias of each channel of the result.
  dnn::TensorForm Bias() const {
    dnn::TensorForm form;
    form.type = result.type;
    form.dims.resize(result.dims.size(), 1);
    form.dims[1] = result.dims[1];
    form.strides = channels_last ? dnn::ChannelsLastStrides(form.dims) : dnn::RowStrides(form.dims);
    return form;
  }

  size_t first_spatial;
  bool channels_last;
  dnn::TensorForm image, filter, result;
};

// Permutations of filters with the channels last: [...,C,O] to the library's [O,...,C], and back.
// Dimension i of the result is dimension order[i] of the source.
std::vector<int64_t> ToLibrary(size_t rank) {
  std::vector<int64_t> order = {static_cast<int64_t>(rank) - 1};
  for (size_t i = 0; i + 1 < rank; ++i) order.push_back(static_cast<int64_t>(i));
  return order;
}
std::vector<int64_t> FromLibrary(size_t rank) {
  std::vector<int64_t> order;
  for (size_t i = 1; i < rank; ++i) order.push_back(static_cast<int64_t>(i));
  order.push_back(0);
  return order;
}

bool IsAligned(const OpBytes& bytes) { return bytes.size_bytes == 0 || bytes.low_bits() == 0; }

}  // namespace

StatusOr<WindowLibrary> WindowLibrary::Make(GpuOpSetup& setup, DType dtype) {
  TFRT_ASSIGN_OR_RETURN(LibraryChoice choice, LibraryChoiceFromEnvironment());
  WindowLibrary made(choice, dtype);
  if (choice != LibraryChoice::kOwn && TypeOf(dtype)) {
    TFRT_ASSIGN_OR_RETURN(made.permute_, PermuteKernel::Make(setup, dtype));
  }
  return made;
}

StatusOr<std::shared_ptr<const dnn::Plan>> WindowLibrary::FindPlan(GpuOpCall& call,
                                                                   const dnn::Graph& graph) const {
  Context& context = call.device().context();
  if (Status opened = dnn::PlansOf(context).status(); !opened.ok()) {
    TFRT_RETURN_IF_ERROR(NoteMissingLibrary(call.op_name(), kLibrary, choice_, opened));
    return std::shared_ptr<const dnn::Plan>();
  }
  dnn::PlanChoice choice;
  choice.allow_tf32 = context.options().allow_tf32;
  StatusOr<std::shared_ptr<const dnn::Plan>> plan = dnn::GetPlan(context, graph, choice);
  if (plan.ok()) return plan;
  const bool is_refused = plan.status().code() == StatusCode::kUnimplemented;
  if (choice_ == LibraryChoice::kVendor && !is_refused) return plan;
  NoteLibraryUse(call.op_name(), kLibrary, LibraryReason::kUnsupported);
  return std::shared_ptr<const dnn::Plan>();
}

Status WindowLibrary::AddPlan(GpuOpCall& call, std::shared_ptr<const dnn::Plan> plan,
                              std::vector<int64_t> ids, std::vector<OpBytes> bytes) const {
  TFRT_ASSIGN_OR_RETURN(OpBytes workspace,
                        call.Scratch(static_cast<size_t>(plan->built.workspace_bytes)));
  bytes.push_back(workspace);
  call.CallLibrary(std::make_unique<PlanCommand>(std::move(plan), std::move(ids)),
                   std::move(bytes));
  NoteLibraryUse(call.op_name(), kLibrary, LibraryReason::kServes);
  return OkStatus();
}

StatusOr<bool> WindowLibrary::Add(GpuOpCall& call, const LibraryConvolution& convolution) const {
  using Kind = LibraryConvolution::Kind;
  const DeviceWindows& windows = convolution.windows;
  auto use_own = [&](LibraryReason reason) {
    NoteLibraryUse(call.op_name(), kLibrary, reason);
    return false;
  };
  if (choice_ == LibraryChoice::kOwn) return use_own(LibraryReason::kOwnChosen);
  if (!TypeOf(dtype_)) return use_own(LibraryReason::kUnsupported);
  const int64_t multiplications = windows.filter_size() * windows.batch * windows.out_pixels();
  if (choice_ == LibraryChoice::kWhereFound && multiplications < kLeastMultiplications) {
    return use_own(LibraryReason::kSmall);
  }
  const bool has_bias = convolution.bias.size_bytes != 0;
  const bool has_addend = convolution.addend.size_bytes != 0;
  bool is_served = convolution.image.size_bytes != 0 && convolution.filter.size_bytes != 0 &&
                   convolution.result.size_bytes != 0 &&
                   (convolution.kind == Kind::kForward || (!has_bias && !has_addend));
  for (const OpBytes* bytes : {&convolution.image, &convolution.filter, &convolution.result,
                               &convolution.bias, &convolution.addend}) {
    is_served = is_served && IsAligned(*bytes);
  }
  if (!is_served) return use_own(LibraryReason::kUnsupported);

  const ConvolutionTensors tensors(*TypeOf(dtype_), windows);
  dnn::ConvolutionForm form;
  form.x = tensors.image;
  form.w = tensors.filter;
  form.y = tensors.result;
  form.window = WindowOf(windows, tensors.first_spatial);
  if (convolution.kind == Kind::kInputGrad) form.operation = dnn::GraphOperation::kDataGradient;
  if (convolution.kind == Kind::kFilterGrad) form.operation = dnn::GraphOperation::kFilterGradient;
  if (has_addend) form.addend = tensors.result;
  if (has_bias) form.bias = tensors.Bias();
  if (convolution.activation == MatMulActivation::kRelu) {
    form.activation.kind = dnn::GraphActivation::kRelu;
  } else if (convolution.activation == MatMulActivation::kRelu6) {
    form.activation.kind = dnn::GraphActivation::kClippedRelu;
  }
  StatusOr<dnn::Graph> graph = dnn::MakeConvolutionGraph(form);
  if (!graph.ok() || !dnn::CheckListed(dnn::FormOf(form)).ok()) {
    return use_own(LibraryReason::kUnsupported);
  }
  TFRT_ASSIGN_OR_RETURN(std::shared_ptr<const dnn::Plan> plan, FindPlan(call, *graph));
  if (!plan) return false;

  // The library wants filters with the channels last in another order.
  OpBytes filter = convolution.filter;
  std::vector<int64_t> dims;
  if (tensors.channels_last) {
    for (size_t i = tensors.first_spatial; i < windows.taps.size(); ++i) {
      dims.push_back(windows.taps[i]);
    }
    dims.push_back(windows.channels);
    dims.push_back(int64_t{windows.groups} * windows.outputs);
    TFRT_ASSIGN_OR_RETURN(filter, call.Scratch(convolution.filter.size_bytes));
    if (convolution.kind != Kind::kFilterGrad) {
      TFRT_RETURN_IF_ERROR(
          permute_->Run(call, filter, convolution.filter, dims, ToLibrary(dims.size())));
    }
  }
  std::vector<int64_t> ids = {dnn::kInputId, dnn::kFilterId, dnn::kOutputId};
  std::vector<OpBytes> bytes = {convolution.image, filter, convolution.result};
  if (has_addend) {
    ids.push_back(dnn::kAddendId);
    bytes.push_back(convolution.addend);
  }
  if (has_bias) {
    ids.push_back(dnn::kBiasId);
    bytes.push_back(convolution.bias);
  }
  TFRT_RETURN_IF_ERROR(AddPlan(call, std::move(plan), std::move(ids), std::move(bytes)));
  if (!tensors.channels_last || convolution.kind != Kind::kFilterGrad) return true;
  std::vector<int64_t> library_dims = {dims.back()};
  library_dims.insert(library_dims.end(), dims.begin(), dims.end() - 1);
  TFRT_RETURN_IF_ERROR(permute_->Run(call, convolution.filter, filter, library_dims,
                                     FromLibrary(library_dims.size())));
  return true;
}

StatusOr<bool> WindowLibrary::AddPool(GpuOpCall& call, const DeviceWindows& windows,
                                      const OpBytes& out, const OpBytes& image,
                                      bool is_average) const {
  auto use_own = [&](LibraryReason reason) {
    NoteLibraryUse(call.op_name(), kLibrary, reason);
    return false;
  };
  if (choice_ == LibraryChoice::kOwn) return use_own(LibraryReason::kOwnChosen);
  if (!TypeOf(dtype_)) return use_own(LibraryReason::kUnsupported);
  if (choice_ == LibraryChoice::kWhereFound) return use_own(LibraryReason::kMemoryBound);
  const bool is_dilated =
      std::ranges::any_of(windows.dilation, [](int32_t dilation) { return dilation != 1; });
  if (is_dilated || image.size_bytes == 0 || !IsAligned(image)) {
    return use_own(LibraryReason::kUnsupported);
  }
  const size_t first = FirstSpatial(windows);
  const bool channels_last = windows.channels_last != 0;
  const cudnn::cudnnDataType_t type = *TypeOf(dtype_);
  dnn::PoolForm form;
  form.operation =
      is_average ? dnn::GraphOperation::kAveragePoolInside : dnn::GraphOperation::kMaxPool;
  form.x = FormOf(type, windows.batch, windows.channels, windows.in, first, channels_last);
  form.y = FormOf(type, windows.batch, windows.channels, windows.out, first, channels_last);
  form.window = WindowOf(windows, first);
  StatusOr<dnn::Graph> graph = dnn::MakePoolGraph(form);
  if (!graph.ok() || !dnn::CheckListed(dnn::FormOf(form)).ok()) {
    return use_own(LibraryReason::kUnsupported);
  }
  TFRT_ASSIGN_OR_RETURN(std::shared_ptr<const dnn::Plan> plan, FindPlan(call, *graph));
  if (!plan) return false;
  TFRT_RETURN_IF_ERROR(
      AddPlan(call, std::move(plan), {dnn::kInputId, dnn::kOutputId}, {image, out}));
  return true;
}

}  // namespace tfrt::gpu

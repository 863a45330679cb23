// Convolutions and pools, and their gradients.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string_view>
#include <vector>

#include "activation.h"
#include "gpu/device_code/launch_blocks.h"
#include "gpu/device_code/launch_windows.h"
#include "gpu_ops.h"
#include "kernels.h"
#include "lib/ops/host_ops/image_windows.h"
#include "lib/ops/host_ops/window_attrs.h"
#include "lib/ops/maths/shapes/nd_windows.h"
#include "lib/ops/maths/shapes/window_geometry.h"
#include "lib/runtime/tensor/dense_integers.h"
#include "library_windows.h"
#include "widen_kernel.h"

namespace tfrt::gpu {
namespace {

using MadeOp = StatusOr<std::unique_ptr<const GpuOp>>;

// Returns false, and sets nothing, if a number has more than 31 bits.
bool SetDimension(const WindowDimension& from, size_t at, DeviceWindows* to) {
  const int64_t numbers[] = {from.input,  from.output,   from.filter,
                             from.stride, from.dilation, from.pad_before};
  for (int64_t number : numbers) {
    if (number < 0 || number > std::numeric_limits<int32_t>::max()) return false;
  }
  to->in[at] = static_cast<int32_t>(from.input);
  to->out[at] = static_cast<int32_t>(from.output);
  to->taps[at] = static_cast<int32_t>(from.filter);
  to->stride[at] = static_cast<int32_t>(from.stride);
  to->dilation[at] = static_cast<int32_t>(from.dilation);
  to->before[at] = static_cast<int32_t>(from.pad_before);
  return true;
}

struct ImageSizes {
  int64_t batch, groups, channels, outputs;  // channels and outputs of one group
};

// Returns the numbers that kernels of windows take. InvalidArgument for images that are too large.
StatusOr<DeviceWindows> WindowsOf(const GpuOpCall& call, std::span<const WindowDimension> dims,
                                  const ImageSizes& sizes, bool channels_last) {
  DeviceWindows windows;
  bool fits = true;
  for (size_t i = 0; i < dims.size(); ++i) {
    fits = fits && SetDimension(dims[i], 3 - dims.size() + i, &windows);
  }
  for (int64_t size : {sizes.batch, sizes.groups, sizes.channels, sizes.outputs}) {
    fits = fits && size <= std::numeric_limits<int32_t>::max();
  }
  windows.batch = static_cast<int32_t>(sizes.batch);
  windows.groups = static_cast<int32_t>(sizes.groups);
  windows.channels = static_cast<int32_t>(sizes.channels);
  windows.outputs = static_cast<int32_t>(sizes.outputs);
  windows.channels_last = channels_last ? 1 : 0;
  if (fits && windows.fits_conv()) return windows;
  return InvalidArgumentError(
      StrCat(call.op_name(), ": the images are too large for ", call.device().name()));
}

// The windows of conv2d and its gradients.
StatusOr<DeviceWindows> WindowsOf(const GpuOpCall& call, const Conv2dGeometry& geometry,
                                  bool channels_last = true) {
  const WindowDimension dims[] = {geometry.window.rows, geometry.window.columns};
  return WindowsOf(call, dims,
                   {geometry.batch, 1, geometry.input_channels, geometry.output_channels},
                   channels_last);
}

// Returns the shape [N,H,W,C] of images whose shape is that, or [N,C,H,W]. Others are unchanged.
TensorShape ChannelsLast(const TensorShape& shape, const ImageWindows& windows) {
  if (windows.channels_last || shape.rank() != 4) return shape;
  return {shape.dim(0), shape.dim(2), shape.dim(3), shape.dim(1)};
}

// Launches with the arguments WINDOWS of conv.cu after the others.
template <typename... Args>
Status LaunchConv(GpuOpCall& call, const Function& function, DeviceLaunch launch,
                  const DeviceWindows& w, const Args&... args) {
  return call.Launch(function, launch, args..., w.batch, w.groups, w.channels, w.outputs, w.in[0],
                     w.in[1], w.in[2], w.out[0], w.out[1], w.out[2], w.taps[0], w.taps[1],
                     w.taps[2], w.stride[0], w.stride[1], w.stride[2], w.dilation[0], w.dilation[1],
                     w.dilation[2], w.before[0], w.before[1], w.before[2], w.channels_last);
}
// Launches with the arguments POOL of max_pool.cu after the others.
template <typename... Args>
Status LaunchPool(GpuOpCall& call, const Function& function, DeviceLaunch launch,
                  const DeviceWindows& w, const Args&... args) {
  return call.Launch(function, launch, args..., w.batch, w.channels, w.in[0], w.in[1], w.in[2],
                     w.out[0], w.out[1], w.out[2], w.taps[0], w.taps[1], w.taps[2], w.stride[0],
                     w.stride[1], w.stride[2], w.dilation[0], w.dilation[1], w.dilation[2],
                     w.before[0], w.before[1], w.before[2], w.channels_last);
}

// Reads the attribute `activation`, and `alpha` and `beta` where the row has them.
StatusOr<Activation> ActivationOf(GpuOpSetup& setup) {
  const OpAttrsRef& attrs = setup.attrs();
  return Activation::Make(setup, attrs.GetString("activation").value_or("none"),
                          attrs.Get<float>("alpha").value_or(1),
                          attrs.Get<float>("beta").value_or(0));
}

Status CheckSameDTypes(const GpuOpSetup& setup, std::initializer_list<size_t> arguments) {
  const DType dtype = setup.dtype(*arguments.begin());
  for (size_t argument : arguments) {
    if (setup.has(argument) && setup.dtype(argument) != dtype) {
      return setup.DifferentDTypes(dtype, setup.dtype(argument));
    }
  }
  return OkStatus();
}

// --- Images [N,H,W,C], or of some rows [N,C,H,W], and filters [H,W,C,O].

// conv2d, conv2d_bias and conv2d_bias_add.
class Conv2D final : public GpuOp {
 public:
  Conv2D(const Function* function, WindowLibrary library,
         std::optional<PermuteKernel> permute_filter, const ImageWindows& windows,
         Activation activation)
      : function_(*function),
        library_(std::move(library)),
        permute_filter_(std::move(permute_filter)),
        windows_(windows),
        activation_(activation) {}

  static MadeOp Make(GpuOpSetup& setup) {
    TFRT_RETURN_IF_ERROR(CheckSameDTypes(setup, {0, 1, 2, 3}));
    TFRT_ASSIGN_OR_RETURN(ImageWindows windows, ParseImageWindows(setup.attrs()));
    TFRT_ASSIGN_OR_RETURN(const Function* function, setup.TypedKernel("conv", setup.dtype(0)));
    TFRT_ASSIGN_OR_RETURN(Activation activation, ActivationOf(setup));
    std::optional<PermuteKernel> permute;
    if (!windows.channels_last) {
      TFRT_ASSIGN_OR_RETURN(permute, PermuteKernel::Make(setup, setup.dtype(0)));
    }
    TFRT_ASSIGN_OR_RETURN(WindowLibrary library, WindowLibrary::Make(setup, setup.dtype(0)));
    return std::make_unique<Conv2D>(function, std::move(library), std::move(permute), windows,
                                    activation);
  }

  Status Run(GpuOpCall& call) const override {
    TFRT_ASSIGN_OR_RETURN(Conv2dGeometry geometry,
                          ConvolutionGeometry(ChannelsLast(call.argument(0).shape, windows_),
                                              call.argument(1).shape, windows_));
    TFRT_ASSIGN_OR_RETURN(DeviceWindows windows, WindowsOf(call, geometry, windows_.channels_last));
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    if (out.size_bytes == 0) return OkStatus();
    TFRT_ASSIGN_OR_RETURN(OpBytes filter, Filter(call));
    const OpBytes bias = call.has(2) ? call.bytes(2) : OpBytes();
    const OpBytes addend = call.has(3) ? call.bytes(3) : OpBytes();
    TFRT_ASSIGN_OR_RETURN(bool is_served,
                          library_.Add(call, {.windows = windows,
                                              .image = call.bytes(0),
                                              .filter = filter,
                                              .result = out,
                                              .bias = bias,
                                              .addend = addend,
                                              .activation = activation_.of_sums()}));
    if (!is_served) {
      TFRT_RETURN_IF_ERROR(LaunchConv(call, function_, ConvLaunch(windows), windows, out,
                                      call.bytes(0), filter, bias, addend,
                                      activation_.in_kernel()));
    }
    return activation_.Run(call, out, call.result(0).shape.num_elements());
  }

 private:
  // Returns the filter as the kernel takes it: [O,C,H,W] where the images are [N,C,H,W].
  StatusOr<OpBytes> Filter(GpuOpCall& call) const {
    const OpBytes given = call.bytes(1);
    if (!permute_filter_) return given;
    constexpr int64_t kPermutation[] = {3, 2, 0, 1};
    TFRT_ASSIGN_OR_RETURN(OpBytes filter, call.Scratch(given.size_bytes));
    TFRT_RETURN_IF_ERROR(
        permute_filter_->Run(call, filter, given, call.argument(1).shape.dims(), kPermutation));
    return filter;
  }

  const Function& function_;
  const WindowLibrary library_;
  const std::optional<PermuteKernel> permute_filter_;  // null: kernels take it as it is
  const ImageWindows windows_;  // its texts are those of the attributes, which outlive the op
  const Activation activation_;
};

// The gradient of one argument of conv2d from the gradient of its result and the other argument.
class Conv2DGrad final : public GpuOp {
 public:
  static MadeOp MakeInputGrad(GpuOpSetup& setup) { return Make(setup, /*of_input=*/true); }
  static MadeOp MakeFilterGrad(GpuOpSetup& setup) { return Make(setup, /*of_input=*/false); }

  Status Run(GpuOpCall& call) const override {
    const TensorShape& made = call.result(0).shape;
    if (made.rank() != 4) {
      return InvalidArgumentError(StrCat(call.op_name(), ": the sizes ", made.ToString(),
                                         " are not those of a tensor of rank 4"));
    }
    const TensorShape& other = call.argument(of_input_ ? 1 : 0).shape;
    const TensorShape &image = of_input_ ? made : other, &filter = of_input_ ? other : made;
    TFRT_ASSIGN_OR_RETURN(Conv2dGeometry geometry, ConvolutionGeometry(image, filter, windows_));
    TFRT_ASSIGN_OR_RETURN(TensorShape expected, geometry.OutputShape());
    TFRT_RETURN_IF_ERROR(
        CheckShapesMatch("out_backprop", call.argument(2).shape, "the convolution", expected));
    TFRT_ASSIGN_OR_RETURN(DeviceWindows windows, WindowsOf(call, geometry));
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    if (out.size_bytes == 0) return OkStatus();
    if (call.argument(2).shape.num_elements() == 0) return call.Clear(out);
    using Kind = LibraryConvolution::Kind;
    TFRT_ASSIGN_OR_RETURN(
        bool is_served,
        library_.Add(call, {.kind = of_input_ ? Kind::kInputGrad : Kind::kFilterGrad,
                            .windows = windows,
                            .image = of_input_ ? out : call.bytes(0),
                            .filter = of_input_ ? call.bytes(1) : out,
                            .result = call.bytes(2)}));
    if (is_served) return OkStatus();
    if (of_input_) {
      return LaunchConv(call, function_, ConvInputGradLaunch(windows), windows, out, call.bytes(2),
                        call.bytes(1), OpBytes());
    }
    const int32_t num_parts = ConvFilterGradParts(windows);
    const int64_t size = windows.filter_size();
    const size_t sum_bytes = call.result(0).dtype == DType::kF64 ? 8 : 4;
    TFRT_ASSIGN_OR_RETURN(OpBytes parts,
                          call.Scratch(static_cast<size_t>(num_parts * size) * sum_bytes));
    TFRT_RETURN_IF_ERROR(LaunchConv(call, function_, ConvFilterGradLaunch(windows), windows, parts,
                                    call.bytes(0), call.bytes(2), num_parts));
    return call.Launch(*add_parts_, ThreadsLaunch(size), out, parts, num_parts, size);
  }

 private:
  Conv2DGrad(const Function* function, const Function* add_parts, WindowLibrary library,
             const ImageWindows& windows, bool of_input)
      : function_(*function),
        add_parts_(add_parts),
        library_(std::move(library)),
        windows_(windows),
        of_input_(of_input) {}

  static MadeOp Make(GpuOpSetup& setup, bool of_input) {
    const DType dtype = setup.dtype(2);
    const DType other = setup.dtype(of_input ? 1 : 0);
    if (other != dtype) return setup.DifferentDTypes(other, dtype);
    TFRT_ASSIGN_OR_RETURN(ImageWindows windows, ParseChannelsLast(setup.attrs()));
    if (windows.dilations[0] != 1 || windows.dilations[1] != 1) {
      return InvalidArgumentError(StrCat(setup.op_name(), " does not support dilations, but got ",
                                         windows.dilations[0], " and ", windows.dilations[1]));
    }
    if (windows.is_explicit) {
      return InvalidArgumentError(StrCat(setup.op_name(), " does not support explicit padding"));
    }
    const Function* add_parts = nullptr;
    if (!of_input) {
      TFRT_ASSIGN_OR_RETURN(add_parts, setup.TypedKernel("add_parts", dtype));
    }
    TFRT_ASSIGN_OR_RETURN(
        const Function* function,
        setup.TypedKernel(of_input ? "conv_input_grad" : "conv_filter_grad", dtype));
    TFRT_ASSIGN_OR_RETURN(WindowLibrary library, WindowLibrary::Make(setup, dtype));
    return std::unique_ptr<const GpuOp>(
        new Conv2DGrad(function, add_parts, std::move(library), windows, of_input));
  }

  const Function& function_;
  const Function* const add_parts_;
  const WindowLibrary library_;
  const ImageWindows windows_;
  const bool of_input_;
};

// max_pool2d, avg_pool2d and the gradient of the former.
class Pool2D final : public GpuOp {
 public:
  enum class Kind : uint8_t { kMax, kAverage, kMaxGrad };
  Pool2D(const Function* function, WindowLibrary library, const ImageWindows& windows,
         OpAttrsRef attrs, Kind kind)
      : function_(*function),
        library_(std::move(library)),
        windows_(windows),
        attrs_(std::move(attrs)),
        kind_(kind) {}

  static MadeOp Make(GpuOpSetup& setup, std::string_view kernel, Kind kind) {
    TFRT_ASSIGN_OR_RETURN(ImageWindows windows, ParseImageWindows(setup.attrs()));
    TFRT_ASSIGN_OR_RETURN(const Function* function, setup.TypedKernel(kernel, setup.dtype(0)));
    TFRT_ASSIGN_OR_RETURN(WindowLibrary library, WindowLibrary::Make(setup, setup.dtype(0)));
    return std::make_unique<Pool2D>(function, std::move(library), windows, setup.attrs(), kind);
  }

  Status Run(GpuOpCall& call) const override {
    const TensorShape shape = ChannelsLast(call.argument(0).shape, windows_);
    TFRT_ASSIGN_OR_RETURN(Window2d window, PoolingWindow(shape, windows_, attrs_));
    const WindowDimension dims[] = {window.rows, window.columns};
    TFRT_ASSIGN_OR_RETURN(
        DeviceWindows windows,
        WindowsOf(call, dims, {shape.dim(0), 1, shape.dim(3), 1}, windows_.channels_last));
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    if (out.size_bytes == 0) return OkStatus();
    if (kind_ != Kind::kMaxGrad) {
      TFRT_ASSIGN_OR_RETURN(bool is_served, library_.AddPool(call, windows, out, call.bytes(0),
                                                             kind_ == Kind::kAverage));
      if (is_served) return OkStatus();
    }
    switch (kind_) {
      case Kind::kMax:
        return LaunchPool(call, function_, PoolLaunch(windows), windows, out, OpBytes(),
                          call.bytes(0));
      case Kind::kAverage:
        return LaunchPool(call, function_, PoolLaunch(windows), windows, out, call.bytes(0),
                          int32_t{0}, int32_t{0}, int32_t{0}, int32_t{0});
      case Kind::kMaxGrad:
        return LaunchPool(call, function_, PoolGradLaunch(windows), windows, out, call.bytes(0),
                          call.bytes(1), call.bytes(2));
    }
    return OkStatus();
  }

 private:
  const Function& function_;
  const WindowLibrary library_;
  const ImageWindows windows_;
  const OpAttrsRef attrs_;
  const Kind kind_;
};

MadeOp MakeMaxPool2D(GpuOpSetup& setup) {
  return Pool2D::Make(setup, "max_pool", Pool2D::Kind::kMax);
}
MadeOp MakeAveragePool2D(GpuOpSetup& setup) {
  return Pool2D::Make(setup, "average_pool", Pool2D::Kind::kAverage);
}
MadeOp MakeMaxPool2DGrad(GpuOpSetup& setup) {
  TFRT_RETURN_IF_ERROR(CheckSameDTypes(setup, {0, 1, 2}));
  return Pool2D::Make(setup, "max_pool_grad", Pool2D::Kind::kMaxGrad);
}

// --- Images with any order of channels and up to three spatial dimensions.

std::span<const WindowDimension> DimensionsOf(const NdWindows& windows) {
  return std::span(windows.dims).last(windows.num_spatial);
}

// The windows of a convolution, whose filter is [O,C,...] or, with the channels last, [...,C,O].
StatusOr<NdWindows> GeometryOf(const TensorShape& in, const TensorShape& out,
                               const TensorShape& filter, const NdWindowAttributes& attributes) {
  std::vector<int64_t> taps;
  for (size_t i = 0; i + 2 < filter.rank(); ++i) {
    taps.push_back(filter.dim(attributes.channels_last ? i : i + 2));
  }
  return NdWindows::Create(in, out, taps, attributes);
}
StatusOr<DeviceWindows> WindowsOf(const GpuOpCall& call, const NdWindows& geometry,
                                  const TensorShape& filter, const OpAttrsRef& attrs) {
  const bool last = geometry.channels_last;
  const size_t rank = filter.rank();
  const int64_t groups = attrs.Get<int64_t>("groups").value_or(1);
  const int64_t channels = filter.dim(last ? rank - 2 : 1);
  const int64_t all_outputs = filter.dim(last ? rank - 1 : 0);
  if (groups < 1 || all_outputs % groups != 0 || geometry.channels != groups * channels) {
    return InvalidArgumentError(StrCat(call.op_name(), ": the filter ", filter.ToString(),
                                       " is not for ", geometry.channels, " channels in ", groups,
                                       " groups"));
  }
  const int64_t outputs = all_outputs / groups;
  return WindowsOf(call, DimensionsOf(geometry), {geometry.batch, groups, channels, outputs}, last);
}

// conv and fused_conv: filters [O,C,...], or [...,C,O] with the channels last.
class Conv final : public GpuOp {
 public:
  Conv(const Function* function, WindowLibrary library, OpAttrsRef attrs, Activation activation)
      : function_(*function),
        library_(std::move(library)),
        attrs_(std::move(attrs)),
        activation_(activation) {}

  static MadeOp Make(GpuOpSetup& setup) {
    TFRT_RETURN_IF_ERROR(CheckSameDTypes(setup, {0, 1, 2, 3}));
    TFRT_ASSIGN_OR_RETURN(const Function* function, setup.TypedKernel("conv", setup.dtype(0)));
    TFRT_ASSIGN_OR_RETURN(Activation activation, ActivationOf(setup));
    TFRT_ASSIGN_OR_RETURN(WindowLibrary library, WindowLibrary::Make(setup, setup.dtype(0)));
    return std::make_unique<Conv>(function, std::move(library), setup.attrs(), activation);
  }

  Status Run(GpuOpCall& call) const override {
    const TensorShape &filter = call.argument(1).shape, &out_shape = call.result(0).shape;
    TFRT_ASSIGN_OR_RETURN(NdWindows geometry, GeometryOf(call.argument(0).shape, out_shape, filter,
                                                         WindowAttributesOf(attrs_)));
    TFRT_ASSIGN_OR_RETURN(DeviceWindows windows, WindowsOf(call, geometry, filter, attrs_));
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    if (out.size_bytes == 0) return OkStatus();
    const OpBytes bias = call.has(2) ? call.bytes(2) : OpBytes();
    const OpBytes addend = call.has(3) ? call.bytes(3) : OpBytes();
    TFRT_ASSIGN_OR_RETURN(bool is_served,
                          library_.Add(call, {.windows = windows,
                                              .image = call.bytes(0),
                                              .filter = call.bytes(1),
                                              .result = out,
                                              .bias = bias,
                                              .addend = addend,
                                              .activation = activation_.of_sums()}));
    if (!is_served) {
      TFRT_RETURN_IF_ERROR(LaunchConv(call, function_, ConvLaunch(windows), windows, out,
                                      call.bytes(0), call.bytes(1), bias, addend,
                                      activation_.in_kernel()));
    }
    return activation_.Run(call, out, out_shape.num_elements());
  }

 private:
  const Function& function_;
  const WindowLibrary library_;
  const OpAttrsRef attrs_;
  const Activation activation_;
};

// The gradient of a convolution of images [N,C,...] or [N,...,C] with respect to these.
class ConvTranspose final : public GpuOp {
 public:
  ConvTranspose(const Function* function, WindowLibrary library, OpAttrsRef attrs)
      : function_(*function), library_(std::move(library)), attrs_(std::move(attrs)) {}

  static MadeOp Make(GpuOpSetup& setup) {
    TFRT_RETURN_IF_ERROR(CheckSameDTypes(setup, {0, 1, 2}));
    TFRT_ASSIGN_OR_RETURN(const Function* function,
                          setup.TypedKernel("conv_input_grad", setup.dtype(0)));
    TFRT_ASSIGN_OR_RETURN(WindowLibrary library, WindowLibrary::Make(setup, setup.dtype(0)));
    return std::make_unique<ConvTranspose>(function, std::move(library), setup.attrs());
  }

  Status Run(GpuOpCall& call) const override {
    const NdWindowAttributes attributes = WindowAttributesOf(attrs_);
    TFRT_ASSIGN_OR_RETURN(NdWindows geometry,
                          GeometryOf(call.result(0).shape, call.argument(0).shape,
                                     call.argument(1).shape, attributes));
    const auto output_padding =
        attrs_.GetArray<int64_t>("output_padding").value_or(std::span<const int64_t>());
    if (attributes.padding != "explicit") {
      const size_t count = std::min(geometry.num_spatial, output_padding.size());
      for (size_t i = 0; i < count; ++i) {
        WindowDimension& dim = geometry.dims[NdWindows::kMaxSpatial - count + i];
        dim.pad_before = PadBeforeTransposed(dim.filter, dim.dilation, dim.stride,
                                             output_padding[i], attributes.padding == "same_lower");
      }
    }
    TFRT_ASSIGN_OR_RETURN(DeviceWindows windows,
                          WindowsOf(call, geometry, call.argument(1).shape, attrs_));
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    if (out.size_bytes == 0) return OkStatus();
    const OpBytes bias = call.has(2) ? call.bytes(2) : OpBytes();
    TFRT_ASSIGN_OR_RETURN(bool is_served,
                          library_.Add(call, {.kind = LibraryConvolution::Kind::kInputGrad,
                                              .windows = windows,
                                              .image = out,
                                              .filter = call.bytes(1),
                                              .result = call.bytes(0),
                                              .bias = bias}));
    if (is_served) return OkStatus();
    return LaunchConv(call, function_, ConvInputGradLaunch(windows), windows, out, call.bytes(0),
                      call.bytes(1), bias);
  }

 private:
  const Function& function_;
  const WindowLibrary library_;
  const OpAttrsRef attrs_;
};

// conv of bytes minus their zero points, in i32.
class ConvInteger final : public GpuOp {
 public:
  ConvInteger(const Function* function, WidenKernel image, WidenKernel filter, OpAttrsRef attrs)
      : function_(*function), image_(image), filter_(filter), attrs_(std::move(attrs)) {}

  static MadeOp Make(GpuOpSetup& setup) {
    TFRT_ASSIGN_OR_RETURN(WidenKernel image, WidenKernel::Make(setup, 0, 2));
    TFRT_ASSIGN_OR_RETURN(WidenKernel filter, WidenKernel::Make(setup, 1, 3));
    TFRT_ASSIGN_OR_RETURN(const Function* function, setup.TypedKernel("conv", DType::kI32));
    return std::make_unique<ConvInteger>(function, image, filter, setup.attrs());
  }

  Status Run(GpuOpCall& call) const override {
    const TensorShape& filter_shape = call.argument(1).shape;
    const NdWindowAttributes attributes = WindowAttributesOf(attrs_);
    TFRT_ASSIGN_OR_RETURN(
        NdWindows geometry,
        GeometryOf(call.argument(0).shape, call.result(0).shape, filter_shape, attributes));
    TFRT_ASSIGN_OR_RETURN(DeviceWindows windows, WindowsOf(call, geometry, filter_shape, attrs_));
    const int64_t outputs = int64_t{windows.groups} * windows.outputs;
    const int64_t of_output = outputs == 0 ? 1 : filter_shape.num_elements() / outputs;
    TFRT_ASSIGN_OR_RETURN(OpBytes image, image_.Run(call, "the input", 1, 1));
    TFRT_ASSIGN_OR_RETURN(OpBytes filter, filter_.Run(call, "the filter", outputs,
                                                      attributes.channels_last ? 1 : of_output));
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    if (out.size_bytes == 0) return OkStatus();
    return LaunchConv(call, function_, ConvLaunch(windows), windows, out, image, filter, OpBytes(),
                      OpBytes(), int32_t{0});
  }

 private:
  const Function& function_;
  const WidenKernel image_, filter_;
  const OpAttrsRef attrs_;
};

// max_pool, with places or without, average_pool and lp_pool.
class Pool final : public GpuOp {
 public:
  enum class Kind : uint8_t { kMax, kAverage, kLp };
  Pool(const Function* function, WindowLibrary library, OpAttrsRef attrs, Kind kind)
      : function_(*function), library_(std::move(library)), attrs_(std::move(attrs)), kind_(kind) {}

  static MadeOp Make(GpuOpSetup& setup, std::string_view kernel, Kind kind) {
    TFRT_ASSIGN_OR_RETURN(const Function* function, setup.TypedKernel(kernel, setup.dtype(0)));
    TFRT_ASSIGN_OR_RETURN(WindowLibrary library, WindowLibrary::Make(setup, setup.dtype(0)));
    return std::make_unique<Pool>(function, std::move(library), setup.attrs(), kind);
  }

  Status Run(GpuOpCall& call) const override {
    const TensorShape& in = call.argument(0).shape;
    TFRT_ASSIGN_OR_RETURN(
        NdWindows geometry,
        NdWindows::Create(in, call.result(0).shape, attrs_.GetArray<int64_t>("kernel").value(),
                          WindowAttributesOf(attrs_)));
    TFRT_ASSIGN_OR_RETURN(
        DeviceWindows windows,
        WindowsOf(call, DimensionsOf(geometry), {geometry.batch, 1, geometry.channels, 1},
                  geometry.channels_last));
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    OpBytes places;
    if (call.num_results() > 1) {
      TFRT_ASSIGN_OR_RETURN(places, call.Allocate(1));
    }
    if (out.size_bytes == 0) return OkStatus();
    // The library neither tells places nor counts padding as ours do.
    const bool counts_padding = attrs_.Get<bool>("count_padding").value_or(false);
    if (kind_ != Kind::kLp && places.size_bytes == 0 && !counts_padding) {
      TFRT_ASSIGN_OR_RETURN(bool is_served, library_.AddPool(call, windows, out, call.bytes(0),
                                                             kind_ == Kind::kAverage));
      if (is_served) return OkStatus();
    }
    const DeviceLaunch launch = PoolLaunch(windows);
    switch (kind_) {
      case Kind::kMax:
        return LaunchPool(call, function_, launch, windows, out, places, call.bytes(0));
      case Kind::kAverage: {
        int32_t after[3] = {};
        for (size_t i = 0; i < 3; ++i) after[i] = static_cast<int32_t>(geometry.dims[i].pad_after);
        return LaunchPool(call, function_, launch, windows, out, call.bytes(0),
                          int32_t{counts_padding}, after[0], after[1], after[2]);
      }
      case Kind::kLp:
        return LaunchPool(call, function_, launch, windows, out, call.bytes(0),
                          static_cast<float>(attrs_.Get<int64_t>("p").value_or(2)));
    }
    return OkStatus();
  }

 private:
  const Function& function_;
  const WindowLibrary library_;
  const OpAttrsRef attrs_;
  const Kind kind_;
};

MadeOp MakeMaxPool(GpuOpSetup& setup) { return Pool::Make(setup, "max_pool", Pool::Kind::kMax); }
MadeOp MakeAveragePool(GpuOpSetup& setup) {
  return Pool::Make(setup, "average_pool", Pool::Kind::kAverage);
}
MadeOp MakeLpPool(GpuOpSetup& setup) { return Pool::Make(setup, "lp_pool", Pool::Kind::kLp); }

// The mean of each channel of [N,H,W,C].
class GlobalAveragePool final : public GpuOp {
 public:
  explicit GlobalAveragePool(ReduceKernel mean) : mean_(mean) {}

  Status Run(GpuOpCall& call) const override {
    const TensorShape& in = call.argument(0).shape;
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    return mean_.Run(call, out, call.bytes(0), in.dim(0), in.dim(1) * in.dim(2), in.dim(3));
  }

 private:
  const ReduceKernel mean_;
};

MadeOp MakeGlobalAveragePool(GpuOpSetup& setup) {
  TFRT_ASSIGN_OR_RETURN(ReduceKernel mean, ReduceKernel::Make(setup, "mean", setup.dtype(0)));
  return std::make_unique<GlobalAveragePool>(mean);
}

constexpr GpuOpRow kWindowRows[] = {
    {"average_pool", MakeAveragePool},
    {"avg_pool2d", MakeAveragePool2D},
    {"conv", &Conv::Make},
    {"conv2d", &Conv2D::Make},
    {"conv2d_bias", &Conv2D::Make},
    {"conv2d_bias_add", &Conv2D::Make},
    {"conv2d_filter_grad", &Conv2DGrad::MakeFilterGrad},
    {"conv2d_input_grad", &Conv2DGrad::MakeInputGrad},
    {"conv_integer", &ConvInteger::Make},
    {"conv_transpose", &ConvTranspose::Make},
    {"fused_conv", &Conv::Make},
    {"global_average_pool", MakeGlobalAveragePool},
    {"lp_pool", MakeLpPool},
    {"max_pool", MakeMaxPool},
    {"max_pool2d", MakeMaxPool2D},
    {"max_pool2d_grad", MakeMaxPool2DGrad},
    {"max_pool_with_places", MakeMaxPool},
};

}  // namespace

std::span<const GpuOpRow> WindowGpuOps() { return kWindowRows; }

}  // namespace tfrt::gpu

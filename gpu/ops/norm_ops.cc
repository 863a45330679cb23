// Normalisation, and its gradients.

#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "gpu/device_code/launch_blocks.h"
#include "gpu_ops.h"
#include "kernels.h"

namespace tfrt::gpu {
namespace {

using MadeOp = StatusOr<std::unique_ptr<const GpuOp>>;

// A tensor as rows along its last dimension. None if there are no elements.
struct Rows {
  explicit Rows(const TensorShape& shape) {
    if (shape.num_elements() == 0) return;
    columns = shape.dim(shape.rank() - 1);
    count = shape.num_elements() / columns;
  }
  int64_t columns = 1;
  int64_t count = 0;
};

// A tensor [N,C,...] or [N,...,C] as images.
struct Images {
  Images(const TensorShape& shape, bool channels_last)
      : count(shape.dim(0)), channels(shape.dim(channels_last ? shape.rank() - 1 : 1)) {
    places = count == 0 || channels == 0 ? 0 : shape.num_elements() / count / channels;
  }
  int64_t count, channels, places = 0;
};

// layer_norm, which has an offset, and rms_norm.
class RowNorm final : public GpuOp {
 public:
  RowNorm(const Function* function, bool has_offset, float epsilon)
      : function_(*function), has_offset_(has_offset), epsilon_(epsilon) {}

  Status Run(GpuOpCall& call) const override {
    const Rows rows(call.result(0).shape);
    const DeviceLaunch launch = TeamRowsLaunch(rows.count, rows.columns);
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    if (has_offset_) {
      return call.Launch(function_, launch, out, call.bytes(0), call.bytes(1), call.bytes(2),
                         rows.count, rows.columns, epsilon_);
    }
    return call.Launch(function_, launch, out, call.bytes(0), call.bytes(1), rows.count,
                       rows.columns, epsilon_);
  }

 private:
  const Function& function_;
  const bool has_offset_;
  const float epsilon_;
};

MadeOp MakeLayerNorm(GpuOpSetup& setup) {
  TFRT_ASSIGN_OR_RETURN(const Function* function, setup.TypedKernel("layer_norm", setup.dtype(0)));
  return std::make_unique<RowNorm>(function, true, setup.Attr<float>("epsilon"));
}

MadeOp MakeRmsNorm(GpuOpSetup& setup) {
  TFRT_ASSIGN_OR_RETURN(const Function* function, setup.TypedKernel("rms_norm", setup.dtype(0)));
  return std::make_unique<RowNorm>(function, false, setup.Attr<float>("epsilon"));
}

// Groups of channels; 0 groups: each channel is one.
class GroupNorm final : public GpuOp {
 public:
  GroupNorm(const Function* function, int64_t groups, bool channels_last, float epsilon)
      : function_(*function), groups_(groups), channels_last_(channels_last), epsilon_(epsilon) {}

  static MadeOp Make(GpuOpSetup& setup, int64_t groups) {
    TFRT_ASSIGN_OR_RETURN(const Function* function,
                          setup.TypedKernel("group_norm", setup.dtype(0)));
    return std::make_unique<GroupNorm>(function, groups, setup.Attr<bool>("channels_last"),
                                       setup.Attr<float>("epsilon"));
  }

  Status Run(GpuOpCall& call) const override {
    const Images images(call.argument(0).shape, channels_last_);
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    if (out.size_bytes == 0) return OkStatus();
    const int64_t groups = groups_ == 0 ? images.channels : groups_;
    const int64_t channels = images.channels / groups;
    return call.Launch(function_, TeamRowsLaunch(images.count * groups, channels * images.places),
                       out, call.bytes(0), call.bytes(1), call.bytes(2), images.count, groups,
                       channels, images.places, int32_t{channels_last_}, epsilon_);
  }

 private:
  const Function& function_;
  const int64_t groups_;
  const bool channels_last_;
  const float epsilon_;
};

MadeOp MakeGroupNorm(GpuOpSetup& setup) {
  return GroupNorm::Make(setup, setup.Attr<int64_t>("groups"));
}
MadeOp MakeInstanceNorm(GpuOpSetup& setup) { return GroupNorm::Make(setup, 0); }

class Lrn final : public GpuOp {
 public:
  Lrn(const Function* function, const GpuOpSetup& setup)
      : function_(*function),
        channels_last_(setup.Attr<bool>("channels_last")),
        size_(setup.Attr<int64_t>("size")),
        alpha_(setup.Attr<float>("alpha")),
        beta_(setup.Attr<float>("beta")),
        bias_(setup.Attr<float>("bias")) {}

  static MadeOp Make(GpuOpSetup& setup) {
    if (setup.Attr<int64_t>("size") < 1) {
      return InvalidArgumentError(
          StrCat(setup.op_name(), ": the sum is over ", setup.Attr<int64_t>("size"), " channels"));
    }
    TFRT_ASSIGN_OR_RETURN(const Function* function, setup.TypedKernel("lrn", setup.dtype(0)));
    return std::make_unique<Lrn>(function, setup);
  }

  Status Run(GpuOpCall& call) const override {
    const TensorShape& shape = call.argument(0).shape;
    if (shape.rank() < 2) {
      return InvalidArgumentError(StrCat(call.op_name(), ": the input has the shape ",
                                         shape.ToString(), ", which has no channels"));
    }
    const Images images(shape, channels_last_);
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    return call.Launch(function_, ThreadsLaunch(shape.num_elements()), out, call.bytes(0),
                       images.count, images.channels, images.places, int32_t{channels_last_}, size_,
                       alpha_, beta_, bias_);
  }

 private:
  const Function& function_;
  const bool channels_last_;
  const int64_t size_;
  const float alpha_, beta_, bias_;
};

class LayerNormGrad final : public GpuOp {
 public:
  LayerNormGrad(const Function* rows, const Function* sums, const Function* vectors, float epsilon)
      : rows_(*rows), sums_(*sums), vectors_(*vectors), epsilon_(epsilon) {}

  static MadeOp Make(GpuOpSetup& setup) {
    const DType dtype = setup.dtype(0);
    TFRT_ASSIGN_OR_RETURN(const Function* rows, setup.TypedKernel("layer_norm_grad", dtype));
    TFRT_ASSIGN_OR_RETURN(const Function* sums, setup.TypedKernel("layer_norm_grad_sums", dtype));
    TFRT_ASSIGN_OR_RETURN(const Function* vectors,
                          setup.TypedKernel("layer_norm_grad_vectors", dtype));
    return std::make_unique<LayerNormGrad>(rows, sums, vectors, setup.Attr<float>("epsilon"));
  }

  Status Run(GpuOpCall& call) const override {
    const Rows rows(call.argument(1).shape);
    const OpBytes out_grad = call.bytes(0), in = call.bytes(1), scale = call.bytes(2);
    TFRT_ASSIGN_OR_RETURN(OpBytes in_grad, call.Allocate(0));
    TFRT_ASSIGN_OR_RETURN(OpBytes scale_grad, call.Allocate(1));
    TFRT_ASSIGN_OR_RETURN(OpBytes offset_grad, call.Allocate(2));
    if (rows.count == 0) {
      TFRT_RETURN_IF_ERROR(call.Clear(scale_grad));
      return call.Clear(offset_grad);
    }
    const bool is_double = call.argument(1).dtype == DType::kF64;
    const int64_t parts = ColumnParts(rows.count, rows.columns);
    TFRT_ASSIGN_OR_RETURN(OpBytes moments,
                          call.Scratch(static_cast<size_t>(2 * rows.count) * (is_double ? 8 : 4)));
    TFRT_ASSIGN_OR_RETURN(OpBytes sums,
                          call.Scratch(static_cast<size_t>(parts * 2 * rows.columns) * 8));
    TFRT_RETURN_IF_ERROR(call.Launch(rows_, TeamRowsLaunch(rows.count, rows.columns), in_grad,
                                     moments, out_grad, in, scale, rows.count, rows.columns,
                                     epsilon_));
    TFRT_RETURN_IF_ERROR(call.Launch(sums_, ColumnPartsLaunch(rows.count, rows.columns), sums,
                                     out_grad, in, moments, rows.count, rows.columns, parts));
    return call.Launch(vectors_, ThreadsLaunch(rows.columns), scale_grad, offset_grad, sums,
                       rows.columns, parts);
  }

 private:
  const Function& rows_;
  const Function& sums_;
  const Function& vectors_;
  const float epsilon_;
};

// The vectors of channels, arguments from `first` on, are f32, or f64 for f64.
Status CheckVectors(const GpuOpSetup& setup, DType dtype, size_t first, size_t end) {
  const DType vector = dtype == DType::kF64 ? DType::kF64 : DType::kF32;
  for (size_t i = first; i < end; ++i) {
    if (setup.dtype(i) != vector) return setup.DifferentDTypes(dtype, setup.dtype(i));
  }
  return OkStatus();
}

// x [...,C], or [N,C,H,W], and vectors [C] or [1,1,1,C] as the arguments from `first` on: the rule
// has compared them with each other alone.
Status CheckChannels(const GpuOpCall& call, size_t x, size_t first, size_t end,
                     bool channels_last = true) {
  const TensorShape& shape = call.argument(x).shape;
  if (channels_last ? shape.rank() == 0 : shape.rank() != 4) {
    return InvalidArgumentError(StrCat(call.op_name(), ": x is ", call.argument(x).ToString(),
                                       ", expected ", channels_last ? "[...,C]" : "[N,C,H,W]"));
  }
  const int64_t channels = shape.dim(channels_last ? shape.rank() - 1 : 1);
  for (size_t i = first; i < end; ++i) {
    const TensorShape& vector = call.argument(i).shape;
    if (vector == TensorShape{channels} || vector == TensorShape{1, 1, 1, channels}) continue;
    return InvalidArgumentError(StrCat(call.op_name(), ": argument ", i, " is ",
                                       call.argument(i).ToString(), ", expected [", channels, "]"));
  }
  return OkStatus();
}

Status CheckChannelsLast(const GpuOpSetup& setup) {
  if (setup.attrs().GetString("data_format") == "NHWC") return OkStatus();
  return InvalidArgumentError("only channel last order is supported");
}

// Moves images [N,C,H,W] to [N,H,W,C], for kernels that take no others, and back.
class ImageOrder {
 public:
  static StatusOr<ImageOrder> Make(GpuOpSetup& setup, DType dtype) {
    TFRT_ASSIGN_OR_RETURN(PermuteKernel permute, PermuteKernel::Make(setup, dtype));
    return ImageOrder(std::move(permute));
  }
  // Both `shape`s are [N,C,H,W].
  StatusOr<OpBytes> ToChannelsLast(GpuOpCall& call, const OpBytes& in,
                                   const TensorShape& shape) const {
    constexpr int64_t kPermutation[] = {0, 2, 3, 1};
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Scratch(in.size_bytes));
    TFRT_RETURN_IF_ERROR(permute_.Run(call, out, in, shape.dims(), kPermutation));
    return out;
  }
  Status ToChannelsFirst(GpuOpCall& call, const OpBytes& out, const OpBytes& in,
                         const TensorShape& shape) const {
    constexpr int64_t kPermutation[] = {0, 3, 1, 2};
    const int64_t dims[] = {shape.dim(0), shape.dim(2), shape.dim(3), shape.dim(1)};
    return permute_.Run(call, out, in, dims, kPermutation);
  }

 private:
  explicit ImageOrder(PermuteKernel permute) : permute_(std::move(permute)) {}
  PermuteKernel permute_;
};

// Results: y, the running mean and variance, the mean and the variance for the gradient, and
// nothing; or y alone. An addend and a relu are what `fused_batch_norm` has besides.
class BatchNorm final : public GpuOp {
 public:
  static MadeOp Make(GpuOpSetup& setup, bool has_relu) {
    const DType dtype = setup.dtype(0);
    TFRT_RETURN_IF_ERROR(CheckVectors(setup, dtype, 1, 5));
    if (setup.num_arguments() > 6) {
      return InvalidArgumentError(StrCat(setup.op_name(), ": more than one side_input"));
    }
    auto made = std::unique_ptr<BatchNorm>(new BatchNorm(setup, has_relu));
    const std::string_view format = setup.attrs().GetString("data_format").value();
    if (format == "NCHW") {
      TFRT_ASSIGN_OR_RETURN(made->channels_first_, ImageOrder::Make(setup, dtype));
    } else if (format != "NHWC") {
      return InvalidArgumentError(
          StrCat(setup.op_name(), ": data_format is '", format, "', expected 'NHWC' or 'NCHW'"));
    }
    TFRT_ASSIGN_OR_RETURN(made->normalize_, setup.TypedKernel("batch_norm", dtype));
    TFRT_ASSIGN_OR_RETURN(made->sums_, setup.TypedKernel("batch_moments", dtype));
    TFRT_ASSIGN_OR_RETURN(made->vectors_, setup.TypedKernel("batch_moments_vectors", dtype));
    return made;
  }

  Status Run(GpuOpCall& call) const override {
    const bool reads_moments = !is_training_ || factor_ != 1;
    TFRT_RETURN_IF_ERROR(CheckChannels(call, 0, 1, reads_moments ? 5 : 3, !channels_first_));
    if (call.has(5) && call.argument(5) != call.argument(0)) {
      return InvalidArgumentError(StrCat(call.op_name(), ": side_input is ",
                                         call.argument(5).ToString(), ", and x is ",
                                         call.argument(0).ToString()));
    }
    const TensorShape& shape = call.argument(0).shape;
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    OpBytes in = call.bytes(0), y = out, mean = call.bytes(3), variance = call.bytes(4);
    OpBytes addend = call.has(5) ? call.bytes(5) : OpBytes();
    Rows rows(shape);
    if (channels_first_ && shape.num_elements() != 0) {
      rows.columns = shape.dim(1);
      rows.count = shape.num_elements() / rows.columns;
      TFRT_ASSIGN_OR_RETURN(in, channels_first_->ToChannelsLast(call, in, shape));
      TFRT_ASSIGN_OR_RETURN(y, call.Scratch(out.size_bytes));
      if (addend.size_bytes != 0) {
        TFRT_ASSIGN_OR_RETURN(addend, channels_first_->ToChannelsLast(call, addend, shape));
      }
    }
    if (is_training_) {
      TFRT_RETURN_IF_ERROR(ComputeMoments(call, in, rows, &mean, &variance));
    } else if (call.num_results() > 1) {
      for (size_t i = 1; i < 5; ++i) call.SetView(i, i % 2 ? 3 : 4);
    }
    if (call.num_results() > 5) {
      TFRT_RETURN_IF_ERROR(call.Allocate(5).status());  // nothing
    }
    TFRT_RETURN_IF_ERROR(call.Launch(*normalize_, ThreadsLaunch(rows.count * rows.columns), y, in,
                                     call.bytes(1), call.bytes(2), mean, variance, addend,
                                     activation_, rows.count, rows.columns, epsilon_));
    if (!channels_first_ || shape.num_elements() == 0) return OkStatus();
    return channels_first_->ToChannelsFirst(call, out, y, shape);
  }

 private:
  BatchNorm(const GpuOpSetup& setup, bool has_relu)
      : activation_(has_relu ? 1 : 0),
        is_training_(setup.Attr<bool>("is_training")),
        epsilon_(setup.Attr<float>("epsilon")),
        factor_(setup.Attr<float>("exponential_avg_factor")) {}

  // Sets the mean and the variance of the batch, which are results if there are so many.
  Status ComputeMoments(GpuOpCall& call, const OpBytes& in, const Rows& rows, OpBytes* mean,
                        OpBytes* variance) const {
    OpBytes vectors[4];
    for (size_t i = 0; i < 4; ++i) {
      auto vector =
          call.num_results() > 4 ? call.Allocate(i + 1) : call.Scratch(call.bytes(1).size_bytes);
      TFRT_ASSIGN_OR_RETURN(vectors[i], std::move(vector));
    }
    if (rows.count == 0) {
      // Moments of nothing. So many ones are NaN in f32 and f64.
      for (const OpBytes& vector : vectors) {
        TFRT_RETURN_IF_ERROR(call.Fill(vector, 0xFFFFFFFF));
      }
      return OkStatus();
    }
    const int64_t parts = ColumnParts(rows.count, rows.columns);
    TFRT_ASSIGN_OR_RETURN(OpBytes sums,
                          call.Scratch(static_cast<size_t>(parts * 2 * rows.columns) * 8));
    TFRT_RETURN_IF_ERROR(call.Launch(*sums_, ColumnPartsLaunch(rows.count, rows.columns), sums, in,
                                     rows.count, rows.columns, parts));
    const bool keeps_old = factor_ != 1;
    *mean = vectors[2];
    *variance = vectors[3];
    return call.Launch(*vectors_, ThreadsLaunch(rows.columns), vectors[0], vectors[1], *mean,
                       *variance, keeps_old ? call.bytes(3) : OpBytes(),
                       keeps_old ? call.bytes(4) : OpBytes(), sums, in, rows.count, rows.columns,
                       parts, factor_);
  }

  std::optional<ImageOrder> channels_first_;
  const Function* normalize_ = nullptr;
  const Function* sums_ = nullptr;
  const Function* vectors_ = nullptr;
  const int32_t activation_;
  const bool is_training_;
  const float epsilon_, factor_;
};

// Results: the gradients of x, scale and offset, and two empty tensors.
class BatchNormGrad final : public GpuOp {
 public:
  BatchNormGrad(const Function* rows, const Function* sums, const Function* vectors,
                bool is_training, float epsilon)
      : rows_(*rows),
        sums_(*sums),
        vectors_(*vectors),
        is_training_(is_training),
        epsilon_(epsilon) {}

  static MadeOp Make(GpuOpSetup& setup) {
    const DType dtype = setup.dtype(1);
    TFRT_RETURN_IF_ERROR(CheckChannelsLast(setup));
    if (setup.dtype(0) != dtype) return setup.DifferentDTypes(setup.dtype(0), dtype);
    TFRT_RETURN_IF_ERROR(CheckVectors(setup, dtype, 2, 5));
    TFRT_ASSIGN_OR_RETURN(const Function* rows, setup.TypedKernel("batch_norm_grad", dtype));
    TFRT_ASSIGN_OR_RETURN(const Function* sums, setup.TypedKernel("batch_norm_grad_sums", dtype));
    TFRT_ASSIGN_OR_RETURN(const Function* vectors,
                          setup.TypedKernel("batch_norm_grad_vectors", dtype));
    return std::make_unique<BatchNormGrad>(rows, sums, vectors, setup.Attr<bool>("is_training"),
                                           setup.Attr<float>("epsilon"));
  }

  Status Run(GpuOpCall& call) const override {
    TFRT_RETURN_IF_ERROR(CheckChannels(call, 1, 2, 5));
    const Rows rows(call.argument(1).shape);
    const OpBytes out_grad = call.bytes(0), in = call.bytes(1), scale = call.bytes(2);
    const OpBytes mean = call.bytes(3), variance = call.bytes(4);
    OpBytes results[5];
    for (size_t i = 0; i < call.num_results(); ++i) {
      TFRT_ASSIGN_OR_RETURN(results[i], call.Allocate(i));
    }
    if (rows.count == 0) {
      TFRT_RETURN_IF_ERROR(call.Clear(results[1]));
      return call.Clear(results[2]);
    }
    const int64_t parts = ColumnParts(rows.count, rows.columns);
    TFRT_ASSIGN_OR_RETURN(OpBytes sums,
                          call.Scratch(static_cast<size_t>(parts * 2 * rows.columns) * 8));
    TFRT_ASSIGN_OR_RETURN(OpBytes means, call.Scratch(2 * mean.size_bytes));
    TFRT_RETURN_IF_ERROR(call.Launch(sums_, ColumnPartsLaunch(rows.count, rows.columns), sums,
                                     out_grad, in, mean, rows.count, rows.columns, parts));
    TFRT_RETURN_IF_ERROR(call.Launch(vectors_, ThreadsLaunch(rows.columns), results[1], results[2],
                                     means, sums, variance, rows.count, rows.columns, parts,
                                     epsilon_));
    return call.Launch(rows_, ThreadsLaunch(rows.count * rows.columns), results[0], out_grad, in,
                       scale, mean, variance, is_training_ ? means : OpBytes(), rows.count,
                       rows.columns, epsilon_);
  }

 private:
  const Function& rows_;
  const Function& sums_;
  const Function& vectors_;
  const bool is_training_;
  const float epsilon_;
};

MadeOp MakePlainBatchNorm(GpuOpSetup& setup) { return BatchNorm::Make(setup, false); }
MadeOp MakeFusedBatchNorm(GpuOpSetup& setup) { return BatchNorm::Make(setup, true); }

constexpr GpuOpRow kNormRows[] = {{"batch_norm", MakePlainBatchNorm},
                                  {"batch_norm_grad", &BatchNormGrad::Make},
                                  {"fused_batch_norm", MakeFusedBatchNorm},
                                  {"group_norm", MakeGroupNorm},
                                  {"instance_norm", MakeInstanceNorm},
                                  {"layer_norm", MakeLayerNorm},
                                  {"layer_norm_grad", &LayerNormGrad::Make},
                                  {"lrn", &Lrn::Make},
                                  {"rms_norm", MakeRmsNorm}};

}  // namespace

MadeOp MakeBatchNorm(GpuOpSetup& setup, bool has_relu) { return BatchNorm::Make(setup, has_relu); }

std::span<const GpuOpRow> NormGpuOps() { return kNormRows; }

}  // namespace tfrt::gpu

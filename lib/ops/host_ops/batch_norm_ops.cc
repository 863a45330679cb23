// Batch normalisation: inference, training, gradients.

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "lib/ops/maths/cpu/normalization.h"
#include "lib/ops/maths/normalization.h"
#include "op_groups.h"
#include "op_output.h"
#include "staged_work.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

Status CheckChannelsLast(const OpAttrsRef& attrs) {
  if (!attrs.Find("data_format") || attrs.GetString("data_format") == "NHWC") return OkStatus();
  return InvalidArgumentError("only channel last order is supported");
}

// One f32 for each channel, [C] or [1,1,1,C]: "OP: NAME is f64 [2], expected f32 [3]".
StatusOr<const float*> ChannelData(const OpCall& call, std::string_view name,
                                   const DenseHostTensor& tensor, int64_t channels) {
  const TensorShape& shape = tensor.shape();
  if (tensor.dtype() == DType::kF32 &&
      (shape == TensorShape{channels} || shape == TensorShape{1, 1, 1, channels})) {
    return static_cast<const float*>(tensor.data());
  }
  return InvalidArgumentError(StrCat(call.op_name(), ": ", name, " is ", DTypeName(tensor.dtype()),
                                     " ", shape.ToString(), ", expected f32 [", channels, "]"));
}

// A batch as a matrix [rows,channels].
struct Batch {
  int64_t rows = 1;
  int64_t channels = 0;
  size_t row_cost() const { return static_cast<size_t>(channels) * sizeof(float); }
};
StatusOr<Batch> BatchOf(const OpCall& call, const DenseHostTensor& x) {
  const size_t rank = x.shape().rank();
  if (x.dtype() != DType::kF32 || rank == 0) {
    return InvalidArgumentError(StrCat(call.op_name(), ": x is ", DTypeName(x.dtype()), " ",
                                       x.shape().ToString(), ", expected f32 [...,C]"));
  }
  Batch batch{0, x.shape().dim(rank - 1)};
  // Without channels there are no rows either, whatever the other dimensions say.
  if (x.num_elements() > 0) batch.rows = x.num_elements() / batch.channels;
  return batch;
}

// Calls fn(part, ...) for the number of each part, in as many tasks as there are parts.
template <typename F>
AsyncValueRef<Chain> RunParts(const OpCall& call, const std::shared_ptr<StagedWork>& work, F fn) {
  return RunBlocks(call.exec_ctx(), static_cast<size_t>(work->parts.count()), 1, {},
                   [work, fn](size_t begin, size_t end) {
                     for (size_t part = begin; part < end; ++part) {
                       fn(*work, static_cast<int64_t>(part));
                     }
                   });
}

// The mean and the variance that the running ones become: sums of (1 - factor) * old and factor *
// new, where the new variance is that of the population, sum((x - mean)^2) / (rows - 1).
struct RunningMoments {
  float factor;
  const float* old_mean;  // null if the factor is 1
  const float* old_variance;
  float* mean;
  float* variance;

  void Update(const Batch& batch, const float* batch_mean, const float* batch_variance) const {
    const double correction =
        batch.rows > 1 ? static_cast<double>(batch.rows) / static_cast<double>(batch.rows - 1) : 1;
    for (int64_t i = 0; i < batch.channels; ++i) {
      const auto population = static_cast<float>(batch_variance[i] * correction);
      mean[i] = old_mean ? (1 - factor) * old_mean[i] + factor * batch_mean[i] : batch_mean[i];
      variance[i] =
          old_variance ? (1 - factor) * old_variance[i] + factor * population : population;
    }
  }
};

// Results: y, the running mean and variance, the mean and the variance of the batch for the
// gradient, and nothing; or y alone.
Status TrainBatchNorm(const DenseHostTensor& x, const DenseHostTensor& scale,
                      const DenseHostTensor& offset, const DenseHostTensor& mean,
                      const DenseHostTensor& variance, const OpAttrsRef& attrs, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(Batch batch, BatchOf(call, x));
  cpu::BatchNormParameters parameters;
  parameters.channels = batch.channels;
  parameters.epsilon = *attrs.Get<float>("epsilon");
  TFRT_ASSIGN_OR_RETURN(parameters.scale, ChannelData(call, "scale", scale, batch.channels));
  TFRT_ASSIGN_OR_RETURN(parameters.offset, ChannelData(call, "offset", offset, batch.channels));
  RunningMoments running{};
  running.factor = attrs.Get<float>("exponential_avg_factor").value_or(1);
  if (running.factor != 1) {
    TFRT_ASSIGN_OR_RETURN(running.old_mean, ChannelData(call, "mean", mean, batch.channels));
    TFRT_ASSIGN_OR_RETURN(running.old_variance,
                          ChannelData(call, "variance", variance, batch.channels));
  }

  auto work = std::make_shared<StagedWork>(
      cpu::RowParts(batch.rows, batch.row_cost(), 2 * static_cast<size_t>(batch.channels)));
  // All are needed, whoever asks for results.
  const TensorMetadata vector{DType::kF32, scale.shape()};
  for (size_t i = 0; i < 6; ++i) {
    const TensorMetadata metadata = i == 0   ? x.metadata()
                                    : i == 5 ? TensorMetadata{DType::kF32, TensorShape{0}}
                                             : vector;
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(metadata));
    work->outputs.push_back(std::move(out));
  }
  for (const DenseHostTensor* input : {&x, &scale, &offset, &mean, &variance}) {
    work->inputs.push_back(input->ShareBuffer());
  }
  auto output = [&](size_t i) { return WritableData<float>(work->outputs[i]); };
  const auto* in = static_cast<const float*>(x.data());
  float* y = output(0);
  running.mean = output(1);
  running.variance = output(2);
  float *batch_mean = output(3), *batch_variance = output(4);
  parameters.mean = batch_mean;
  parameters.variance = batch_variance;

  AsyncValueRef<Chain> summed = RunParts(call, work, [batch, in](StagedWork& w, int64_t part) {
    double* sums = w.parts.sums(part);
    cpu::BatchMomentSums(batch.channels, in, sums, sums + batch.channels, w.parts.begin(part),
                         w.parts.end(part));
  });
  AsyncValueRef<Chain> done =
      Then(std::move(summed), [=, exec_ctx = call.exec_ctx()]() -> AsyncValueRef<Chain> {
        const double* sums = work->parts.Total();
        cpu::BatchMoments(batch.channels, batch.rows, in, sums, sums + batch.channels, batch_mean,
                          batch_variance);
        running.Update(batch, batch_mean, batch_variance);
        return RunBlocks(exec_ctx, static_cast<size_t>(batch.rows), ItemsPerBlock(batch.row_cost()),
                         {}, [work, parameters, in, y](size_t begin, size_t end) {
                           cpu::BatchNormRows(parameters, in, y, begin, end);
                         });
      });
  // The vectors are computed even if y alone is asked for.
  SetResultsAfter(call, std::move(work), std::move(done));
  return OkStatus();
}

// The numbers of the channels as a vector; [1,1,1,C] is one, too.
DenseHostTensor ChannelVector(const DenseHostTensor& in) {
  return in.shape() == TensorShape{1, 1, 1, in.num_elements()} ? in.Flatten() : in.ShareBuffer();
}

// One result, or six: without training, what training would compute of the batch is what was given,
// and no reserve.
Status FusedBatchNorm(OpArgument<DenseHostTensor> x, OpArgument<DenseHostTensor> scale,
                      OpArgument<DenseHostTensor> bias, OpArgument<DenseHostTensor> mean,
                      OpArgument<DenseHostTensor> variance, const TensorMetadata& result,
                      const OpAttrsRef& attrs, OpCall& call) {
  const bool is_training = attrs.Get<bool>("is_training").value_or(false);
  const std::optional<float> epsilon = attrs.Get<float>("epsilon");
  if (!epsilon) {
    return InvalidArgumentError("missing epsilon attribute");
  }
  TFRT_RETURN_IF_ERROR(CheckChannelsLast(attrs));
  for (const DenseHostTensor* each : {&*x, &*scale, &*bias, &*mean, &*variance}) {
    if (each->dtype() != DType::kF32) {
      return InvalidArgumentError("unsupported dtype for TfFusedBatchNormV3Op");
    }
  }
  if (is_training) return TrainBatchNorm(*x, *scale, *bias, *mean, *variance, attrs, call);
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.AllocateOrReuse(result));
  if (call.num_results() > 1) {
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor nothing, call.Allocate(call.result_metadata(5)));
    for (size_t i = 1; i < 5; ++i) call.SetResult(i, i % 2 ? mean.ValueRef() : variance.ValueRef());
    SetResult(call, 5, std::move(nothing));
  }
  maths::Completion done =
      maths::BatchNorm(*x, ChannelVector(*scale), ChannelVector(*bias), ChannelVector(*mean),
                       ChannelVector(*variance), *epsilon, out, call.exec_ctx());
  return SetResultAfter(call, 0, std::move(out), std::move(done));
}

// Results: the gradients of x, scale and offset, and two empty tensors.
Status FusedBatchNormGrad(const DenseHostTensor& y_backprop, const DenseHostTensor& x,
                          const DenseHostTensor& scale, const DenseHostTensor& mean,
                          const DenseHostTensor& variance, const DenseHostTensor&,
                          const OpAttrsRef& attrs, OpCall& call) {
  TFRT_RETURN_IF_ERROR(CheckChannelsLast(attrs));
  TFRT_ASSIGN_OR_RETURN(Batch batch, BatchOf(call, x));
  cpu::BatchNormParameters parameters;
  parameters.channels = batch.channels;
  parameters.epsilon = attrs.Get<float>("epsilon").value_or(1e-4f);
  TFRT_ASSIGN_OR_RETURN(parameters.scale, ChannelData(call, "scale", scale, batch.channels));
  TFRT_ASSIGN_OR_RETURN(parameters.mean,
                        ChannelData(call, "reserve_space_1", mean, batch.channels));
  TFRT_ASSIGN_OR_RETURN(parameters.variance,
                        ChannelData(call, "reserve_space_2", variance, batch.channels));
  const bool is_training = attrs.Get<bool>("is_training").value_or(true);

  auto work = std::make_shared<StagedWork>(
      cpu::RowParts(batch.rows, 2 * batch.row_cost(), 2 * static_cast<size_t>(batch.channels)));
  for (size_t i = 0; i < 5; ++i) {
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(call.result_metadata(i)));
    work->outputs.push_back(std::move(out));
  }
  for (const DenseHostTensor* input : {&y_backprop, &x, &scale, &mean, &variance}) {
    work->inputs.push_back(input->ShareBuffer());
  }
  const auto* dy = static_cast<const float*>(y_backprop.data());
  const auto* in = static_cast<const float*>(x.data());
  auto output = [&](size_t i) { return WritableData<float>(work->outputs[i]); };
  float *dx = output(0), *scale_grad = output(1), *offset_grad = output(2);

  AsyncValueRef<Chain> summed =
      RunParts(call, work, [parameters, dy, in](StagedWork& w, int64_t part) {
        double* sums = w.parts.sums(part);
        cpu::BatchNormGradSums(parameters, dy, in, sums, sums + parameters.channels,
                               w.parts.begin(part), w.parts.end(part));
      });
  AsyncValueRef<Chain> done =
      Then(std::move(summed), [=, exec_ctx = call.exec_ctx()]() -> AsyncValueRef<Chain> {
        const double* sums = work->parts.Total();
        const double* products = sums + batch.channels;
        cpu::BatchNormGradVectors(parameters, sums, products, scale_grad, offset_grad);
        if (!is_training) sums = products = nullptr;
        return RunBlocks(exec_ctx, static_cast<size_t>(batch.rows),
                         ItemsPerBlock(2 * batch.row_cost()), {}, [=](size_t begin, size_t end) {
                           cpu::BatchNormGradRows(parameters, batch.rows, sums, products, dy, in,
                                                  dx, begin, end);
                         });
      });
  SetResultsAfter(call, std::move(work), std::move(done));
  return OkStatus();
}

}  // namespace

void RegisterBatchNormOps(OpRegistry* registry) {
  registry->Implement("graph.batch_norm", {.function = TFRT_OP(FusedBatchNorm)});
  registry->Implement("graph.batch_norm_grad", {.function = TFRT_OP(FusedBatchNormGrad)});
}

}  // namespace tfrt

// Compiled with exceptions, as a program's ops may be: one of them throws.
#include "test/support/eager_stress_ops.h"

#include <cmath>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <thread>
#include <tuple>
#include <utility>

#include "test/support/outside_thread.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

#ifndef __cpp_exceptions
#error "compile this file with exceptions"
#endif

namespace tfrt::eager {
namespace {

// Integers, and small enough that nothing is rounded.
float MixedElement(float a, float b) {
  return std::fmod(std::fmod(a, 4096.0f) * 3 + std::fmod(b, 4096.0f) * 5 + 1, 4096.0f);
}

const float* ElementsOf(const DenseHostTensor& tensor) {
  return static_cast<const float*>(tensor.data());
}

Status Mix(const DenseHostTensor& a, const DenseHostTensor& b, DenseHostTensor& out) {
  TFRT_ASSIGN_OR_RETURN(void* data, out.MutableData());
  for (int64_t i = 0; i < out.num_elements(); ++i) {
    static_cast<float*>(data)[i] = MixedElement(ElementsOf(a)[i], ElementsOf(b)[i]);
  }
  return OkStatus();
}

StatusOr<DenseHostTensor> MixInPlace(const DenseHostTensor& a, const DenseHostTensor& b,
                                     const TensorMetadata& result, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.AllocateOrReuse(result, {0, 1}));
  TFRT_RETURN_IF_ERROR(Mix(a, b, out));
  return out;
}

StatusOr<DenseHostTensor> MixInNewMemory(const DenseHostTensor& a, const DenseHostTensor& b,
                                         OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(a.metadata()));
  TFRT_RETURN_IF_ERROR(Mix(a, b, out));
  return out;
}

StatusOr<std::pair<DenseHostTensor, DenseHostTensor>> Pair(const DenseHostTensor& a,
                                                           const DenseHostTensor& b, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor first, MixInNewMemory(a, b, call));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor second, MixInNewMemory(b, a, call));
  return std::pair(std::move(first), std::move(second));
}

int64_t IdOf(const OpAttrsRef& attrs) { return *attrs.Get<int64_t>("id"); }

// Runs `task` later: on the queue, on its blocking threads, or on a thread of no queue.
void Postpone(OpCall& call, int64_t id, TaskFunction task) {
  ConcurrentWorkQueue& queue = call.exec_ctx().work_queue();
  if (id % 3 == 0) return queue.AddTask(std::move(task));
  if (id % 3 == 1) return OutsideThread::Get().Add(std::move(task));
  std::optional<TaskFunction> refused = queue.AddBlockingTask(std::move(task), true);
  if (refused) (*refused)();
}

StatusOr<AsyncValueRef<DenseHostTensor>> Late(OpArgument<DenseHostTensor> a,
                                              OpArgument<DenseHostTensor> b,
                                              const TensorMetadata& result, const OpAttrsRef& attrs,
                                              OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  auto promise = MakeUnconstructedAsyncValueRef<DenseHostTensor>();
  Postpone(call, IdOf(attrs),
           [a = a.ValueRef(), b = b.ValueRef(), out = std::move(out),
            promise = promise.CopyRef()]() mutable {
             Status status = Mix(a->get<DenseHostTensor>(), b->get<DenseHostTensor>(), out);
             if (!status.ok()) return promise.SetError(std::move(status));
             promise.emplace(std::move(out));
           });
  return promise;
}

AsyncValueRef<DenseHostTensor> LateFail(const DenseHostTensor&, const OpAttrsRef& attrs,
                                        OpCall& call) {
  auto promise = MakeUnconstructedAsyncValueRef<DenseHostTensor>();
  int64_t id = IdOf(attrs);
  Postpone(call, id, [promise = promise.CopyRef(), id] {
    promise.SetError(InternalError(FailureTextOf(id)));
  });
  return promise;
}

StatusOr<DenseHostTensor> Fail(const DenseHostTensor&, const OpAttrsRef& attrs) {
  return InternalError(FailureTextOf(IdOf(attrs)));
}

StatusOr<DenseHostTensor> Throw(const DenseHostTensor&, const OpAttrsRef& attrs) {
  throw std::runtime_error(FailureTextOf(IdOf(attrs)));
}

Tensor TensorOf(const DenseHostTensor& x) {
  return Tensor::FromArray(
      HostArray(x.shape().dims(), std::span(ElementsOf(x), static_cast<size_t>(x.num_elements()))));
}

StatusOr<DenseHostTensor> Nested(const DenseHostTensor& a, const DenseHostTensor& b,
                                 const OpAttrsRef& attrs, OpCall& call) {
  int64_t id = IdOf(attrs);
  Scope scope(*StressState::Of(call.exec_ctx().host()).context,
              {.mode = id % 2 == 0 ? ExecutionMode::kSync : ExecutionMode::kAsync,
               .device = kStressDevices[id / 2 % 2]});
  TensorArgument arguments[] = {TensorOf(a), TensorOf(b)};
  Tensor mixed;
  TFRT_RETURN_IF_ERROR(Execute("stress.Mix", arguments, {}, {&mixed, 1}));
  mixed = mixed.CopyTo(kStressDevices[id / 4 % 2]);
  TFRT_ASSIGN_OR_RETURN(auto values, mixed.Values<float>());
  const HostArray array(a.shape().dims(), values);
  return array.tensor()->ShareBuffer();
}

Status Effect(const DenseHostTensor&, OpCall& call) {
  StressState& state = StressState::Of(call.exec_ctx().host());
  if (state.running_effects.fetch_add(1) != 0) state.effects_overlapped = true;
  std::this_thread::yield();
  ++state.num_effects;
  state.running_effects.fetch_sub(1);
  return OkStatus();
}

TensorMetadata UnaryMetadata(const TensorMetadata& x) { return x; }
TensorMetadata BinaryMetadata(const TensorMetadata& a, const TensorMetadata&) { return a; }
std::tuple<TensorMetadata, TensorMetadata> PairMetadata(const TensorMetadata& a,
                                                        const TensorMetadata&) {
  return {a, a};
}

}  // namespace

Elements Mixed(const Elements& a, const Elements& b) {
  Elements mixed(a.size());
  for (size_t i = 0; i < a.size(); ++i) mixed[i] = MixedElement(a[i], b[i]);
  return mixed;
}

std::string FailureTextOf(int64_t id) { return "step " + std::to_string(id) + ";"; }

void RegisterStressOps(Context& context) {
  auto add = [&](std::string_view name, std::vector<OpArgumentSpec> arguments, OpFunction function,
                 OpMetadataFunction metadata) {
    CustomOp op{.name = name, .summary = "", .arguments = std::move(arguments)};
    op.results = {"y"};
    if (name == "stress.Pair") op.results = {"y", "z"};
    if (name == "stress.Effect") {
      op.results = {};
      op.flags = OpFlags::kSideEffects;
    } else if (name != "stress.Mix") {
      op.attrs = {{"id", OpAttrSpec::Kind::kI64}};
    }
    op.metadata = metadata;
    op.function = function;
    if (!context.RegisterOp(std::move(op)).ok()) std::abort();
  };
  const OpMetadataFunction unary = TFRT_OP_METADATA(UnaryMetadata);
  const OpMetadataFunction binary = TFRT_OP_METADATA(BinaryMetadata);
  add("stress.Mix", {{"a"}, {"b"}}, TFRT_OP(MixInPlace), binary);
  add("stress.Shapeless", {{"a"}, {"b"}}, TFRT_OP(MixInNewMemory), nullptr);
  add("stress.Late", {{"a"}, {"b"}}, TFRT_OP(Late), binary);
  add("stress.Nested", {{"a"}, {"b"}}, TFRT_OP(Nested), binary);
  add("stress.Pair", {{"a"}, {"b"}}, TFRT_OP(Pair), TFRT_OP_METADATA(PairMetadata));
  add("stress.Fail", {{"x"}}, TFRT_OP(Fail), unary);
  add("stress.Throw", {{"x"}}, TFRT_OP(Throw), unary);
  add("stress.LateFail", {{"x"}}, TFRT_OP(LateFail), unary);
  add("stress.Effect", {{"x"}}, TFRT_OP(Effect), nullptr);
}

}  // namespace tfrt::eager

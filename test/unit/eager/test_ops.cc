#include "test/unit/eager/test_ops.h"

#include <cassert>
#include <thread>
#include <utility>

#include "lib/runtime/tensor/coo_host_tensor.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/tensor/scalar_host_tensor.h"

namespace tfrt::eager {
namespace {

TestOpState& StateOf(OpCall& call) {
  return call.exec_ctx().host()->GetOrCreateSharedContext<TestOpState>();
}

TensorMetadata SameMetadata(const TensorMetadata& x) { return x; }

StatusOr<TensorMetadata> AddMetadata(const TensorMetadata& a, const TensorMetadata& b) {
  if (a.dtype != b.dtype) {
    return InvalidArgumentError("incompatible dtypes");
  }
  if (a.shape != b.shape) {
    return InvalidArgumentError("incompatible shapes");
  }
  return a;
}

template <typename T>
void AddElements(const DenseHostTensor& a, const DenseHostTensor& b, void* out) {
  for (int64_t i = 0; i < a.num_elements(); ++i) {
    static_cast<T*>(out)[i] =
        static_cast<const T*>(a.data())[i] + static_cast<const T*>(b.data())[i];
  }
}

StatusOr<DenseHostTensor> Add(const DenseHostTensor& a, const DenseHostTensor& b,
                              const TensorMetadata& result, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.AllocateOrReuse(result, {0, 1}));
  TFRT_ASSIGN_OR_RETURN(void* data, out.MutableData());
  switch (result.dtype) {
    case DType::kF32:
      AddElements<float>(a, b, data);
      break;
    case DType::kI32:
      AddElements<int32_t>(a, b, data);
      break;
    case DType::kI64:
      AddElements<int64_t>(a, b, data);
      break;
    default:
      return InvalidArgumentError(StrCat("unsupported dtype ", DTypeName(result.dtype)));
  }
  return out;
}

StatusOr<DenseHostTensor> Same(const DenseHostTensor& x, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(x.metadata()));
  TFRT_RETURN_IF_ERROR(x.CopyTo(out));
  return out;
}

// Calls `done` with x's value when the gate opens.
template <typename Done>
void WhenGateOpens(OpArgument<DenseHostTensor> x, OpCall& call, Done done) {
  AsyncValueRef<Chain> gate = StateOf(call).gate();
  AsyncValue* awaited = gate.GetAsyncValue();
  awaited->AndThen([gate = std::move(gate), value = x.ValueRef(),
                    done = std::move(done)]() mutable { done(value->get<DenseHostTensor>()); });
}

AsyncValueRef<DenseHostTensor> Gate(OpArgument<DenseHostTensor> x, OpCall& call) {
  auto result = MakeUnconstructedAsyncValueRef<DenseHostTensor>();
  WhenGateOpens(x, call, [result = result.CopyRef()](const DenseHostTensor& value) {
    result.AsPtr().emplace(value.ShareBuffer());
  });
  return result;
}

AsyncValueRef<DenseHostTensor> LateError(OpArgument<DenseHostTensor> x, OpCall& call) {
  auto result = MakeUnconstructedAsyncValueRef<DenseHostTensor>();
  WhenGateOpens(x, call, [result = result.CopyRef()](const DenseHostTensor&) {
    result.AsPtr().SetError(InternalError("failed late"));
  });
  return result;
}

Status Error(OpCall& call) {
  StateOf(call).Log("error");
  return InternalError("failed");
}

std::pair<AsyncValueRef<DenseHostTensor>, AsyncValueRef<DenseHostTensor>> TwoResults(
    OpArgument<DenseHostTensor> x, OpCall& call) {
  return {MakeAvailableAsyncValueRef<DenseHostTensor>(x->ShareBuffer()), Gate(x, call)};
}
std::tuple<TensorMetadata, TensorMetadata> TwoResultsMetadata(const TensorMetadata& x) {
  return {x, x};
}

Status Effect(const DenseHostTensor& x, OpCall& call) {
  TestOpState& state = StateOf(call);
  if (state.running_effects.fetch_add(1) != 0) state.effects_overlapped = true;
  std::this_thread::yield();
  state.Log(StrCat(*static_cast<const int32_t*>(x.data())));
  state.running_effects.fetch_sub(1);
  return OkStatus();
}

Status FailingEffect(const DenseHostTensor&) { return InternalError("no effect"); }

ScalarHostTensor<int32_t> Scalar() { return ScalarHostTensor<int32_t>(TensorShape{2, 2}, 7); }

StatusOr<CooHostTensor> Sparse(OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor indices, call.Allocate({DType::kI64, TensorShape{1, 2}}));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor values, call.Allocate({DType::kI32, TensorShape{1}}));
  auto* index = static_cast<int64_t*>(*indices.MutableData());
  index[0] = 1;
  index[1] = 0;
  *static_cast<int32_t*>(*values.MutableData()) = 7;
  return CooHostTensor::Create(TensorShape{2, 2}, std::move(indices), std::move(values));
}

RCReference<AsyncValue> Optional(OpArgument<DenseHostTensor> a,
                                 OptionalOpArgument<DenseHostTensor> b) {
  return b ? FormRef(b.value()) : a.ValueRef();
}
RCReference<AsyncValue> OnlyOptional(OptionalOpArgument<DenseHostTensor> a, OpCall& call) {
  if (a) return FormRef(a.value());
  return MakeAvailableAsyncValueRef<DenseHostTensor>(*call.Allocate({DType::kI32, TensorShape{0}}))
      .ReleaseRCRef();
}
RCReference<AsyncValue> First(VariadicOpArguments<DenseHostTensor> all) {
  return FormRef(all.value(0));
}

TestVariable MakeVariable() { return TestVariable(5); }
ScalarHostTensor<int32_t> ReadVariable(const TestVariable& v, OptionalOpArgument<tfrt::Tensor>) {
  return ScalarHostTensor<int32_t>(TensorShape(), v.value());
}

ScalarHostTensor<int64_t> Attributes(const OpAttrsRef& attrs) {
  return ScalarHostTensor<int64_t>(TensorShape(), *attrs.Get<int64_t>("i"));
}

ScalarHostTensor<int64_t> Large(const OpAttrsRef& attrs) {
  return ScalarHostTensor<int64_t>(TensorShape(),
                                   static_cast<int64_t>(attrs.GetDense("c")->num_elements()));
}

StatusOr<ScalarHostTensor<int64_t>> Defaults(const OpAttrsRef& attrs) {
  auto by = attrs.Get<int64_t>("by");
  if (!by || !attrs.GetString("s")) return InternalError("an attribute is missing");
  return ScalarHostTensor<int64_t>(TensorShape(), *by);
}

}  // namespace

void TestOpState::OpenGate() { gate().AsPtr().emplace(); }

AsyncValueRef<Chain> TestOpState::gate() {
  std::lock_guard lock(mutex_);
  return gate_.CopyRef();
}

void TestOpState::CloseGate() {
  std::lock_guard lock(mutex_);
  gate_ = MakeUnconstructedAsyncValueRef<Chain>();
}

void TestOpState::Log(std::string text) {
  std::lock_guard lock(mutex_);
  log_.push_back(std::move(text));
}

std::vector<std::string> TestOpState::TakeLog() {
  std::lock_guard lock(mutex_);
  return std::exchange(log_, {});
}

void RegisterTestOps(Context& context) {
  using ArgumentKind = OpArgumentSpec::Kind;
  using AttrKind = OpAttrSpec::Kind;
  const CustomOp ops[] = {
      {.name = "test.Add",
       .summary = "",
       .arguments = {{"a"}, {"b"}},
       .results = {"y"},
       .metadata = TFRT_OP_METADATA(AddMetadata),
       .function = TFRT_OP(Add)},
      {.name = "test.Same",
       .summary = "",
       .arguments = {{"x"}},
       .results = {"y"},
       .function = TFRT_OP(Same)},
      {.name = "test.Gate",
       .summary = "",
       .arguments = {{"x"}},
       .results = {"y"},
       .metadata = TFRT_OP_METADATA(SameMetadata),
       .function = TFRT_OP(Gate)},
      {.name = "test.LateError",
       .summary = "",
       .arguments = {{"x"}},
       .results = {"y"},
       .metadata = TFRT_OP_METADATA(SameMetadata),
       .function = TFRT_OP(LateError)},
      {.name = "test.Error",
       .summary = "",
       .arguments = {{"x"}},
       .results = {"y"},
       .metadata = TFRT_OP_METADATA(SameMetadata),
       .function = [](OpCall& call) noexcept { call.ReportError(Error(call)); }},
      {.name = "test.TwoResults",
       .summary = "",
       .arguments = {{"x"}},
       .results = {"y", "z"},
       .metadata = TFRT_OP_METADATA(TwoResultsMetadata),
       .function = TFRT_OP(TwoResults)},
      {.name = "test.Effect",
       .summary = "",
       .arguments = {{"x"}},
       .flags = OpFlags::kSideEffects,
       .function = TFRT_OP(Effect)},
      {.name = "test.FailingEffect",
       .summary = "",
       .arguments = {{"x"}},
       .flags = OpFlags::kSideEffects,
       .function = TFRT_OP(FailingEffect)},
      {.name = "test.Scalar", .summary = "", .results = {"y"}, .function = TFRT_OP(Scalar)},
      {.name = "test.Sparse", .summary = "", .results = {"y"}, .function = TFRT_OP(Sparse)},
      {.name = "test.Optional",
       .summary = "",
       .arguments = {{"a"}, {"b", ArgumentKind::kOptional}},
       .results = {"y"},
       .function = TFRT_OP(Optional)},
      {.name = "test.OnlyOptional",
       .summary = "",
       .arguments = {{"a", ArgumentKind::kOptional}},
       .results = {"y"},
       .function = TFRT_OP(OnlyOptional)},
      {.name = "test.Variadic",
       .summary = "",
       .arguments = {{"a", ArgumentKind::kVariadic}},
       .results = {"y"},
       .function = TFRT_OP(First)},
      {.name = "test.Variable", .summary = "", .results = {"v"}, .function = TFRT_OP(MakeVariable)},
      {.name = "test.Read",
       .summary = "",
       .arguments = {{"v"}, {"x", ArgumentKind::kOptional}},
       .results = {"y"},
       .function = TFRT_OP(ReadVariable)},
      {.name = "test.Attributes",
       .summary = "",
       .attrs = {{"b", AttrKind::kBool}, {"i", AttrKind::kI64}},
       .results = {"y"},
       .function = TFRT_OP(Attributes)},
      {.name = "test.Large",
       .summary = "",
       .attrs = {{"c", AttrKind::kDense}},
       .results = {"y"},
       .function = TFRT_OP(Large)},
      {.name = "test.Defaults",
       .summary = "",
       .attrs = {{"s", AttrKind::kString, "\"none\""}, {"by", AttrKind::kI64, "3"}},
       .results = {"y"},
       .function = TFRT_OP(Defaults)},
      {.name = "test.MetadataOnly",
       .summary = "",
       .arguments = {{"x"}},
       .results = {"y"},
       .metadata = TFRT_OP_METADATA(SameMetadata)},
  };
  for (const CustomOp& op : ops) {
    [[maybe_unused]] Status status = context.RegisterOp(op);
    assert(status.ok());
  }
}

}  // namespace tfrt::eager

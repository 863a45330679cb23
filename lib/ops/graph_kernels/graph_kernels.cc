// The kernels graph.OP.

#include "tfrt/core_runtime/graph_kernels.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "graph_call.h"
#include "graph_kernel_groups.h"
#include "lib/ops/host_ops/graph_ops.h"
#include "lib/ops/op_call/call_sites.h"
#include "lib/ops/op_call/infer_metadata.h"
#include "lib/ops/op_call/run_op.h"
#include "lib/ops/op_call/run_resources.h"
#include "tfrt/async/chain.h"
#include "tfrt/host_context/diagnostic.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/small_array.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/tracing/record.h"

namespace tfrt {
namespace {

// How many operands each argument of an op has, which MLIR says of ops with more than one argument
// that need not be one operand.
constexpr std::string_view kSegments = "operandSegmentSizes";

// Holds the facts of an op that its kernel needs. Lives as long as the program.
struct GraphKernel {
  explicit GraphKernel(const OpDefinition& op);

  const OpDefinition* op;
  std::vector<AttributeCode> attribute_codes;  // of the kernel's attributes, by name
  std::optional<uint32_t> segments;            // the attribute kSegments
  KernelSignature signature;
};

AttributeCode CodeOf(OpAttrSpec::Kind kind) {
  using Kind = OpAttrSpec::Kind;
  switch (kind) {
    case Kind::kBool:
      return Attribute<bool>::kCode;
    case Kind::kI32:
      return Attribute<int32_t>::kCode;
    case Kind::kI64:
      return Attribute<int64_t>::kCode;
    case Kind::kF32:
      return Attribute<float>::kCode;
    case Kind::kString:
      return StringAttribute::kCode;
    case Kind::kType:
      return TypeAttribute::kCode;
    case Kind::kDense:
      return DenseAttribute::kCode;
    case Kind::kShape:
    case Kind::kI64Array:
      return ArrayAttribute<int64_t>::kCode;
    case Kind::kF32Array:
      return ArrayAttribute<float>::kCode;
    case Kind::kStringArray:
      return AggregateAttribute::kCode;
    case Kind::kFunction:
    case Kind::kAny:
      return kAnyAttribute;
  }
  return kAnyAttribute;
}

GraphKernel::GraphKernel(const OpDefinition& definition) : op(&definition) {
  for (const OpAttrSpec& attr : definition.attrs) attribute_codes.push_back(CodeOf(attr.kind));
  auto is_flexible = [](const OpArgumentSpec& argument) {
    return argument.kind != OpArgumentSpec::Kind::kRequired;
  };
  if (std::ranges::count_if(definition.arguments, is_flexible) > 1) {
    auto at = std::ranges::lower_bound(definition.attrs, kSegments, {}, &OpAttrSpec::name);
    segments = static_cast<uint32_t>(at - definition.attrs.begin());
    attribute_codes.insert(attribute_codes.begin() + *segments, ArrayAttribute<int32_t>::kCode);
  }
  signature = {.variadic_arguments = true,
               .variadic_results = true,
               .attributes = attribute_codes,
               .clears_results = true,
               .is_op = true};
}

// By id of the op. Made at the first call.
const std::vector<GraphKernel>& GraphKernels() {
  static const auto* const kernels = [] {
    auto* made = new std::vector<GraphKernel>();
    made->reserve(GraphOps().ops().size());
    for (const OpDefinition& op : GraphOps().ops()) made->emplace_back(op);
    return made;
  }();
  return *kernels;
}

// The operands of a call as the op's arguments.
class KernelArguments {
 public:
  // `num_operands`: without the token.
  KernelArguments(const GraphKernel& kernel, const AsyncKernelFrame& frame, uint32_t num_operands)
      : kernel_(kernel),
        frame_(frame),
        num_operands_(num_operands),
        values_(num_operands + kernel.op->arguments.size()) {}

  // InvalidArgument: they are not as many as the program says, or not tensors that are there.
  Status Read() {
    if (!ReadOperands()) {
      return InvalidArgumentError(StrCat(kernel_.op->name, ": ", kSegments, " is not that of its ",
                                         num_operands_, " operands"));
    }
    if (!first_other_) return OkStatus();
    return InvalidArgumentError(
        StrCat(kernel_.op->name, ": operand ", *first_other_, " is no tensor"));
  }

  // Null where one is left out.
  std::span<AsyncValue* const> values() { return values_.span().first(size_); }
  // Those that only this call uses still, among those whose memory the op may write: see OpCall.
  uint64_t last_uses() const { return last_uses_; }

 private:
  bool ReadOperands() {
    if (!kernel_.segments) {
      // The one argument that may be left out is, if an operand is missing.
      std::span<const OpArgumentSpec> specs = kernel_.op->arguments;
      const bool is_missing = num_operands_ + 1 == specs.size();
      while (next_ < num_operands_) {
        if (is_missing && size_ < specs.size() &&
            specs[size_].kind == OpArgumentSpec::Kind::kOptional) {
          values_[size_++] = nullptr;
        } else {
          TakeOperand();
        }
      }
      return true;
    }
    ArrayAttribute<int32_t> segments(frame_.attribute(*kernel_.segments));
    if (segments.size() != kernel_.op->arguments.size()) return false;
    for (size_t i = 0; i < segments.size(); ++i) {
      const int32_t count = segments[i];
      const bool is_variadic = kernel_.op->arguments[i].kind == OpArgumentSpec::Kind::kVariadic;
      if (count < 0 || (count != 1 && !is_variadic && count != 0)) return false;
      if (static_cast<uint32_t>(count) > num_operands_ - next_) return false;
      if (count == 0 && !is_variadic) values_[size_++] = nullptr;
      for (int32_t j = 0; j < count; ++j) TakeOperand();
    }
    return next_ == num_operands_;
  }
  void TakeOperand() {
    AsyncValue* value = frame_.argument(next_);
    if (!value->GetIfPlain<DenseHostTensor>() && !first_other_) [[unlikely]] {
      // A program may hold anything, and may call kernels non-strict.
      if (!value->IsConcrete() || !value->IsType<Tensor>()) first_other_ = next_;
    }
    if (size_ < 32 && (kernel_.op->description->may_overwrite >> size_ & 1) != 0 &&
        frame_.IsUniqueArgument(next_)) {
      last_uses_ |= uint64_t{1} << size_;
    }
    values_[size_++] = value;
    ++next_;
  }

  const GraphKernel& kernel_;
  const AsyncKernelFrame& frame_;
  const uint32_t num_operands_;
  SmallArray<AsyncValue*, 8> values_;
  size_t size_ = 0;
  uint32_t next_ = 0;
  uint64_t last_uses_ = 0;
  std::optional<uint32_t> first_other_;  // that is no tensor
};

// Describes a call for profiles: its first result and its work. The work is computed by the op
// table's formula: operations, and the least bytes of arguments and results that must be read and
// written. All are 0 if there is no formula.
constexpr tracing::RecordType kCallRecord = {
    .name = "graph.call",
    .level = tracing::StackLevel::kOp,
    .kind = tracing::RecordKind::kEvent,
    .arguments = {{{"flops", tracing::ArgumentSpec::Type::kReal},
                   {"bytes_read", tracing::ArgumentSpec::Type::kReal},
                   {"bytes_written", tracing::ArgumentSpec::Type::kReal},
                   {"result", tracing::ArgumentSpec::Type::kName}}}};

std::string TextOf(const TensorMetadata& metadata) {
  std::string dims;
  for (int64_t dim : metadata.shape.dims()) dims += StrCat(dims.empty() ? "" : ",", dim);
  return StrCat(DTypeName(metadata.dtype), " [", dims, "]");
}

ValueType TypeOf(const TensorMetadata& metadata) {
  const ShapeDims dims = metadata.shape.dims();
  return ValueType{metadata.dtype, SymbolicShape(std::vector<Dim>(dims.begin(), dims.end()))};
}

// Returns the facts that are recorded of a call. They are remembered with its site.
const CallFacts& FactsOf(const OpDefinition& op, std::span<AsyncValue* const> arguments,
                         CallSite* site) {
  CallFacts& facts = site->facts;
  if (facts.is_known) return facts;
  std::vector<ValueType> types;
  for (const AsyncValue* argument : arguments) {
    types.push_back(argument ? TypeOf(argument->get<Tensor>().metadata()) : ValueType());
  }
  std::vector<const ValueType*> pointers;
  for (size_t i = 0; i < arguments.size(); ++i) {
    pointers.push_back(arguments[i] ? &types[i] : nullptr);
  }
  std::vector<ValueType> made;
  for (const TensorMetadata& result : site->results) made.push_back(TypeOf(result));
  facts.work = EstimateWork(*op.description, pointers, made).value_or(OpWork());
  facts.result = tracing::InternName(site->results.empty() ? "" : TextOf(site->results[0]));
  facts.is_known = !site->results.empty();
  return facts;
}

}  // namespace

[[gnu::cold, gnu::noinline]] void RecordGraphCall(const OpDefinition& op,
                                                  std::span<AsyncValue* const> arguments,
                                                  CallSite* site) {
  if (!tracing::IsActive(kCallRecord)) return;
  const CallFacts& facts = FactsOf(op, arguments, site);
  tracing::RecordEvent(kCallRecord, op.name, {}, facts.work.flops, facts.work.bytes_read,
                       facts.work.bytes_written, facts.result);
}

namespace {

// On the device that the resources name; on the host, which does not have the op, an error.
[[gnu::cold, gnu::noinline]] void RunPlaced(const OpDefinition& op, const RunResources* resources,
                                            KernelArguments& arguments, const OpAttrsRef& attrs,
                                            AsyncKernelFrame* frame) {
  const ExecutionContext& exec_ctx = frame->exec_ctx();
  const OpPlace* place = resources ? resources->place : nullptr;
  PlacedGraphCall call{
      .op = op,
      .place = place ? *place : *OpPlace::On(exec_ctx.host(), exec_ctx.host()->GetHostDevice()),
      .exec_ctx = exec_ctx,
      .sites = resources ? resources->call_sites : nullptr,
      .key = frame->place(),
      .locates_errors = resources && resources->locate_errors};
  call.arguments.reserve(arguments.values().size());
  for (AsyncValue* argument : arguments.values()) call.arguments.push_back(FormRef(argument));
  RunPlacedGraphCall(std::move(call), attrs, frame->ResultReferences());
}

void RunGraphKernel(const GraphKernel& kernel, AsyncKernelFrame* frame) {
  frame->ClearResults();
  const OpDefinition& op = *kernel.op;
  const ExecutionContext& exec_ctx = frame->exec_ctx();
  const auto* resources = exec_ctx.request_ctx()->GetDataIfExists<RunResources>();

  SmallArray<OpAttr, 16> attrs(op.attrs.size());
  for (uint32_t i = 0, at = 0; i < attrs.size(); ++i, ++at) {
    if (kernel.segments == at) ++at;
    attrs[i] = {op.attrs[i].name, frame->attribute(at), kernel.attribute_codes[at]};
  }
  const bool has_token = op.has_side_effects();
  if (has_token && (frame->num_arguments() == 0 || frame->num_results() == 0)) {
    return frame->ReportError(
        InvalidArgumentError(StrCat(op.name, ": it takes no token, or makes none")));
  }
  const uint32_t num_results = frame->num_results() - (has_token ? 1 : 0);
  KernelArguments arguments(kernel, *frame, frame->num_arguments() - (has_token ? 1 : 0));
  Status read = arguments.Read();
  if (!read.ok()) return frame->ReportError(std::move(read));
  const OpAttrsRef attrs_ref(std::span<const OpAttr>(attrs.span()));
  if ((resources && resources->place) || !op.function) [[unlikely]] {
    return RunPlaced(op, resources, arguments, attrs_ref, frame);
  }

  CallSites::Lease lease = resources && resources->call_sites
                               ? resources->call_sites->Take(frame->place())
                               : CallSites::Lease();
  CallSite own_site;
  CallSite* site = lease.get() ? lease.get() : &own_site;
  Status status = InferResultMetadata(op, arguments.values(), attrs_ref, num_results, site);
  if (!status.ok()) return frame->ReportError(AtItsPlace(exec_ctx, std::move(status)));

  if (tracing::IsActive(kCallRecord)) [[unlikely]] {
    RecordGraphCall(op, arguments.values(), site);
  }
  if (op.parser && lease.get() && !site->parsed_attrs) site->parsed_attrs = op.parser(attrs_ref);
  HostAllocator* allocator =
      resources && resources->allocator ? resources->allocator : exec_ctx.host()->allocator();
  const std::span<RCReference<AsyncValue>> results = frame->ResultReferences();
  OpOutcome outcome =
      RunOp(op, exec_ctx, allocator, arguments.values(), arguments.last_uses(), attrs_ref,
            site->results, results.first(num_results), site->parsed_attrs.get());
  if (!has_token) [[likely]]
    return;
  if (!outcome.error.ok()) {
    results.back() = MakeErrorAsyncValue(std::move(outcome.error));
  } else {
    results.back() = outcome.chain ? outcome.chain.ReleaseRCRef() : GetReadyChain().ReleaseRCRef();
  }
}

// Kernels are plain functions: one for each number that an op may have.
constexpr size_t kMaxGraphOps = 384;
template <size_t id>
void RunGraphKernelOf(AsyncKernelFrame* frame) {
  RunGraphKernel(GraphKernels()[id], frame);
}
template <size_t... ids>
constexpr std::array<AsyncKernel, sizeof...(ids)> KernelFunctions(std::index_sequence<ids...>) {
  return {&RunGraphKernelOf<ids>...};
}
constexpr auto kKernelFunctions = KernelFunctions(std::make_index_sequence<kMaxGraphOps>());

StatusOr<DenseHostTensor> Constant(DenseAttribute value) {
  return DenseHostTensor::CreateFromConstant(value);
}

}  // namespace

void RegisterGraphKernels(KernelRegistry* registry) {
  const std::vector<GraphKernel>& kernels = GraphKernels();
  assert(kernels.size() <= kMaxGraphOps);
  for (size_t id = 0; id < kernels.size(); ++id) {
    registry->AddKernel(kernels[id].op->name, {kKernelFunctions[id], &kernels[id].signature});
  }
  registry->AddKernel("graph.constant", TFRT_KERNEL(Constant));
  RegisterGraphControlFlowKernels(registry);
  RegisterGraphEffectKernels(registry);
  RegisterWeightKernel(registry);
}

}  // namespace tfrt

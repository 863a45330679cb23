// The kernels graph.OP.

#include <array>
#include <cassert>
#include <utility>
#include <vector>

#include "kernel_groups.h"
#include "tfrt/core_runtime/call_sites.h"
#include "tfrt/core_runtime/execute_op.h"
#include "tfrt/core_runtime/graph_ops.h"
#include "tfrt/core_runtime/infer_metadata.h"
#include "tfrt/core_runtime/run_resources.h"
#include "tfrt/host_context/diagnostic.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/small_array.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt {
namespace {

// What stands for an optional argument that is left out.
struct NoArgument {};

// What a kernel needs of its op. Lives as long as the program.
struct GraphKernel {
  explicit GraphKernel(const OpDefinition& op);

  const OpDefinition* op;
  std::vector<AttributeCode> attribute_codes;
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
    case Kind::kFunction:
      return StringAttribute::kCode;
    case Kind::kType:
      return TypeAttribute::kCode;
    case Kind::kShape:
      return ShapeAttribute::kCode;
    case Kind::kDense:
      return DenseAttribute::kCode;
    case Kind::kI64Array:
      return ArrayAttribute<int64_t>::kCode;
    case Kind::kF32Array:
      return ArrayAttribute<float>::kCode;
    case Kind::kStringArray:
      return AggregateAttribute::kCode;
    case Kind::kAny:
      return kAnyAttribute;
  }
  return kAnyAttribute;
}

GraphKernel::GraphKernel(const OpDefinition& definition) : op(&definition) {
  for (const OpAttrSpec& attr : definition.attrs) attribute_codes.push_back(CodeOf(attr.kind));
  signature = {.variadic_arguments = true, .variadic_results = true, .attributes = attribute_codes};
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

// The arguments that only this call uses still, among those whose memory the op may write.
uint64_t LastUses(const GraphKernel& kernel, const AsyncKernelFrame& frame) {
  uint64_t last_uses = 0;
  for (uint32_t rest = kernel.op->description->may_overwrite; rest != 0; rest &= rest - 1) {
    auto i = static_cast<uint32_t>(__builtin_ctz(rest));
    if (i >= frame.num_arguments()) break;
    if (frame.IsUniqueArgument(i)) last_uses |= uint64_t{1} << i;
  }
  return last_uses;
}

void RunGraphKernel(const GraphKernel& kernel, AsyncKernelFrame* frame) {
  const OpDefinition& op = *kernel.op;
  const ExecutionContext& exec_ctx = frame->exec_ctx();
  const auto* resources = exec_ctx.request_ctx()->GetDataIfExists<RunResources>();

  SmallArray<OpAttr, 16> attrs(kernel.attribute_codes.size());
  for (uint32_t i = 0; i < attrs.size(); ++i) {
    attrs[i] = {op.attrs[i].name, frame->attribute(i), kernel.attribute_codes[i],
                op.attrs[i].kind == OpAttrSpec::Kind::kFunction};
  }
  SmallArray<AsyncValue*, 8> arguments(frame->num_arguments());
  for (uint32_t i = 0; i < frame->num_arguments(); ++i) {
    AsyncValue* argument = frame->argument(i);
    arguments[i] = argument->IsType<NoArgument>() ? nullptr : argument;
  }
  const OpAttrsRef attrs_ref(std::span<const OpAttr>(attrs.span()));

  CallSites::Lease lease = resources && resources->call_sites
                               ? resources->call_sites->Take(&frame->site())
                               : CallSites::Lease();
  CallSite own_site;
  CallSite* site = lease.get() ? lease.get() : &own_site;
  Status status = InferResultMetadata(op, arguments.span(), attrs_ref, frame->num_results(), site);
  if (!status.ok()) return frame->ReportError(std::move(status));

  HostAllocator* allocator =
      resources && resources->allocator ? resources->allocator : exec_ctx.host()->allocator();
  RunOp(op, exec_ctx, allocator, arguments.span(), LastUses(kernel, *frame), attrs_ref,
        site->results, frame->ResultReferences());
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

NoArgument None() { return {}; }

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
  registry->AddKernel("graph.none", TFRT_KERNEL(None));
}

}  // namespace tfrt

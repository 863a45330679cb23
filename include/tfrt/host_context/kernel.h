// TFRT_KERNEL(fn): makes a kernel of a plain C++ function and deduces the kernel's signature.
//
//   int32_t AddI32(int32_t a, int32_t b) { return a + b; }
//   registry->AddKernel("my.add", TFRT_KERNEL(AddI32));
//
// Parameters, each kind in positional order:
//   T, T&, T*                    the payload of the next argument; checked to be a T
//   Argument<T>                  the next argument with its AsyncValue (to keep it, or to reuse it)
//   AsyncValue*                  the next argument, of any type; if non-strict, in any state
//   RemainingArguments           all further arguments; RepeatedArguments<T>: all of them a T
//   Result<T>, RemainingResults  results that are set through the parameter (after returned ones)
//   Attribute<T>, ArrayAttribute<T>, StringAttribute, TypeAttribute, ShapeAttribute,
//   DenseAttribute, AggregateAttribute, CompilationUnitAttribute   the next attribute
//   AnyAttribute                 the next attribute, undecoded
//   RemainingAttributes          all further attributes
//   const Function*, RemainingFunctions        functions and regions the op names
//   KernelErrorHandler           reports an error
//   const ExecutionContext&, AsyncKernelFrame* the context, the whole frame
// Return: void, T, AsyncValueRef<T>, RCReference<AsyncValue>, Status, StatusOr<...>, and std::pair
// or std::tuple of values. Returning Chain costs nothing. An error is reported at the op and
// becomes every result that is not set yet. A function without a Chain parameter accepts one
// trailing chain operand.
//
// TFRT_SYNC_KERNEL(fn) does the same for sync functions. Their parameters are T, T&, T*, Value*,
// RemainingSyncArguments, RepeatedSyncArguments<T>, the attributes and functions above, const
// ExecutionContext&, and SyncKernelFrame*. The returns are the same, without AsyncValues.
#ifndef TFRT_HOST_CONTEXT_KERNEL_H_
#define TFRT_HOST_CONTEXT_KERNEL_H_

#include "tfrt/async/chain.h"
#include "tfrt/host_context/attribute_views.h"
#include "tfrt/host_context/kernel_frame.h"
#include "tfrt/host_context/kernel_of.h"
#include "tfrt/host_context/kernel_parameters.h"
#include "tfrt/host_context/kernel_registry.h"

namespace tfrt {
namespace internal {

template <auto fn>
constexpr AsyncKernelDefinition MakeAsyncKernel() {
  using Kernel = KernelFor<AsyncKernelFrame, fn>;
  return {&Kernel::Run, &Kernel::kSignature};
}
template <auto fn>
constexpr SyncKernelDefinition MakeSyncKernel() {
  using Kernel = KernelFor<SyncKernelFrame, fn>;
  return {&Kernel::Run, &Kernel::kSignature};
}

}  // namespace internal

// `...` so that template arguments may contain commas: TFRT_KERNEL(Add<int, float>).
#define TFRT_KERNEL(...) ::tfrt::internal::MakeAsyncKernel<&__VA_ARGS__>()
#define TFRT_SYNC_KERNEL(...) ::tfrt::internal::MakeSyncKernel<&__VA_ARGS__>()

}  // namespace tfrt

#endif  // TFRT_HOST_CONTEXT_KERNEL_H_

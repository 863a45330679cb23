// Functions that programs declare with `tfrt.native`. The declared types are the program's claim,
// so counts and types are checked here.

#include "tfrt/async/chain.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/kernel_registry.h"
#include "tfrt/kernels/test_kernels.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

using Arguments = std::span<AsyncValue* const>;
using Results = std::span<RCReference<AsyncValue>>;

void SetAll(Results results, const RCReference<AsyncValue>& value) {
  for (RCReference<AsyncValue>& result : results) result = value;
}

bool CheckResultCount(const char* name, Results results, size_t expected) {
  if (results.size() == expected) return true;
  if (!results.empty()) {
    SetAll(results,
           MakeErrorAsyncValue(InvalidArgumentError(StrCat(
               name, " returns ", expected, " results, but is declared with ", results.size()))));
  }
  return false;
}

bool CheckAddends(const char* name, Arguments arguments, Results results) {
  if (!CheckResultCount(name, results, 1)) return false;
  if (arguments.size() == 2 && arguments[0]->IsType<int32_t>() && arguments[1]->IsType<int32_t>()) {
    return true;
  }
  SetAll(results, MakeErrorAsyncValue(
                      InvalidArgumentError(StrCat(name, " takes two arguments of type i32"))));
  return false;
}

int32_t SumOfArguments(Arguments arguments) {
  return static_cast<int32_t>(static_cast<uint32_t>(arguments[0]->get<int32_t>()) +
                              static_cast<uint32_t>(arguments[1]->get<int32_t>()));
}

void NativeSink(const ExecutionContext&, Arguments, Results results) {
  CheckResultCount("native_sink", results, 0);
}

void NativeAsyncSink(const ExecutionContext&, Arguments, Results results) {
  if (!CheckResultCount("native_async_sink", results, 1)) return;
  results[0] = GetReadyChain().ReleaseRCRef();
}

void NativeAdd(const ExecutionContext&, Arguments arguments, Results results) {
  if (!CheckAddends("native_add", arguments, results)) return;
  results[0] = MakeAvailableAsyncValueRef<int32_t>(SumOfArguments(arguments)).ReleaseRCRef();
}

void NativeAsyncAdd(const ExecutionContext& exec_ctx, Arguments arguments, Results results) {
  if (!CheckAddends("native_async_add", arguments, results)) return;
  results[0] =
      EnqueueWork(exec_ctx, [sum = SumOfArguments(arguments)] { return sum; }).ReleaseRCRef();
}

void NativeError(const ExecutionContext&, Arguments, Results results) {
  if (results.empty()) return;
  SetAll(results, MakeErrorAsyncValue(InternalError("something bad happened")));
}

}  // namespace

void RegisterNativeTestFunctions(KernelRegistry* registry) {
  registry->AddNativeFunction("native_sink", NativeSink);
  registry->AddNativeFunction("native_async_sink", NativeAsyncSink);
  registry->AddNativeFunction("native_add", NativeAdd);
  registry->AddNativeFunction("native_async_add", NativeAsyncAdd);
  registry->AddNativeFunction("native_error", NativeError);
}

}  // namespace tfrt

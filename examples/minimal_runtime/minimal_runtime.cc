// The smallest program that runs BEF files: reads one from standard input, runs its function `main`
// and prints the i32 that it returns. It has the kernels that it names and no others.
// docs/embedding.md says how to build it small.

#include <unistd.h>

#include <cstdio>

#include "tfrt/executor/bef_file.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/function.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/kernels/kernel_groups.h"

namespace {

using namespace tfrt;

int32_t Constant(Attribute<int32_t> value) { return *value; }
int32_t Add(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}
bool LessEqual(int32_t a, int32_t b) { return a <= b; }

int Fail(const Status& status) {
  std::fprintf(stderr, "minimal_runtime: %s\n", status.ToString().c_str());
  return 1;
}

}  // namespace

int main() {
  HostContext host([](const DecodedDiagnostic&) {}, CreateMallocAllocator(),
                   CreateSingleThreadedWorkQueue());
  KernelRegistry& registry = host.kernel_registry();
  registry.AddKernel("tfrt.constant.i32", TFRT_KERNEL(Constant));
  registry.AddKernel("tfrt.add.i32", TFRT_KERNEL(Add));
  registry.AddKernel("tfrt.lessequal.i32", TFRT_KERNEL(LessEqual));
  RegisterCallKernels(&registry);
  RegisterBranchKernels(&registry);

  auto image = BefImage::FromDescriptor(STDIN_FILENO, "standard input");
  if (!image.ok()) return Fail(image.status());
  auto file = BefFile::Open(*std::move(image), &host);
  if (!file.ok()) return Fail(file.status());
  auto function = (*file)->FindFunction("main");
  if (!function.ok()) return Fail(function.status());
  if ((*function)->num_arguments() != 0 || (*function)->num_results() != 1) {
    return Fail(InvalidArgumentError("main must take nothing and return one i32"));
  }

  RCReference<AsyncValue> result;
  (*function)->Execute(ExecutionContext(RequestContextBuilder(&host, nullptr).Build()), {},
                       {&result, 1});
  AsyncValue* value = result.get();
  host.Await({&value, 1});
  if (value->IsError()) return Fail(value->GetError());
  if (!value->IsType<int32_t>()) return Fail(InvalidArgumentError("main must return an i32"));
  std::printf("%d\n", value->get<int32_t>());
}

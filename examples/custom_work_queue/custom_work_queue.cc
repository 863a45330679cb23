// Runs a program on a work queue of one's own, from an event loop; here that is main(). Usage:
// custom_work_queue program.bef

#include <cstdio>

#include "loop_queue.h"
#include "tfrt/executor/bef_file.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/function.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/kernels/kernels.h"

using namespace tfrt;

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s program.bef\n", argv[0]);
    return 2;
  }
  auto queue = std::make_unique<LoopQueue>();
  LoopQueue& loop = *queue;
  HostContext host([](const DecodedDiagnostic&) {}, CreateMallocAllocator(), std::move(queue));
  RegisterAllKernels(&host.kernel_registry());
  auto image = BefImage::FromFile(argv[1]);
  if (!image.ok()) {
    std::fprintf(stderr, "%s\n", image.status().ToString().c_str());
    return 1;
  }
  auto file = BefFile::Open(*std::move(image), &host);
  auto function = (*file)->FindFunction("add_and_divide");

  ExecutionContext request(RequestContextBuilder(&host, nullptr).Build());
  auto a = MakeAvailableAsyncValueRef<int32_t>(29), b = MakeAvailableAsyncValueRef<int32_t>(4);
  AsyncValue* arguments[] = {a.GetAsyncValue(), b.GetAsyncValue()};
  RCReference<AsyncValue> results[3];
  (*function)->ExecuteAsync(request, arguments, results);
  std::printf("before the loop: %s\n", results[0]->IsAvailable() ? "available" : "not available");
  int num_run = 0;
  while (loop.RunOne()) ++num_run;
  std::printf("after %d task: %d\n", num_run, results[0]->get<int32_t>());
}

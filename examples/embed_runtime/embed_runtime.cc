// Runs functions of a BEF file from a C++ program. Usage: embed_runtime program.bef
//
// Shows how to load a file, or bytes in memory; pass arguments; receive results, now or later; see
// errors as values; and give a request a deadline.

#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>

#include "tfrt/executor/bef_file.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/function.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/request_context.h"
#include "tfrt/kernels/kernels.h"

namespace {

using namespace tfrt;

// Ends the program if there is no value.
template <typename T>
T Require(StatusOr<T> value) {
  if (value.ok()) return *std::move(value);
  std::fprintf(stderr, "embed_runtime: %s\n", value.status().ToString().c_str());
  std::exit(1);
}

RCReference<AsyncValue> Int(int32_t value) {
  return MakeAvailableAsyncValueRef<int32_t>(value).ReleaseRCRef();
}

void Print(const char* name, const AsyncValue& result) {
  if (result.IsError()) {
    std::printf("%s: error: %s\n", name, result.GetError().ToString().c_str());
  } else {
    std::printf("%s: %d\n", name, result.get<int32_t>());
  }
}

// The whole of it: arguments in, results out.
void Call(HostContext& host, const Function& function, int32_t a, int32_t b) {
  ExecutionContext request(RequestContextBuilder(&host, nullptr).Build());
  RCReference<AsyncValue> arguments[] = {Int(a), Int(b)};
  RCReference<AsyncValue> results[3];
  function.ExecuteByValue(request, arguments, results);
  AsyncValue* values[] = {results[0].get(), results[1].get(), results[2].get()};
  host.Await(values);
  Print("sum", *results[0]);
  Print("quotient", *results[1]);
  Print("remainder", *results[2]);
}

void CallWithDeadline(HostContext& host, const Function& function) {
  RCReference<RequestContext> request = RequestContextBuilder(&host, nullptr).Build();
  RequestDeadlineTracker(&host).CancelRequestOnDeadline(
      std::chrono::steady_clock::now() + std::chrono::milliseconds(50), request);
  RCReference<AsyncValue> result;
  // In a task, so that this thread could do something else meanwhile.
  function.ExecuteAsync(ExecutionContext(request), {}, {&result, 1});
  AsyncValue* value = result.get();
  host.Await({&value, 1});
  Print("count", *result);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s program.bef\n", argv[0]);
    return 2;
  }
  HostContext host(
      [](const DecodedDiagnostic& diagnostic) {
        std::printf("diagnostic at %s: %s\n", diagnostic.location.ToString().c_str(),
                    std::string(diagnostic.status.message()).c_str());
      },
      CreateMallocAllocator(), Require(CreateWorkQueue("mstd:2")));
  RegisterAllKernels(&host.kernel_registry());

  // From a file: mapped into memory, constants are used where they lie.
  RCReference<BefFile> file = Require(BefFile::Open(Require(BefImage::FromFile(argv[1])), &host));
  const Function& function = *Require(file->FindFunction("add_and_divide"));
  Call(host, function, 29, 4);
  Call(host, function, 29, 0);

  // From memory: any bytes, here those of the same file.
  std::ifstream stream(argv[1], std::ios::binary);
  std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(stream), {}};
  RCReference<BefFile> copy = Require(BefFile::Open(BefImage::CopyOf(bytes), &host));
  CallWithDeadline(host, *Require(copy->FindFunction("count_to_two_billion")));

  // Whatever is wrong with a file is said, and nothing of it runs.
  bytes.resize(bytes.size() / 2);
  Status damaged = BefFile::Open(BefImage::CopyOf(bytes), &host).status();
  std::printf("damaged file: %s\n", damaged.ToString().c_str());
}

// Builds a program with MLIR, compiles it to BEF in memory and runs it, all in one process. A
// program that only runs BEF files wants embed_runtime instead and never sees MLIR.

#include <cstdio>
#include <string>

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "tfrt/compiler/mlir_to_bef.h"
#include "tfrt/compiler/translate.h"
#include "tfrt/executor/bef_file.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/function.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/kernels/kernels.h"

namespace {

using namespace tfrt;

// n * n + 1, written as text; passes of your own may make the module, too.
constexpr char kProgram[] = R"(
  func.func @square_and_one(%n: i32) -> i32 {
    %one = tfrt.constant.i32 1
    %square = "tfrt.mul.i32"(%n, %n) : (i32, i32) -> i32
    %result = tfrt.add.i32 %square, %one
    tfrt.return %result : i32
  })";

// The bytes of a BEF file; empty if the program is wrong. MLIR prints the errors.
std::vector<uint8_t> Compile(const char* text) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  compiler::prepareContext(&context);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module) return {};
  auto bytes = compiler::convertMlirToBef(*module);
  if (mlir::failed(bytes)) return {};
  return *std::move(bytes);
}

}  // namespace

int main() {
  std::vector<uint8_t> bytes = Compile(kProgram);
  if (bytes.empty()) return 1;

  HostContext host([](const DecodedDiagnostic&) {}, CreateMallocAllocator(),
                   CreateSingleThreadedWorkQueue());
  RegisterAllKernels(&host.kernel_registry());
  auto file = BefFile::Open(BefImage::CopyOf(bytes), &host);
  if (!file.ok()) return 1;
  auto function = (*file)->FindFunction("square_and_one");
  if (!function.ok()) {
    std::fprintf(stderr, "%s\n", function.status().ToString().c_str());
    return 1;
  }
  ExecutionContext request(RequestContextBuilder(&host, nullptr).Build());
  auto n = MakeAvailableAsyncValueRef<int32_t>(12);
  AsyncValue* argument = n.GetAsyncValue();
  RCReference<AsyncValue> result;
  (*function)->Execute(request, {&argument, 1}, {&result, 1});
  AsyncValue* value = result.get();
  host.Await({&value, 1});
  std::printf("%d\n", value->get<int32_t>());
}

#include "compile_model.h"

#include <dlfcn.h>

#include <memory>

#include "lib/base/support/open_module.h"
#include "lib/format/traced_graph/compiler_service.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::serve {
namespace {

constexpr const char* kLibrary = "libtfrt_compiler.so";

StatusOr<const TfrtCompilerService*> LoadService() {
  StatusOr<void*> library = OpenModule(kLibrary);
  if (!library.ok()) {
    return FailedPreconditionError(
        StrCat("an ONNX file needs the compiler: ", library.status().message(),
               "; install it beside the program, or compile the model with tfrt_import"));
  }
  auto entry =
      reinterpret_cast<TfrtCompilerServiceFunction>(dlsym(*library, TFRT_COMPILER_SERVICE_SYMBOL));
  const TfrtCompilerService* service = entry ? entry(TFRT_COMPILER_SERVICE_VERSION) : nullptr;
  if (!service) {
    return FailedPreconditionError(StrCat("the library ", kLibrary, " has no compiler service of ",
                                          "version ", TFRT_COMPILER_SERVICE_VERSION));
  }
  return service;
}

}  // namespace

StatusOr<FileBytes> CompileModel(const std::string& onnx_path) {
  TFRT_ASSIGN_OR_RETURN(const TfrtCompilerService* service, LoadService());
  TfrtCompileRequest request = {sizeof(TfrtCompileRequest)};
  request.input_kind = TFRT_INPUT_ONNX_PATH;
  request.output_kind = TFRT_OUTPUT_BEF;
  request.input = {onnx_path.data(), onnx_path.size()};
  TfrtCompileAnswer* made = service->compile(&request);
  if (!made) return ResourceExhaustedError("the compiler has no memory left");
  const std::unique_ptr<TfrtCompileAnswer, void (*)(TfrtCompileAnswer*)> answer(made,
                                                                                service->release);
  if (answer->code != 0) {
    return Status(static_cast<StatusCode>(answer->code),
                  answer->message[0] != 0 ? answer->message : "the compiler failed");
  }
  return FileBytes::CopyOf({answer->output, answer->output_size});
}

}  // namespace tfrt::serve

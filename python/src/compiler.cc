// The compiler service, a library that is opened when it is first needed.

#include "compiler.h"

#include <dlfcn.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "errors.h"
#include "gil.h"
#include "lib/format/traced_graph/compiler_service.h"
#include "tfrt/function/function.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/support/write_file.h"

namespace tfrt::python {
namespace {

const TfrtCompilerService* service = nullptr;  // under the interpreter's lock

// Opens the first of these that is there.
void OpenCompiler(const std::vector<std::string>& paths) {
  if (service) return;
  std::string tried;
  for (const std::string& path : paths) {
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      tried += StrCat("\n  ", dlerror());
      continue;
    }
    auto open =
        reinterpret_cast<TfrtCompilerServiceFunction>(dlsym(library, TFRT_COMPILER_SERVICE_SYMBOL));
    service = open ? open(TFRT_COMPILER_SERVICE_VERSION) : nullptr;
    if (service) return function::SetCompilerService(service);
    tried += StrCat("\n  ", path, ": does not speak version ", TFRT_COMPILER_SERVICE_VERSION,
                    " of the compiler service");
    dlclose(library);
  }
  Raise(
      FailedPreconditionError(StrCat("the compiler library is not there; install the package "
                                     "tfrt-compiler, or name the library in "
                                     "TFRT_COMPILER_LIBRARY. Tried:",
                                     tried)));
}

nb::bytes Compile(nb::bytes input, uint32_t input_kind, uint32_t output_kind, uint32_t flags) {
  if (!service) Raise(FailedPreconditionError("the compiler library is not open"));
  TfrtCompileRequest request = {};
  request.struct_size = sizeof(request);
  request.input_kind = input_kind;
  request.output_kind = output_kind;
  request.flags = flags;
  request.input = {input.data(), input.size()};
  TfrtCompileAnswer* answer = Unlocked([&] { return service->compile(&request); });
  if (!answer) Raise(ResourceExhaustedError("no memory for the compiler"));
  const Status status = answer->code == 0
                            ? OkStatus()
                            : Status(static_cast<StatusCode>(answer->code), answer->message);
  nb::bytes output(answer->output, status.ok() ? answer->output_size : 0);
  service->release(answer);
  RaiseIfError(status);
  return output;
}

// `path` in the encoding of the file system.
void WriteBytes(nb::bytes path, nb::bytes content) {
  RaiseIfError(Unlocked([&] {
    return WriteFile(std::string(path.c_str(), path.size()), [&](const ByteSink& sink) {
      sink(content.data(), content.size());
      return OkStatus();
    });
  }));
}

}  // namespace

void BindCompiler(nb::module_& module) {
  using namespace nb::literals;
  module.def("_open_compiler", &OpenCompiler, "paths"_a);
  module.def("_compiler_is_open", [] { return service != nullptr; });
  module.def("_compiler_build", [] { return std::string(service ? service->build : ""); });
  module.def("_compile", &Compile, "input"_a, "input_kind"_a, "output_kind"_a, "flags"_a);
  module.def("_write_file", &WriteBytes, "path"_a, "content"_a);
  module.attr("_INPUT_MLIR") = static_cast<int>(TFRT_INPUT_MLIR);
  module.attr("_INPUT_ONNX_PATH") = static_cast<int>(TFRT_INPUT_ONNX_PATH);
  module.attr("_OUTPUT_BEF") = static_cast<int>(TFRT_OUTPUT_BEF);
  module.attr("_OUTPUT_KERNELS") = static_cast<int>(TFRT_OUTPUT_KERNELS);
  module.attr("_COMPILE_EXACT") = static_cast<int>(TFRT_COMPILE_EXACT);
  module.attr("_COMPILE_FOLLOW_CACHE_LINKS") = static_cast<int>(TFRT_COMPILE_FOLLOW_CACHE_LINKS);
}

}  // namespace tfrt::python

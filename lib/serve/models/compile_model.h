// CompileModel: makes a model file of an ONNX file, by the compiler service.
#ifndef TFRT_LIB_SERVE_MODELS_COMPILE_MODEL_H_
#define TFRT_LIB_SERVE_MODELS_COMPILE_MODEL_H_

#include <string>

#include "tfrt/support/file_bytes.h"
#include "tfrt/support/status.h"

namespace tfrt::serve {

// Returns the bytes of the model file, aligned by 64. Loads libtfrt_compiler.so at the first call.
// Thread-safe; takes as long as the compiler does. Fails with FailedPrecondition if there is no
// compiler, otherwise with the compiler's error, which names the place in the file.
StatusOr<FileBytes> CompileModel(const std::string& onnx_path);

}  // namespace tfrt::serve

#endif  // TFRT_LIB_SERVE_MODELS_COMPILE_MODEL_H_

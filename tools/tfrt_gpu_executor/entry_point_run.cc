#include "entry_point_run.h"

#include <unistd.h>

#include <utility>
#include <vector>

#include "gpu/kernels/values.h"
#include "gpu/runtime/gpu_contexts.h"
#include "gpu/runtime/stream.h"
#include "gpu/tensor/gpu_buffer.h"
#include "lib/runtime/host/resource_context.h"
#include "tfrt/async/chain.h"
#include "tfrt/executor/bef_file.h"
#include "tfrt/gpu/kernels/gpu_kernels.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/function.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/request_context.h"
#include "tfrt/kernels/kernels.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace {

using Values = std::vector<RCReference<AsyncValue>>;

constexpr std::string_view kEntryPointFunction = "get_tfrt_gpu_entry_point";

StatusOr<RCReference<BefFile>> OpenFile(const std::string& path, HostContext* host) {
  StatusOr<BefImage> image =
      path == "-" ? BefImage::FromDescriptor(STDIN_FILENO, "-") : BefImage::FromFile(path);
  StatusOr<RCReference<BefFile>> file = image.ok() ? BefFile::Open(*std::move(image), host)
                                                   : StatusOr<RCReference<BefFile>>(image.status());
  if (file.ok()) return file;
  return Status(file.status().code(), StrCat("Failed to open file: ", file.status().message()));
}

bool HasFunction(const BefFile& file, std::string_view name) {
  for (const tfrt::Function* function : file.functions()) {
    if (function->name() == name && !name.empty()) return true;
  }
  return false;
}

// Runs to the end, with all that the results do not depend on.
Values Run(const tfrt::Function& function, const ExecutionContext& exec_ctx, Values arguments) {
  Values results(function.num_results());
  function.ExecuteByValue(exec_ctx, arguments, results);
  std::vector<AsyncValue*> values;
  for (const auto& result : results) values.push_back(result.get());
  exec_ctx.host()->Await(values);
  exec_ctx.host()->Quiesce();
  return results;
}

StatusOr<EntryPoint> FindEntryPoint(const BefFile& file, const ExecutionContext& exec_ctx) {
  if (!HasFunction(file, kEntryPointFunction)) {
    return NotFoundError(StrCat(kEntryPointFunction, " not found"));
  }
  TFRT_ASSIGN_OR_RETURN(const tfrt::Function* function, file.FindFunction(kEntryPointFunction));
  if (function->num_arguments() != 0 || function->num_results() != 1) {
    return InvalidArgumentError(
        StrCat(kEntryPointFunction, " is no function of type () -> !tfrt_gpu.entry_point"));
  }
  Values results = Run(*function, exec_ctx, {});
  if (results[0]->IsError()) return results[0]->GetError();
  if (!results[0]->IsType<EntryPoint>()) {
    return InvalidArgumentError(
        StrCat(kEntryPointFunction, " returned a '", TypeName(results[0]->type_id()), "'"));
  }
  return results[0]->get<EntryPoint>();
}

Status CheckType(const tfrt::Function& function, size_t num_buffers) {
  auto arguments = function.argument_types();
  auto results = function.result_types();
  std::string_view wrong;
  if (results.size() != 1) {
    wrong = "Expected single result";
  } else if (results[0] != "!tfrt.chain") {
    wrong = "Expected result to be !tfrt.chain";
  } else if (arguments.size() < 2) {
    wrong = "Expected at least two arguments";
  } else if (arguments[0] != "!tfrt.chain") {
    wrong = "Expected first argument to be !tfrt.chain";
  } else if (arguments[1] != "!tfrt_gpu.stream") {
    wrong = "Expected second argument to be !tfrt_gpu.stream";
  } else {
    for (std::string_view type : arguments.subspan(2)) {
      if (type != "!tfrt_gpu.buffer") wrong = "Expected tail arguments to be !tfrt_gpu.buffer";
    }
    if (wrong.empty() && arguments.size() != num_buffers + 2) {
      wrong = "Incorrect number of arguments";
    }
  }
  return wrong.empty() ? OkStatus() : InvalidArgumentError(std::string(wrong));
}

StatusOr<GpuBuffer> MakeBuffer(int64_t size_bytes, Context& context, Stream& stream) {
  if (size_bytes < 0) {
    return InvalidArgumentError(StrCat("buffer size (", size_bytes, ") is negative"));
  }
  TFRT_ASSIGN_OR_RETURN(RCReference<Memory> memory,
                        context.Allocate(stream, static_cast<size_t>(size_bytes)));
  if (size_bytes != 0) {
    TFRT_RETURN_IF_ERROR(
        stream.Fill(memory->Bytes(0, static_cast<size_t>(size_bytes)), 0).status());
  }
  return GpuBuffer(std::move(memory));
}

// The program is `entry_point`'s function; `verifier` has got the diagnostics when this returns.
Status RunProgram(const BefFile& file, const EntryPoint& entry_point,
                  const ExecutionContext& exec_ctx, DiagnosticVerifier* verifier) {
  if (!HasFunction(file, entry_point.function_name)) {
    return NotFoundError(StrCat(entry_point.function_name, " function not found"));
  }
  TFRT_ASSIGN_OR_RETURN(const tfrt::Function* function,
                        file.FindFunction(entry_point.function_name));
  TFRT_RETURN_IF_ERROR(CheckType(*function, entry_point.buffer_sizes.size()));
  if (entry_point.platform != GpuPlatform::kCuda) {
    return UnimplementedError(
        StrCat("Unsupported platform ",
               PrintGpuEnum(GpuEnum::kPlatform, static_cast<int64_t>(entry_point.platform))));
  }
  TFRT_ASSIGN_OR_RETURN(RCReference<Context> context,
                        exec_ctx.host()->GetOrCreateSharedContext<GpuContexts>().GetPrimary(0));
  TFRT_ASSIGN_OR_RETURN(RCReference<Stream> stream, context->CreateStream());
  Values arguments;
  arguments.push_back(GetReadyChain().ReleaseRCRef());
  arguments.push_back(MakeAvailableAsyncValueRef<RCReference<Stream>>(stream).ReleaseRCRef());
  for (int64_t size_bytes : entry_point.buffer_sizes) {
    TFRT_ASSIGN_OR_RETURN(GpuBuffer buffer, MakeBuffer(size_bytes, *context, *stream));
    arguments.push_back(MakeAvailableAsyncValueRef<GpuBuffer>(std::move(buffer)).ReleaseRCRef());
  }
  Values results = Run(*function, exec_ctx, std::move(arguments));
  Status done = stream->Wait();
  if (!verifier->Verify()) return InternalError("unexpected errors reported");
  if (results[0]->IsError()) {
    const Status& error = results[0]->GetError();
    return Status(error.code(), StrCat("result has error: ", error.message()));
  }
  return done;
}

}  // namespace

Status RunEntryPoint(const std::string& path, DiagnosticVerifier* verifier) {
  HostContext host(
      [&](const DecodedDiagnostic& diagnostic) {
        verifier->AddError(diagnostic.location,
                           StrCat("runtime error: ", diagnostic.status.message()));
      },
      CreateMallocAllocator(), CreateSingleThreadedWorkQueue());
  RegisterAllKernels(&host.kernel_registry());
  TFRT_RETURN_IF_ERROR(RegisterGpu(host));
  ResourceContext resources;
  ExecutionContext exec_ctx(RequestContextBuilder(&host, &resources).Build());
  TFRT_ASSIGN_OR_RETURN(RCReference<BefFile> file, OpenFile(path, &host));
  TFRT_ASSIGN_OR_RETURN(EntryPoint entry_point, FindEntryPoint(*file, exec_ctx));
  return RunProgram(*file, entry_point, exec_ctx, verifier);
}

}  // namespace tfrt::gpu

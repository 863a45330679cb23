#include "bef_executor.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "diagnostic_verifier.h"
#include "kernel_listing.h"
#include "lib/runtime/host/function_call.h"
#include "lib/runtime/host/resource_context.h"
#include "result_text.h"
#include "tfrt/executor/bef_file.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/request_context.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// One line of standard output, flushed, so that it keeps its place among the kernels' prints.
void PrintLine(std::string_view line) {
  std::fwrite(line.data(), 1, line.size(), stdout);
  std::fputc('\n', stdout);
  std::fflush(stdout);
}

void PrintError(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

// Forwards to another allocator and asks it for leaks at the last possible moment: when the host
// that owns it has given up everything else.
class LeakReportingAllocator final : public HostAllocator {
 public:
  // `leaked` must outlive the allocator; set to true if it finds a leak.
  LeakReportingAllocator(std::unique_ptr<HostAllocator> allocator, bool* leaked)
      : allocator_(std::move(allocator)), leaked_(leaked) {}
  ~LeakReportingAllocator() override {
    if (allocator_->ReportLeaks()) *leaked_ = true;
  }
  void* AllocateBytes(size_t size_bytes, size_t alignment) override {
    return allocator_->AllocateBytes(size_bytes, alignment);
  }
  void DeallocateBytes(void* block, size_t size_bytes) override {
    allocator_->DeallocateBytes(block, size_bytes);
  }

 private:
  std::unique_ptr<HostAllocator> allocator_;
  bool* leaked_;
};

std::unique_ptr<HostAllocator> ChooseAllocator(HostAllocatorType type, bool* leaked) {
  switch (type) {
    case HostAllocatorType::kMalloc:
      PrintLine("Choosing malloc.");
      return CreateMallocAllocator();
    case HostAllocatorType::kFixedSize1k:
      PrintLine("Choosing fixed size malloc.");
      return CreateFixedSizeAllocator();
    case HostAllocatorType::kProfiled:
      PrintLine("Choosing profiled allocator based on malloc.");
      return CreateProfiledAllocator();
    case HostAllocatorType::kLeakCheck:
      break;
  }
  PrintLine("Choosing memory leak check allocator.");
  return std::make_unique<LeakReportingAllocator>(CreateLeakCheckAllocator(), leaked);
}

constexpr tracing::RecordType kProgramRecord = {.name = "bef_executor",
                                                .level = tracing::StackLevel::kModel,
                                                .sink_level = tracing::Level::kDefault};

std::string FunctionText(const tracing::RecordText& text) {
  return StrCat("Function: ", text.name);
}
constexpr tracing::RecordType kFunctionRecord = {.name = "bef_executor.function",
                                                 .level = tracing::StackLevel::kModel,
                                                 .sink_level = tracing::Level::kDefault,
                                                 .text = &FunctionText};

// Adds the requested sinks for its lifetime.
class TracingSession {
 public:
  explicit TracingSession(const std::vector<BefExecutorOptions::TracingRequest>& requests)
      : requests_(requests) {
    for (const auto& request : requests_) tracing::AddSink(request.sink, request.level);
  }
  TracingSession(const TracingSession&) = delete;
  TracingSession& operator=(const TracingSession&) = delete;
  ~TracingSession() {
    for (const auto& request : requests_) tracing::RemoveSink(request.sink);
  }

 private:
  const std::vector<BefExecutorOptions::TracingRequest>& requests_;
};

// Runs the functions of one file, each in a request of its own.
class FunctionRunner {
 public:
  FunctionRunner(HostContext* host, const BefExecutorOptions& options)
      : host_(host), options_(options) {}

  // Returns when the function's work, including what its results do not depend on, is done.
  void Run(const Function& function) {
    std::string name(function.name());
    int64_t before = NumLiveAsyncValues();
    PrintLine(StrCat("--- Running '", name, "':"));
    tracing::RecordScope record(kFunctionRecord, name);
    RunInNewRequest(function);
    int64_t after = NumLiveAsyncValues();
    if (before == after) return;
    PrintError(StrCat("Evaluation of function '", name, "' leaked ", after - before,
                      " async values (before: ", before, ", after: ", after, ")!\n"));
    std::abort();
  }

 private:
  void RunInNewRequest(const Function& function) {
    ResourceContext resources;
    RequestContextBuilder builder(host_, &resources);
    if (options_.max_call_depth > 0) builder.set_max_call_depth(options_.max_call_depth);
    ExecutionContext exec_ctx(std::move(builder).Build());
    if (function.kind() == FunctionKind::kSync) {
      RunSync(function, exec_ctx);
    } else {
      RunAsync(function, exec_ctx);
    }
  }

  void RunAsync(const Function& function, const ExecutionContext& exec_ctx) {
    std::vector<RCReference<AsyncValue>> results(function.num_results());
    function.Execute(exec_ctx, {}, results);
    host_->Await(Borrow(results));
    if (!results.empty()) {
      std::string line = StrCat("'", function.name(), "' returned ");
      for (size_t i = 0; i < results.size(); ++i) {
        if (i > 0) line += ',';
        line += ResultText(function.result_types()[i], *results[i], options_.print_error_code);
      }
      PrintLine(line);
    }
    // Work that starts when a result is destroyed is awaited, too: a device may still use its
    // memory.
    results.clear();
    host_->Quiesce();
  }

  void RunSync(const Function& function, const ExecutionContext& exec_ctx) {
    std::vector<Value> results(function.num_results());
    Status status = function.ExecuteSync(exec_ctx, {}, results);
    std::string line = StrCat("'", function.name(), "' returned ");
    if (!status.ok()) {
      PrintLine(line + ErrorText(status, /*with_code=*/false));
    } else if (!results.empty()) {
      for (size_t i = 0; i < results.size(); ++i) {
        if (i > 0) line += ',';
        line += ResultText(function.result_types()[i], results[i]);
      }
      PrintLine(line);
    }
    results.clear();
    host_->Quiesce();
  }

  HostContext* const host_;
  const BefExecutorOptions& options_;
};

// One start of the tool. The members' order is the order of their lives: diagnostics may come until
// the host is gone, and the host must outlive the file.
class Execution {
 public:
  explicit Execution(const BefExecutorOptions& options) : options_(options) {}

  int ListKernels() {
    KernelRegistry registry;
    if (int code = RegisterKernels(&registry)) return code;
    std::string text = KernelListing(registry);
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
    return 0;
  }

  int Run() {
    StatusOr<BefImage> image = options_.input_file == "-"
                                   ? BefImage::FromDescriptor(STDIN_FILENO, "-")
                                   : BefImage::FromFile(options_.input_file);
    if (!image.ok()) return Fail(image.status().message(), /*with_program_name=*/false);
    if (int code = CreateHost()) return code;
    int code = RunFile(*std::move(image));
    host_.reset();
    if (!verifier_.Verify()) code = 1;
    return leaked_ ? 1 : code;
  }

 private:
  void EmitDiagnostic(const DecodedLocation& location, const Status& error) {
    verifier_.AddError(location, StrCat("runtime error: ", error.message()));
  }

  int Fail(std::string_view message, bool with_program_name = true) {
    PrintError(with_program_name ? StrCat(options_.program_name, ": ", message, "\n")
                                 : StrCat(message, "\n"));
    return 1;
  }

  // Steps 2 to 5 of the start. Returns an exit code, 0 to go on.
  int CreateHost() {
    std::unique_ptr<HostAllocator> allocator =
        ChooseAllocator(options_.host_allocator_type, &leaked_);
    StatusOr<std::unique_ptr<ConcurrentWorkQueue>> queue =
        CreateWorkQueue(options_.work_queue_type);
    if (!queue.ok()) {
      return Fail(StrCat("couldn't create work queue type ", options_.work_queue_type));
    }
    PrintLine(StrCat("Choosing ", (*queue)->name(), " work queue."));
    host_ = std::make_unique<HostContext>(
        [this](const DecodedDiagnostic& diagnostic) {
          EmitDiagnostic(diagnostic.location, diagnostic.status);
        },
        std::move(allocator), *std::move(queue));
    if (options_.configure_host) options_.configure_host(host_.get());
    return RegisterKernels(&host_->kernel_registry());
  }

  int RegisterKernels(KernelRegistry* registry) {
    if (options_.register_kernels) options_.register_kernels(registry);
    if (!options_.open_modules) {
      registry->set_source(nullptr);
      host_->device_manager().set_source(nullptr);
    }
    if (const Status& error = registry->first_error(); !error.ok()) {
      return Fail(StrCat("couldn't register kernels: ", error.message()));
    }
    for (const std::string& library : options_.shared_libs) {
      Status status = LoadKernelLibrary(library, registry);
      if (!status.ok()) return Fail(StrCat("couldn't load library ", status.message()));
    }
    return 0;
  }

  int RunFile(BefImage image) {
    DecodedLocation location;
    auto file = BefFile::Open(std::move(image), host_.get(), &location);
    if (!file.ok()) {
      EmitDiagnostic(location, file.status());
      return 0;
    }
    std::vector<const Function*> functions((*file)->functions().begin(),
                                           (*file)->functions().end());
    if (!options_.functions.empty()) {
      functions.clear();
      for (const std::string& name : options_.functions) {
        const Function* function = FindByName(**file, name);
        if (!function) return Fail(StrCat("couldn't find function ", name));
        functions.push_back(function);
      }
    }

    FunctionRunner runner(host_.get(), options_);
    const Function* init = nullptr;
    if (!options_.test_init_function.empty()) {
      init = FindByName(**file, options_.test_init_function);
      if (init) RunIfPossible(**file, runner, *init);
    }
    for (const Function* function : functions) {
      if (function != init) RunIfPossible(**file, runner, *function);
    }
    return 0;
  }

  static const Function* FindByName(const BefFile& file, std::string_view name) {
    if (name.empty()) return nullptr;
    for (const Function* function : file.functions()) {
      if (function->name() == name) return function;
    }
    return nullptr;
  }

  void RunIfPossible(const BefFile& file, FunctionRunner& runner, const Function& function) {
    if (function.num_arguments() > 0) {
      PrintLine(StrCat("--- Not running '", function.name(), "' because it has arguments."));
      return;
    }
    if (function.name().empty()) return;
    StatusOr<const Function*> bound = file.FindFunction(function.name());
    if (bound.ok()) {
      runner.Run(**bound);
    } else {
      EmitDiagnostic(DecodedLocation(), bound.status());
    }
  }

  const BefExecutorOptions& options_;
  bool leaked_ = false;
  DiagnosticVerifier verifier_{[](std::string_view text) { PrintError(text); }};
  std::unique_ptr<HostContext> host_;
};

}  // namespace

int RunBefExecutor(const BefExecutorOptions& options) {
  if (options.list_kernels) return Execution(options).ListKernels();
  TracingSession tracing(options.tracing);
  tracing::RecordScope record(kProgramRecord, "Bef Executor");
  return Execution(options).Run();
}

}  // namespace tfrt

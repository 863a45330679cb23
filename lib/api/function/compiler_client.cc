#include "compiler_client.h"

#include <dlfcn.h>

#include <atomic>
#include <cstring>
#include <mutex>
#include <span>

#include "lib/base/support/open_module.h"
#include "lib/format/traced_graph/compiler_service.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::function {
namespace {

constexpr const char* kLibrary = "libtfrt_compiler.so";

std::atomic<const TfrtCompilerService*> the_service{nullptr};

StatusOr<const TfrtCompilerService*> LoadService() {
  StatusOr<void*> library = OpenModule(kLibrary);
  if (!library.ok()) {
    return FailedPreconditionError(StrCat(
        "a function is compiled at its first call, which needs the compiler: ",
        library.status().message(),
        "; it is looked for in the folder of TFRT_MODULE_PATH, "
        "beside the program, in ../lib and ../lib/tfrt, and where the system's loader looks. "
        "Install it there, link the compiler and call SetCompilerService, or run what was "
        "saved before"));
  }
  auto entry =
      reinterpret_cast<TfrtCompilerServiceFunction>(dlsym(*library, TFRT_COMPILER_SERVICE_SYMBOL));
  const TfrtCompilerService* service = entry ? entry(TFRT_COMPILER_SERVICE_VERSION) : nullptr;
  if (!service) {
    return FailedPreconditionError(StrCat("the library ", kLibrary, " has no compiler service of ",
                                          "version ", TFRT_COMPILER_SERVICE_VERSION,
                                          "; it belongs to another version of tfrt"));
  }
  return service;
}

StatusOr<const TfrtCompilerService*> TheService() {
  // acquire: sees the table.
  if (const auto* service = the_service.load(std::memory_order_acquire)) return service;
  static std::mutex* const mutex = new std::mutex;
  std::lock_guard lock(*mutex);
  if (const auto* service = the_service.load(std::memory_order_acquire)) return service;
  TFRT_ASSIGN_OR_RETURN(const TfrtCompilerService* service, LoadService());
  the_service.store(service, std::memory_order_release);
  return service;
}

std::string PlaceOf(const TfrtDiagnostic& diagnostic) {
  if (diagnostic.file[0] != 0) return StrCat(diagnostic.file, ":", diagnostic.line, ": ");
  return diagnostic.name[0] != 0 ? StrCat(diagnostic.name, ": ") : "";
}

// Not for secrets: to tell programs apart.
class Hash {
 public:
  void Add(std::span<const uint8_t> bytes) {
    AddNumber(bytes.size());
    size_t at = 0;
    for (; at + sizeof(uint64_t) <= bytes.size(); at += sizeof(uint64_t)) {
      uint64_t word;
      std::memcpy(&word, bytes.data() + at, sizeof(word));
      AddNumber(word);
    }
    uint64_t rest = 0;
    if (at < bytes.size()) std::memcpy(&rest, bytes.data() + at, bytes.size() - at);
    AddNumber(rest);
  }
  void AddNumber(uint64_t number) {
    a_ = (a_ ^ number) * 0x9E3779B97F4A7C15u;
    a_ ^= a_ >> 29;
    b_ = (b_ + number) * 0xD6E8FEB86659FD93u;
    b_ ^= b_ >> 32;
  }
  std::string Text() const {
    std::string text;
    for (uint64_t half : {a_, b_}) {
      for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[half >> shift & 15];
    }
    return text;
  }

 private:
  uint64_t a_ = 0x243F6A8885A308D3u;  // digits of pi
  uint64_t b_ = 0x13198A2E03707344u;
};

}  // namespace

void SetCompilerService(const TfrtCompilerService* service) {
  the_service.store(service, std::memory_order_release);
}

StatusOr<CompiledBytes> Compile(const EncodedGraph& graph, uint32_t output) {
  TFRT_ASSIGN_OR_RETURN(const TfrtCompilerService* service, TheService());
  std::vector<TfrtBytes> blobs;
  for (std::span<const uint8_t> blob : graph.blobs) blobs.push_back({blob.data(), blob.size()});
  TfrtCompileRequest request = {sizeof(TfrtCompileRequest)};
  request.input_kind = TFRT_INPUT_TRACED_GRAPH;
  request.output_kind = output;
  request.input = {graph.bytes.data(), graph.bytes.size()};
  request.blobs = blobs.data();
  request.num_blobs = blobs.size();
  TfrtCompileAnswer* answer = service->compile(&request);
  if (!answer) return ResourceExhaustedError("the compiler has no memory left");
  std::shared_ptr<TfrtCompileAnswer> owner(
      answer, [service](TfrtCompileAnswer* done) { service->release(done); });
  if (answer->code != 0) {
    return Status(static_cast<StatusCode>(answer->code),
                  answer->message[0] != 0 ? answer->message : "the compiler failed");
  }
  CompiledBytes compiled{owner, FileBytes::Borrow({answer->output, answer->output_size}), {}, {}};
  for (size_t i = 0; i < answer->num_passes; ++i) {
    const TfrtPassCounts& pass = answer->passes[i];
    compiled.passes.push_back({pass.pass, pass.ops_before, pass.ops_after, pass.nanoseconds});
  }
  for (size_t i = 0; i < answer->num_diagnostics; ++i) {
    const TfrtDiagnostic& diagnostic = answer->diagnostics[i];
    if (diagnostic.severity != TFRT_SEVERITY_WARNING) continue;
    compiled.warnings.push_back(StrCat(PlaceOf(diagnostic), diagnostic.message));
  }
  return compiled;
}

StatusOr<std::string> CompilationKey(const EncodedGraph& graph) {
  TFRT_ASSIGN_OR_RETURN(const TfrtCompilerService* service, TheService());
  Hash hash;
  hash.AddNumber(service->version);
  hash.Add({reinterpret_cast<const uint8_t*>(service->build), std::strlen(service->build)});
  hash.Add(graph.bytes);
  for (std::span<const uint8_t> blob : graph.blobs) hash.Add(blob);
  return hash.Text();
}

}  // namespace tfrt::function

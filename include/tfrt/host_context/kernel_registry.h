// KernelRegistry: kernels and native functions by name, with what is known of each kernel's
// signature. Filled before programs are loaded, by explicit Register...Kernels(KernelRegistry*)
// calls or from plug-in libraries; read-only and thread-safe afterwards.
#ifndef TFRT_HOST_CONTEXT_KERNEL_REGISTRY_H_
#define TFRT_HOST_CONTEXT_KERNEL_REGISTRY_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tfrt/async/async_value.h"
#include "tfrt/support/status.h"

namespace tfrt {

class AsyncKernelFrame;
class ExecutionContext;
class SyncKernelFrame;

using AsyncKernel = void (*)(AsyncKernelFrame*);
using SyncKernel = void (*)(SyncKernelFrame*);

// The signature's entry for one attribute: the type code of docs/reference/bef_format.md (array =
// element code + 128), or kAnyAttribute. The code's layout is checked when a function is bound.
using AttributeCode = uint8_t;
inline constexpr AttributeCode kAnyAttribute = 0;

// Null: any type. Otherwise the payload type's id (a function, because ids are given at run time).
using TypeIdGetter = TypeId (*)();

// Immutable, lives as long as the code it describes.
struct KernelSignature {
  std::span<const TypeIdGetter> arguments;  // the fixed ones
  bool variadic_arguments = false;          // any number may follow
  // One further chain operand is accepted, waited for and ignored.
  bool allows_trailing_chain = false;
  std::span<const TypeIdGetter> results;  // the fixed ones
  bool variadic_results = false;
  std::span<const AttributeCode> attributes;  // in positional order
  bool variadic_attributes = false;
  AttributeCode variadic_attribute_code = kAnyAttribute;
  uint32_t num_functions = 0;
  bool variadic_functions = false;
  // The kernel returns its results or reports an error, so none can be left unset.
  bool returns_all_results = false;
  // Every result's payload is trivially destructible.
  bool trivial_results = false;
  // Every result is an error or plain: a value that itself holds a payload of the very type.
  bool plain_results = false;
  // True if the kernel may find any contents in its results. It then begins with
  // AsyncKernelFrame::ClearResults. It may omit that if it stores all of them through FirstResult
  // on every path and reports no error before. Otherwise the executor clears them before each call,
  // and checks them after it. That makes the runs of a function with such a kernel slower.
  bool clears_results = false;
  // A call is one of an op, a layer of a model: so its records say.
  bool is_op = false;
  // The kernel for callers that know the types of all arguments to be these, and async values to be
  // plain; may be null. One of the two, as the kernel is.
  AsyncKernel unchecked_async_function = nullptr;
  SyncKernel unchecked_sync_function = nullptr;
};

enum class KernelFlags : uint32_t {
  kNone = 0,
  // No effect but results: no print, task, shared state, error (it is reported), or allocation that
  // may be refused. A function made only of such kernels may run in any topological order.
  kOrderFree = 1,
  // The kernel starts as soon as one operand is resolved (at once if it has none). Unresolved
  // operands arrive as indirect values, and operand errors do not skip it.
  kNonStrict = 2,
  // The kernel has no effect but those of the functions that the program gives it. It runs them on
  // its own thread before it returns. The kernel is order-free where these functions are made of
  // such kernels.
  kAsItsFunctions = 4,
};
constexpr KernelFlags operator|(KernelFlags a, KernelFlags b) {
  return static_cast<KernelFlags>(static_cast<uint32_t>(a) | static_cast<uint32_t>(b));
}
constexpr bool HasFlag(KernelFlags flags, KernelFlags flag) {
  return (static_cast<uint32_t>(flags) & static_cast<uint32_t>(flag)) != 0;
}

// The definition that TFRT_KERNEL(fn) and TFRT_SYNC_KERNEL(fn) deduce from a plain C++ function
// (kernel.h).
struct AsyncKernelDefinition {
  AsyncKernel function;
  const KernelSignature* signature;  // null: nothing is known and nothing is checked
};
struct SyncKernelDefinition {
  SyncKernel function;
  const KernelSignature* signature;
};

struct KernelEntry {
  AsyncKernel async_function = nullptr;  // exactly one of the two is set
  SyncKernel sync_function = nullptr;
  const KernelSignature* signature = nullptr;
  KernelFlags flags = KernelFlags::kNone;

  bool is_sync() const { return sync_function != nullptr; }
  bool order_free() const { return HasFlag(flags, KernelFlags::kOrderFree); }
  bool as_its_functions() const { return HasFlag(flags, KernelFlags::kAsItsFunctions); }
  bool non_strict() const { return HasFlag(flags, KernelFlags::kNonStrict); }
};

// A C++ function that a program declares with `tfrt.native`. All arguments are available. Arguments
// are borrowed, results owned; each result must be set.
using NativeFunction = void (*)(const ExecutionContext& exec_ctx,
                                std::span<AsyncValue* const> arguments,
                                std::span<RCReference<AsyncValue>> results);

class KernelRegistry;

// Kernels that a registry does not have from the start, such as those of libraries that are loaded
// when a program needs them (kernel_modules.h). Thread-safe.
class KernelSource {
 public:
  virtual ~KernelSource() = default;
  // Null if it has none of this name; with an error if it might have had it. The pointer stays
  // valid as long as the source. `asked`: the registry that has none.
  virtual const KernelEntry* FindKernel(const KernelRegistry& asked, std::string_view name,
                                        Status* error) = 0;
};

class KernelRegistry {
 public:
  KernelRegistry() = default;
  KernelRegistry(const KernelRegistry&) = delete;
  KernelRegistry& operator=(const KernelRegistry&) = delete;

  // The first registration of a name wins. A second one changes nothing and becomes the
  // first_error(), which the caller of a registering function checks afterwards.
  void AddKernel(std::string_view name, AsyncKernelDefinition kernel,
                 KernelFlags flags = KernelFlags::kNone);
  void AddSyncKernel(std::string_view name, SyncKernelDefinition kernel);
  void AddNativeFunction(std::string_view name, NativeFunction function);

  // Sets the source of kernels that were not registered. One at most; set before programs are
  // loaded.
  void set_source(std::unique_ptr<KernelSource> source) { source_ = std::move(source); }

  // Null if there is none; `error`, if given, then is that of the source, or stays as it was.
  // Pointers stay valid as long as the registry.
  const KernelEntry* FindKernel(std::string_view name, Status* error = nullptr) const;
  NativeFunction FindNativeFunction(std::string_view name) const;
  // All kernel names, sorted, without those of the source.
  std::vector<std::string_view> KernelNames() const;

  // AlreadyExists for the first name that was registered twice, or OK.
  const Status& first_error() const { return first_error_; }

  // Moves all of `other` here, or nothing. Fails with its first_error(), or AlreadyExists for a
  // name that is in both. FailedPrecondition if the signatures of both have a type of one name but
  // of different layouts. Registers the types of all signatures.
  Status Merge(KernelRegistry&& other);
  // Registers the types of all signatures. If two disagree about the layout of a type, the later
  // one is wrong; the first of these gives FailedPrecondition.
  Status CheckTypes() const;

 private:
  void Add(std::string_view name, KernelEntry entry);

  std::map<std::string, KernelEntry, std::less<>> kernels_;
  std::map<std::string, NativeFunction, std::less<>> native_functions_;
  std::unique_ptr<KernelSource> source_;
  Status first_error_;
};

// The version of the interface that kernels share with the program that runs them: the layout of
// frames, signatures and values. Raised with each change of it; odd where live objects are counted.
inline constexpr uint32_t kKernelInterface = 2
#ifdef TFRT_TRACK_LIVE_OBJECTS
                                             + 1
#endif
    ;

// Loads a shared library, calls its C function `RegisterKernels(tfrt::KernelRegistry*)` with an
// empty registry and merges that into `registry`. The library stays loaded until the process ends.
// Errors leave `registry` as it was. NotFound with the loader's reason; FailedPrecondition if the
// symbol is missing or the library's kKernelInterface is another; errors of Merge.
Status LoadKernelLibrary(const std::string& path, KernelRegistry* registry);
// Returns FailedPrecondition unless the library, of dlopen, was built for this kKernelInterface.
// The `name` is for messages.
Status CheckKernelInterface(void* library, const std::string& name);
// The same as LoadKernelLibrary for a library that dlopen has given.
Status AddKernelsOfLibrary(void* library, const std::string& name, KernelRegistry* registry);

}  // namespace tfrt

// That of a library that includes this header; LoadKernelLibrary reads it.
extern "C" {
[[gnu::used]] __attribute__((visibility("default"))) inline const uint32_t tfrt_kernel_interface =
    tfrt::kKernelInterface;
}

#endif  // TFRT_HOST_CONTEXT_KERNEL_REGISTRY_H_

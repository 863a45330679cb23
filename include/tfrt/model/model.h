// Model and Session: load and run the models that tfrt_import writes.
//
//   TFRT_ASSIGN_OR_RETURN(Model model, Model::Open("resnet50.bef", &host));
//   TFRT_ASSIGN_OR_RETURN(Session session, Session::Create(model));
//   TFRT_ASSIGN_OR_RETURN(std::vector<DenseHostTensor> results, session.Run({{"x", image}}));
#ifndef TFRT_MODEL_MODEL_H_
#define TFRT_MODEL_MODEL_H_

#include <chrono>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tfrt/bef/signatures.h"
#include "tfrt/support/file_bytes.h"
#include "tfrt/support/status.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt {

class BefFile;
class HostAllocator;
class HostContext;
class RequestContext;
class RequestContextBuilder;

// A size of an input or result: known, or named (sizes of one name are equal), or neither.
using ModelDim = bef::SignatureDim;
// Name, dtype, and sizes if the rank is known. ToString(value) returns the type: "f32
// [batch,3,224,224]".
using ModelValue = bef::SignatureValue;

struct ModelOptions {
  std::string function = "main";  // the function that sessions run
  // The model's name in traces; if empty, the name of its file, without folder and ending.
  std::string name = {};
  // Errors of kernels begin with their location in the file: "step.cc:7:12: ".
  bool locate_errors = false;
};

// A loaded model. A handle: copies refer to the same model, which lives as long as any copy or
// session of it. Immutable and thread-safe.
class Model {
 public:
  // Maps the file and checks its structure; weights are not read. The kernels of compiled programs
  // (RegisterGraphKernels of core_runtime/graph_kernels.h), and those of custom ops, must be
  // registered at the host. The host outlives the model. Fails with NotFound for a missing file or
  // kernel, and with InvalidArgument if the file is not a model.
  static StatusOr<Model> Open(const std::string& path, HostContext* host,
                              const ModelOptions& options = {});
  // As Open, for bytes, aligned by 64, that were read elsewhere.
  static StatusOr<Model> FromBytes(FileBytes bytes, HostContext* host,
                                   const ModelOptions& options = {});

  std::span<const ModelValue> inputs() const;
  std::span<const ModelValue> outputs() const;
  // Returns the producer's own information: "pytorch 2.1", and texts by key, such as the names of
  // classes.
  const std::string& producer() const;
  // Returns ModelOptions::name, or its default; "model" if the model came from bytes.
  const std::string& name() const;
  std::span<const std::pair<std::string, std::string>> metadata() const;
  // Returns null if the key is missing.
  const std::string* FindMetadata(std::string_view key) const;

  // Computes, once, all values that depend on the weights alone, and blocks until they are
  // available. Session::Create calls it. Later calls return the error of the first one.
  Status Load() const;
  HostContext* host() const;
  // Returns the program.
  const BefFile& file() const;
  // Returns whether runs on inputs of the same shapes may take different times. Reasons are loops,
  // branches, sizes that are inputs, and kernels that are no ops of the table.
  bool time_depends_on_values() const;

  struct Impl;  // private to the library

 private:
  friend class Session;
  explicit Model(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<Impl> impl_;
};

struct NamedTensor {
  std::string_view name;
  const DenseHostTensor& tensor;
};

struct RunOptions {
  // After this time no new kernel starts. The run then waits for running kernels and returns
  // DeadlineExceeded "deadline exceeded". A run whose deadline has passed does not start.
  std::optional<std::chrono::steady_clock::time_point> deadline = {};
  // The memory for the results: one tensor for each output in order, null where the session
  // allocates it; or an empty span. Fails with InvalidArgument if one is read-only or shares memory
  // with an input or another result. After the run, fails with InvalidArgument if its dtype or
  // shape is not the result's.
  //
  // The elements are copied when all results are available, so that a run that ended early no
  // longer writes them. After an error some may have been written. The copy takes 0.05 ms per
  // megabyte. Results in memory that the session allocates are not copied.
  std::span<DenseHostTensor* const> outputs = {};
  // If this request is cancelled before the run begins, the run ends as with Cancel. To cancel
  // later, call Cancel. May be null; must outlive the call that starts the run.
  const RequestContext* part_of = nullptr;
};

struct SessionOptions {
  // Allocates the memory of results and of values that live within a run. Must outlive the results
  // and the session, whose runs are over when they return or call back. Null: the host's allocator.
  HostAllocator* allocator = nullptr;
  // Called before each run, to give its request data that kernels look up. May be empty.
  std::function<void(RequestContextBuilder&)> add_data = {};
};

// Runs a model, one run at a time. A second run meanwhile fails with FailedPrecondition. Make one
// session for each concurrent run.
//
// Memory is reused between runs: a run with sizes that occurred before requests nothing from the
// host's allocator. Movable; any thread may call Cancel and memory. If the session is destroyed
// while a run is in flight, the run keeps all it needs until its callback is called. That includes
// the allocator and the inputs' memory.
class Session {
 public:
  // Loads the model if that has not been done. Fails like Model::Load.
  static StatusOr<Session> Create(const Model& model, const SessionOptions& options = {});
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  ~Session();

  Model model() const;

  // Runs the model, blocks until it is done, and returns the results in the order of outputs(). The
  // results may outlive the session and the model (not the host). They share no memory with the
  // inputs, which may be constants. Kernels run on the host's work queue and on this thread.
  //
  // Fails with InvalidArgument for inputs that do not match the model's: "input x: expected f32
  // [batch,3,224,224], but got f32 [1,3,224,225]". Otherwise returns the first error of a kernel.
  // When it returns, no kernel runs. Only the results still use memory of the session or of the
  // inputs' makers.
  StatusOr<std::vector<DenseHostTensor>> Run(std::span<const NamedTensor> inputs,
                                             const RunOptions& options = {});
  StatusOr<std::vector<DenseHostTensor>> Run(std::initializer_list<NamedTensor> inputs,
                                             const RunOptions& options = {}) {
    return Run(std::span(inputs.begin(), inputs.size()), options);
  }
  // As Run, with the inputs in the order of inputs().
  StatusOr<std::vector<DenseHostTensor>> RunInOrder(std::span<const DenseHostTensor* const> inputs,
                                                    const RunOptions& options = {});

  // Receives the results, on any thread, or on the caller's before RunAsync returns.
  using Callback = std::function<void(StatusOr<std::vector<DenseHostTensor>>)>;
  // Starts a run in the host's work queue. The inputs' buffers are shared until it is over. The
  // session is ready for another run when the callback is called.
  void RunAsync(std::span<const NamedTensor> inputs, Callback callback,
                const RunOptions& options = {});
  void RunAsync(std::initializer_list<NamedTensor> inputs, Callback callback,
                const RunOptions& options = {}) {
    RunAsync(std::span(inputs.begin(), inputs.size()), std::move(callback), options);
  }

  // As RunAsync, with the inputs in the order of inputs(), and starting on this thread. If the run
  // is over once all work that need not wait is done, returns its results. Otherwise returns
  // nullopt, and the callback made by `later` receives the results. The function `later` is called
  // at most once, before this returns.
  std::optional<StatusOr<std::vector<DenseHostTensor>>> RunOrStart(
      std::span<const DenseHostTensor* const> inputs, const std::function<Callback()>& later,
      const RunOptions& options = {});

  // Ends the run that is in flight, if any, with Cancelled. No further kernel starts, and the run
  // is over once the running kernels are done. Does not affect runs that begin later.
  void Cancel();

  struct Memory {
    size_t arena_bytes = 0;        // planned, for values that live within a run
    size_t arena_lower_bound = 0;  // the minimum for any plan of the last run
    size_t pool_bytes = 0;         // all memory that the session holds from the host's allocator,
                                   // including the arena
    size_t peak_bytes = 0;         // in use at a time
    size_t host_requests = 0;      // so far; a run that is like an earlier one makes none
  };
  Memory memory() const;

 private:
  struct Impl;
  explicit Session(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

}  // namespace tfrt

#endif  // TFRT_MODEL_MODEL_H_

// Model and Session: the models that tfrt_import writes, loaded and run.
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

// A size of an input or result: known, or of a name (sizes of one name are equal), or neither.
using ModelDim = bef::SignatureDim;
// Name, dtype, and sizes if the rank is known. ToString(value) is its type: "f32
// [batch,3,224,224]".
using ModelValue = bef::SignatureValue;

struct ModelOptions {
  std::string function = "main";  // what sessions run
  // What traces call the model; empty: as its file, without folder and ending.
  std::string name = {};
  // Errors of kernels begin with the place that the file has of them: "step.cc:7:12: ".
  bool locate_errors = false;
};

// A loaded model. A handle: copies are the same model, which lives as long as one of them or a
// session of it. Immutable and thread-safe.
class Model {
 public:
  // Maps the file and checks its structure; weights are not read. The kernels of core_runtime
  // (RegisterCoreRuntimeKernels), and those of ops of your own, must be registered at the host,
  // which outlives the model. NotFound: no such file or kernel. InvalidArgument: no model.
  static StatusOr<Model> Open(const std::string& path, HostContext* host,
                              const ModelOptions& options = {});
  // The same of bytes, aligned by 64, that were read elsewhere.
  static StatusOr<Model> FromBytes(FileBytes bytes, HostContext* host,
                                   const ModelOptions& options = {});

  std::span<const ModelValue> inputs() const;
  std::span<const ModelValue> outputs() const;
  // What its maker says: "pytorch 2.1", and texts by key, such as the names of classes.
  const std::string& producer() const;
  // ModelOptions::name, or what stands for it; "model" if it came from bytes.
  const std::string& name() const;
  std::span<const std::pair<std::string, std::string>> metadata() const;
  // Null if there is none of this key.
  const std::string* FindMetadata(std::string_view key) const;

  // Computes, once, what depends on the weights alone; blocks until it is there. Session::Create
  // does so. The error is that of the first time.
  Status Load() const;
  HostContext* host() const;
  // The program.
  const BefFile& file() const;

  struct Impl;  // the library's own

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
  // From when on no further kernel starts: the run ends with DeadlineExceeded "deadline exceeded",
  // once those that are running are done. A run whose deadline has passed does not start.
  std::optional<std::chrono::steady_clock::time_point> deadline = {};
  // Memory for the results: one for each output in order, null where the session is to find it, or
  // none at all. InvalidArgument: it is read-only, or is that of an input or of another result;
  // and, after the run, another dtype or shape than the result has. The elements are copied there
  // when all results are there, so that nothing of a run that ended early still writes them; after
  // an error some may have been. That takes 0.05 ms for a megabyte. Results in memory that the
  // session finds are not copied.
  std::span<DenseHostTensor* const> outputs = {};
  // A request that is cancelled before the run begins ends it as Cancel does; who cancels it later
  // calls Cancel. May be null; must outlive the call that starts the run.
  const RequestContext* part_of = nullptr;
};

struct SessionOptions {
  // Of the memory of results and of what lives within a run; must outlive the results and the
  // session, whose runs are over when they return or call back. Null: the host's.
  HostAllocator* allocator = nullptr;
  // Called before each run, to give its request data that kernels look for. May be empty.
  std::function<void(RequestContextBuilder&)> add_data = {};
};

// Runs a model, one run at a time; a second one meanwhile is FailedPrecondition. Its memory is used
// again from run to run, so that a run with sizes that were seen asks the host's allocator for
// nothing. Make one session for each run that goes on at the same time. Movable; Cancel and memory
// may be called by any thread. A run that goes on when the session goes keeps what it needs, the
// allocator and the inputs' memory with it, until its callback is called.
class Session {
 public:
  // Loads the model if that has not been done. The errors of Model::Load.
  static StatusOr<Session> Create(const Model& model, const SessionOptions& options = {});
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  ~Session();

  Model model() const;

  // Runs the model and blocks until it is done: the results, in the order of outputs(). They may
  // outlive the session and the model (not the host), and share no memory with the inputs, which
  // may be constants. Kernels run on the host's work queue and on this thread. InvalidArgument:
  // inputs that are not the model's: "input x: expected f32 [batch,3,224,224], but got f32
  // [1,3,224,225]"; otherwise the first error of a kernel. When it returns no kernel runs, and
  // nothing but the results is in memory of the session's or of the inputs' makers.
  StatusOr<std::vector<DenseHostTensor>> Run(std::span<const NamedTensor> inputs,
                                             const RunOptions& options = {});
  StatusOr<std::vector<DenseHostTensor>> Run(std::initializer_list<NamedTensor> inputs,
                                             const RunOptions& options = {}) {
    return Run(std::span(inputs.begin(), inputs.size()), options);
  }
  // With the inputs in the order of inputs().
  StatusOr<std::vector<DenseHostTensor>> RunInOrder(std::span<const DenseHostTensor* const> inputs,
                                                    const RunOptions& options = {});

  // Gets the results, on any thread, or on the caller's before RunAsync returns.
  using Callback = std::function<void(StatusOr<std::vector<DenseHostTensor>>)>;
  // Starts a run in the host's work queue. The inputs' buffers are shared until it is over. When
  // the callback is called, the session is ready for another run.
  void RunAsync(std::span<const NamedTensor> inputs, Callback callback,
                const RunOptions& options = {});
  void RunAsync(std::initializer_list<NamedTensor> inputs, Callback callback,
                const RunOptions& options = {}) {
    RunAsync(std::span(inputs.begin(), inputs.size()), std::move(callback), options);
  }

  // The same, with the inputs in the order of inputs(), from this thread. Returns what is there
  // when all that need not wait is over; otherwise nothing, and the callback that `later` makes,
  // which is called once at most, before this returns, gets it.
  std::optional<StatusOr<std::vector<DenseHostTensor>>> RunOrStart(
      std::span<const DenseHostTensor* const> inputs, const std::function<Callback()>& later,
      const RunOptions& options = {});

  // Ends the run that goes on, if any, with Cancelled: no further kernel starts, and it is over
  // once those that are running are done. A run that begins later is another one.
  void Cancel();

  struct Memory {
    size_t arena_bytes = 0;        // planned, for what lives within a run
    size_t arena_lower_bound = 0;  // what any plan of the last run would need
    size_t pool_bytes = 0;     // all that the session has of the host's allocator, the arena too
    size_t peak_bytes = 0;     // in use at a time
    size_t host_requests = 0;  // of memory, so far: a run that is like an earlier one makes none
  };
  Memory memory() const;

 private:
  struct Impl;
  explicit Session(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

}  // namespace tfrt

#endif  // TFRT_MODEL_MODEL_H_

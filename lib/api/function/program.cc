#include "program.h"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <optional>

#include "lib/api/eager/tracer.h"
#include "lib/ops/op_call/run_on_host.h"
#include "tfrt/async/async_value_ref.h"
#include "tfrt/core_runtime/graph_kernels.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/kernel_registry.h"
#include "tfrt/host_context/request_context.h"
#include "tfrt/host_context/shared_context.h"
#include "tfrt/support/small_array.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::function {
namespace {

// Registers once per host.
class ProgramKernels final : public SharedContext {
 public:
  explicit ProgramKernels(HostContext* host) {
    // A host of the program's own may have them.
    if (!host->kernel_registry().FindKernel("graph.constant")) {
      RegisterGraphKernels(&host->kernel_registry());
    }
    status = host->kernel_registry().first_error();
  }
  Status status;
};

constexpr OpArgumentSpec kInputs[] = {{"input", OpArgumentSpec::Kind::kVariadic}};

// Keeps the texts and the definition of a program's op after the program is destroyed. Lives as
// long as the process.
struct ProgramOp {
  std::string name;
  std::vector<std::string> result_names;
  std::vector<std::string_view> results;
  std::optional<OpDefinition> definition;
};

std::mutex& ProgramOpsMutex() {
  static std::mutex* const mutex = new std::mutex;
  return *mutex;
}
std::vector<std::unique_ptr<ProgramOp>>& ProgramOps() {
  static auto* const ops = new std::vector<std::unique_ptr<ProgramOp>>;
  return *ops;
}

const OpDefinition* MakeOp(const Program* program, const std::string& name, size_t num_results,
                           bool hides_results, bool has_effects, OpFunction function) {
  auto op = std::make_unique<ProgramOp>();
  op->name = StrCat("function.", name);
  for (size_t i = 0; i < num_results; ++i) op->result_names.push_back(StrCat("result", i));
  op->results.assign(op->result_names.begin(), op->result_names.end());
  CustomOp custom;
  custom.name = op->name;
  custom.arguments.assign(std::begin(kInputs), std::end(kInputs));
  custom.results = op->results;
  custom.flags = has_effects ? OpFlags::kSideEffects : OpFlags::kNone;
  // Calls keep the program; the definition does not.
  custom.closure = {function, std::shared_ptr<const void>(std::shared_ptr<const void>(), program)};
  custom.composite = &RunOnHost;
  op->definition.emplace(std::move(custom));
  op->definition->hides_results = hides_results;
  const OpDefinition* definition = &*op->definition;
  std::lock_guard lock(ProgramOpsMutex());
  op->definition->id = static_cast<uint32_t>(0x10000 + ProgramOps().size());
  ProgramOps().push_back(std::move(op));
  return definition;
}

// Returns the metadata of a program's result if all of it is known.
std::optional<TensorMetadata> MetadataOf(const TracedType& type) {
  if (!type.dims || std::ranges::any_of(*type.dims, [](int64_t dim) { return dim < 0; })) {
    return std::nullopt;
  }
  StatusOr<TensorShape> shape = TensorShape::Create(*type.dims);
  if (!shape.ok()) return std::nullopt;
  return TensorMetadata{type.dtype, *std::move(shape)};
}

// The program's functions, which take tensors, as those of kernels.
std::shared_ptr<const std::vector<HostCallback>> CallbacksOf(const ProgramParts& parts) {
  if (parts.callbacks.empty()) return nullptr;
  const bool assigns = !ConventionOf(parts.graph).assigned.empty();
  auto callbacks = std::make_shared<std::vector<HostCallback>>();
  for (const HostFunction& function : parts.callbacks) {
    callbacks->push_back(
        [function, assigns, context = parts.context](std::span<const DenseHostTensor* const> inputs)
            -> StatusOr<std::vector<DenseHostTensor>> {
          eager::Scope scope(*context, {.device = "cpu:0"});
          std::optional<eager::PartOfCallScope> part_of_call;
          if (assigns) part_of_call.emplace();
          std::vector<Tensor> tensors;
          for (const DenseHostTensor* input : inputs) {
            // Copied: the function may keep what it gets.
            const ShapeDims dims = input->shape().dims();
            tensors.push_back(Tensor::FromArray(eager::HostArray(
                input->dtype(), dims,
                {static_cast<const std::byte*>(input->data()), input->size_bytes()})));
          }
          TFRT_ASSIGN_OR_RETURN(std::vector<Tensor> made, function(tensors));
          std::vector<DenseHostTensor> results;
          for (const Tensor& tensor : made) {
            TFRT_ASSIGN_OR_RETURN(const DenseHostTensor* elements, tensor.HostElements(Location()));
            results.push_back(elements->ShareBuffer());
          }
          return results;
        });
  }
  return callbacks;
}

}  // namespace

Status RegisterProgramKernels(HostContext* host) {
  return host->GetOrCreateSharedContext<ProgramKernels>().status;
}

StatusOr<RCReference<Program>> Program::Create(ProgramParts& parts, HostContext* host) {
  TFRT_RETURN_IF_ERROR(RegisterProgramKernels(host));
  // The model's own: kernels that nobody waits for may run for longer than the program is there.
  FileBytes bytes = parts.compiled.owner ? FileBytes::CopyOf(parts.compiled.bytes.bytes())
                                         : std::move(parts.compiled.bytes);
  parts.compiled.bytes = FileBytes::Borrow(bytes.bytes());
  parts.compiled.owner.reset();
  TFRT_ASSIGN_OR_RETURN(
      Model model,
      Model::FromBytes(std::move(bytes), host, {.name = parts.function, .locate_errors = true}));
  TFRT_RETURN_IF_ERROR(model.Load());
  // The kept bytes may be a program, but another one.
  const CallConvention expected = ConventionOf(parts.graph);
  const auto num_tensors = static_cast<size_t>(
      std::ranges::count(parts.type.arguments, Argument::Kind::kTensor, &ArgumentType::kind));
  if (model.inputs().size() != num_tensors + expected.variables.size() ||
      model.outputs().size() < parts.results.size() + expected.assigned.size()) {
    return InvalidArgumentError("the program takes or makes other values than the function");
  }
  RCReference<Program> program = TakeRef(new Program(std::move(parts)));
  program->convention_ = ConventionOf(program->parts_.graph);
  program->model_ = std::move(model);
  program->callbacks_ = CallbacksOf(program->parts_);
  for (const TracedType& type : program->parts_.results) {
    program->result_metadata_.push_back(MetadataOf(type));
  }
  const CallConvention& convention = program->convention_;
  // A program without results has its effects as one, so that calls can tell when they are over.
  program->num_op_results_ = std::max<size_t>(1, program->model_->outputs().size());
  program->on_cancel_ =
      eager::OnCancel(*program->parts_.context, [raw = program.get()] { raw->CancelRuns(); });
  program->op_ = MakeOp(program.get(), program->function(), program->num_op_results_,
                        program->parts_.results.empty(),
                        convention.has_effects || !convention.callbacks.empty(), &RunOp);
  return program;
}

// Whoever cancels now is done with it afterwards.
Program::~Program() { on_cancel_.reset(); }

std::string Program::Signature() const {
  std::string text = StrCat(function(), "(");
  for (size_t i = 0; i < type().arguments.size(); ++i) {
    text += StrCat(i == 0 ? "" : ", ", ArgumentName(parts_.names, i), ": ",
                   type().arguments[i].ToString());
  }
  return text + ")";
}

// --- Calls

bool Program::HasAliases(std::span<const Argument> arguments) const {
  const auto& bindings = parts_.variables;
  if (bindings.size() < 2) return false;
  auto id = [&](const VariableBinding& binding) {
    return binding.argument ? arguments[*binding.argument].variable->id() : binding.captured.id();
  };
  for (size_t i = 0; i < bindings.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (id(bindings[i]) == id(bindings[j])) return true;
    }
  }
  return false;
}

Status Program::Call(std::span<Argument> arguments, std::span<Tensor> results, Location where) {
  calls_.fetch_add(1, std::memory_order_relaxed);
  if (convention_.variables.empty()) return Execute(arguments, {}, results, nullptr, where);
  std::vector<Variable> bound;
  std::vector<Variable::Use> uses;
  bound.reserve(convention_.variables.size());
  for (uint32_t variable : convention_.variables) {
    const VariableBinding& binding = parts_.variables[variable];
    bound.push_back(binding.argument ? *arguments[*binding.argument].variable : binding.captured);
    uses.push_back({&bound.back(), std::ranges::find(convention_.assigned, variable) !=
                                       convention_.assigned.end()});
  }
  Status status;
  std::vector<Tensor> made;  // of the variables' new values
  const std::vector<Tensor> left = Variable::UpdateTogether(
      uses,
      [&](std::span<const Tensor> values) {
        status = Execute(arguments, values, results, &made, where);
        return made;
      },
      where);
  if (!status.ok()) return status;
  // No result has the error of a variable that does not take its new value. If it is that of the
  // call, the context keeps it where nobody sees the call's results (Context::TakeError).
  for (size_t i = 0; i < left.size(); ++i) {
    const bool is_told = op_->hides_results && i < made.size() && made[i].IsError();
    if (left[i].IsError() && !is_told) return left[i].status();
  }
  return status;
}

Status Program::Execute(std::span<Argument> arguments, std::span<const Tensor> variables,
                        std::span<Tensor> results, std::vector<Tensor>* assigned, Location where) {
  SmallArray<TensorArgument, 8> inputs(arguments.size() + variables.size());
  size_t count = 0;
  for (Argument& argument : arguments) {
    if (argument.kind == Argument::Kind::kTensor) inputs[count++] = std::move(argument.tensor);
  }
  for (const Tensor& variable : variables) inputs[count++] = TensorArgument(variable);
  SmallArray<Tensor, 4> made(num_op_results_);
  Status status = eager::Execute(*op_, inputs.span().first(count), OpAttrs(), made.span(), where);
  KeepUntilThere(made.span());
  for (size_t i = 0; i < results.size(); ++i) {
    const std::optional<TensorMetadata>& metadata = result_metadata_[i];
    results[i] = metadata ? eager::WithMetadata(made[i], *metadata) : std::move(made[i]);
  }
  if (assigned) {
    for (size_t i = 0; i < convention_.assigned.size(); ++i) {
      assigned->push_back(made[num_results() + i]);
    }
  }
  return status;
}

void Program::KeepUntilThere(std::span<const Tensor> results) const {
  for (const Tensor& result : results) {
    const eager::TensorState& state = *result.state();
    AsyncValue* elements = state.elements();
    if (state.value()->IsAvailable() && (!elements || elements->IsAvailable())) continue;
    AsyncValue* value = state.value();
    value->AndThen([value, program = FormRef(this)]() mutable {
      // On a device with timelines the op runs later than its results are there.
      AsyncValue* of_value = value->IsError() ? nullptr : value->get<tfrt::Tensor>().elements();
      if (of_value) of_value->AndThen([program = std::move(program)] {});
    });
  }
}

// --- The op

void Program::RunOp(OpCall& call) noexcept {
  static_cast<const Program*>(call.op_state())->Run(call);
}

// One run of a session, until its results are there.
struct Program::Running {
  RCReference<const Program> program;
  HostAllocator* allocator;
  std::optional<Session> session = {};
  std::vector<AsyncValueRef<DenseHostTensor>> results = {};
  AsyncValueRef<Chain> over = nullptr;  // null: no effects

  void End(StatusOr<std::vector<DenseHostTensor>> made);
};

Status Program::TakeSession(Running& running) const {
  {
    std::lock_guard lock(mutex_);
    auto found =
        std::ranges::find(sessions_, running.allocator, &std::pair<HostAllocator*, Session>::first);
    if (found != sessions_.end()) {
      running.session = std::move(found->second);
      if (&*found != &sessions_.back()) *found = std::move(sessions_.back());
      sessions_.pop_back();
      running_.push_back(&running);
      return OkStatus();
    }
  }
  SessionOptions options{.allocator = running.allocator};
  if (callbacks_) {
    options.add_data = [callbacks = callbacks_](RequestContextBuilder& builder) {
      builder.AddData(HostCallbacks{callbacks});
    };
  }
  TFRT_ASSIGN_OR_RETURN(running.session, Session::Create(*model_, options));
  std::lock_guard lock(mutex_);
  running_.push_back(&running);
  return OkStatus();
}

void Program::GiveBack(Running& running) const {
  std::lock_guard lock(mutex_);
  std::erase(running_, &running);
  sessions_.emplace_back(running.allocator, *std::move(running.session));
}

// Returns the op's result `index`. A program without results has its effects as one.
StatusOr<DenseHostTensor> Program::ResultOf(StatusOr<std::vector<DenseHostTensor>>& made,
                                            size_t index, HostAllocator* allocator) {
  if (!made.ok()) return made.status();
  if (index < made->size()) return std::move((*made)[index]);
  return DenseHostTensor::CreateUninitialized({DType::kI1, TensorShape({0})}, allocator);
}

void Program::CancelRuns() const {
  std::lock_guard lock(mutex_);
  for (Running* running : running_) running->session->Cancel();
}

void Program::Running::End(StatusOr<std::vector<DenseHostTensor>> made) {
  program->GiveBack(*this);
  for (size_t i = 0; i < results.size(); ++i) {
    StatusOr<DenseHostTensor> result = ResultOf(made, i, allocator);
    if (result.ok()) {
      results[i].emplace(*std::move(result));
    } else {
      results[i].SetError(result.status());
    }
  }
  if (over) over.emplace();
}

void Program::Run(OpCall& call) const {
  SmallArray<const DenseHostTensor*, 16> inputs(call.num_arguments());
  for (size_t i = 0; i < inputs.size(); ++i) {
    AsyncValue* argument = call.argument(i);
    if (!argument->IsType<DenseHostTensor>()) {
      return call.ReportError(InvalidArgumentError(
          StrCat("argument ", i, " is no dense tensor of numbers, which compiled functions take")));
    }
    inputs[i] = &argument->get<DenseHostTensor>();
  }
  auto running = std::make_shared<Running>(Running{FormRef(this), call.allocator()});
  Status status = TakeSession(*running);
  if (!status.ok()) return call.ReportError(std::move(status));
  auto made = running->session->RunOrStart(inputs.span(), [&] { return RunLater(call, running); },
                                           {.part_of = call.exec_ctx().request_ctx()});
  if (!made) return;
  GiveBack(*running);
  for (size_t i = 0; i < call.num_results(); ++i) {
    StatusOr<DenseHostTensor> result = ResultOf(*made, i, call.allocator());
    call.SetResult(
        i, result.ok()
               ? MakeAvailableAsyncValueRef<DenseHostTensor>(*std::move(result)).ReleaseRCRef()
               : MakeErrorAsyncValue(result.status()));
  }
}

Session::Callback Program::RunLater(OpCall& call, std::shared_ptr<Running> running) const {
  for (size_t i = 0; i < call.num_results(); ++i) {
    running->results.push_back(MakeUnconstructedAsyncValueRef<DenseHostTensor>());
    call.SetResult(i, running->results.back().CopyRef().ReleaseRCRef());
  }
  if (convention_.has_effects || !convention_.callbacks.empty()) {
    running->over = MakeUnconstructedAsyncValueRef<Chain>();
    call.SetChain(running->over.CopyRef());
  }
  return [running = std::move(running)](StatusOr<std::vector<DenseHostTensor>> made) {
    running->End(std::move(made));
  };
}

}  // namespace tfrt::function

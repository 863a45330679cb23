#include "gpu_op_plan.h"

#include <algorithm>
#include <utility>

#include "gpu/runtime/context.h"
#include "gpu/runtime/launch_scope.h"
#include "gpu/runtime/stream.h"
#include "tfrt/async/async_value_ref.h"
#include "tfrt/support/small_array.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt::gpu {
namespace {

constexpr size_t kFewPlaces = 8, kFewResults = 2;

std::span<const uint8_t> ElementsOf(const Tensor& tensor) {
  const auto& dense = static_cast<const DenseHostTensor&>(tensor);
  return {static_cast<const uint8_t*>(dense.data()), dense.size_bytes()};
}

inline AsyncValueRef<DenseGpuTensor> MakeResult(const TensorMetadata& metadata,
                                                RCReference<Memory> memory,
                                                const MemoryRange& range, Point written) {
  return MakeAvailableAsyncValueRef<DenseGpuTensor>(metadata, std::move(memory), range, written);
}

}  // namespace

const DenseGpuTensor* GpuOpArguments::OnDevice(const AsyncValue& value) {
  const auto& tensor = value.get<Tensor>();
  return tensor.tensor_type() == kDenseGpuTensorType ? static_cast<const DenseGpuTensor*>(&tensor)
                                                     : nullptr;
}

Status GpuOpArguments::OrderReads(Stream& stream) const {
  // A wait for the latest point of another stream covers the earlier ones.
  constexpr size_t kMany = 64;  // are not compared with each other
  auto is_covered = [this](size_t index) {
    if (size() > kMany) return false;
    const Point written = on_device(index)->written();
    for (size_t i = 0; i < size(); ++i) {
      const Point other = on_device(i) ? on_device(i)->written() : Point();
      if (other.stream == written.stream && other.number > written.number) return true;
    }
    return false;
  };
  for (size_t i = 0; i < size(); ++i) {
    const DenseGpuTensor* tensor = on_device(i);
    if (!tensor || (tensor->written() && stream.HasSeen(tensor->written())) || is_covered(i)) {
      continue;
    }
    TFRT_RETURN_IF_ERROR(tensor->OrderReads(stream));
  }
  return OkStatus();
}

GpuOpPlanKey::GpuOpPlanKey(const GpuOpArguments& arguments)
    : num_arguments_(arguments.size()), arguments_(std::make_unique<Argument[]>(arguments.size())) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments.values()[i]) continue;
    Argument& argument = arguments_[i];
    const auto& tensor = arguments.values()[i]->get<Tensor>();
    argument.metadata = tensor.metadata();
    if (const DenseGpuTensor* on_device = arguments.on_device(i)) {
      argument.kind = Kind::kDevice;
      argument.low_bits = LowBitsOf(*on_device);
      continue;
    }
    argument.kind = Kind::kHost;
    if (tensor.tensor_type() != kDenseHostTensorType) {
      is_worth_keeping_ = false;
      continue;
    }
    const std::span<const uint8_t> elements = ElementsOf(tensor);
    is_worth_keeping_ = is_worth_keeping_ && elements.size() <= kMaxElementBytes;
    if (is_worth_keeping_) argument.elements.assign(elements.begin(), elements.end());
  }
}

bool GpuOpPlanKey::MatchesHost(const Argument& known, const GpuOpArguments& arguments,
                               size_t index) {
  const AsyncValue* value = arguments.values()[index];
  if (!value) return known.kind == Kind::kNone;
  const auto& tensor = value->get<Tensor>();
  return known.kind == Kind::kHost && tensor.metadata() == known.metadata &&
         tensor.tensor_type() == kDenseHostTensorType &&
         std::ranges::equal(ElementsOf(tensor), known.elements);
}

uint64_t GpuOpPlanKey::Hash(const GpuOpArguments& arguments) {
  uint64_t hash = 0;
  // Multiplicative, as in Fibonacci hashing.
  auto add = [&](uint64_t word) { hash = (hash ^ word) * 0x9E3779B97F4A7C15u; };
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments.values()[i]) continue;
    const auto& tensor = arguments.values()[i]->get<Tensor>();
    add(tensor.shape().Hash());
    if (const DenseGpuTensor* on_device = arguments.on_device(i)) {
      add(LowBitsOf(*on_device));
    } else if (tensor.tensor_type() == kDenseHostTensorType) {
      for (uint8_t byte :
           ElementsOf(tensor).first(std::min(ElementsOf(tensor).size(), kMaxElementBytes))) {
        add(byte);
      }
    }
  }
  return hash >> 32;
}

bool GpuOpPlan::is_worth_keeping() const {
  return key_.is_worth_keeping() &&
         std::ranges::none_of(extras_, [](const Extra& extra) { return bool{extra.memory}; });
}

bool GpuOpPlan::has_shared_results() const {
  return std::ranges::any_of(
      results_, [](const Result& result) { return result.kind == Result::Kind::kShared; });
}

void GpuOpPlan::Finish() {
  is_one_launch_ = results_.size() == 1 && results_[0].kind == Result::Kind::kAllocated &&
                   results_[0].bytes.size_bytes != 0 &&
                   results_[0].bytes.size_bytes <= SizeClass::kMaxBytes && extras_.empty() &&
                   commands_.size() == 1 && std::holds_alternative<Launch>(commands_[0]) &&
                   num_places() <= kFewPlaces;
  if (is_one_launch_) size_class_ = SizeClass::Of(results_[0].bytes.size_bytes);
}

MemoryRange GpuOpPlan::RangeOf(const OpBytes& bytes, const Place* places) {
  assert(bytes.place != OpBytes::kNowhere);
  const Place& place = places[bytes.place];
  return {place.memory, place.address + static_cast<uint64_t>(bytes.offset_bytes),
          bytes.size_bytes};
}

inline StatusOr<Point> GpuOpPlan::Enqueue(Stream& stream, const Launch& launch,
                                          const Place* places) {
  // Not initialised: most kernels have few parameters.
  void* parameters[kMaxParameters];
  uint64_t addresses[kMaxParameters];
  const Memory* memories[kMaxParameters];
  const size_t num_parameters = launch.num_parameters, count = launch.num_addresses;
  void* const* known = launch.parameters.get();
  for (size_t i = 0; i < num_parameters; ++i) parameters[i] = known[i];
  const Address* address = launch.addresses.get();
  for (size_t i = 0; i < count; ++i, ++address) {
    const Place& place = places[address->place];
    addresses[i] = place.address + address->offset_bytes;
    parameters[address->parameter] = &addresses[i];
    memories[i] = place.memory;
  }
  return stream.LaunchChecked(*launch.function, launch.shape, parameters, {memories, count});
}

StatusOr<Point> GpuOpPlan::Enqueue(Stream& stream, const Library& library, const Place* places) {
  SmallArray<MemoryRange, kFewPlaces> ranges(library.bytes.size());
  std::ranges::transform(library.bytes, ranges.begin(), [&](const OpBytes& bytes) {
    return bytes.place == OpBytes::kNowhere ? MemoryRange() : RangeOf(bytes, places);
  });
  return library.command->Enqueue(stream, ranges.span());
}

inline bool GpuOpPlan::FindPlaces(std::span<AsyncValue* const> arguments, const Stream& stream,
                                  Place* places) const {
  if (arguments.size() != key_.num_arguments()) return false;
  // relaxed: see GetIfPlain.
  const uint32_t plain = tfrt::internal::kind_of<DenseGpuTensor>.load(std::memory_order_relaxed);
  for (size_t i = 0; i < arguments.size(); ++i) {
    AsyncValue* value = arguments[i];
    const DenseGpuTensor* tensor = value ? value->GetIfPlain<DenseGpuTensor>(plain) : nullptr;
    if (!tensor || !key_.Matches(i, *tensor) || !tensor->written() ||
        !stream.HasSeen(tensor->written())) {
      return false;
    }
    places[i] = {tensor->range().memory, tensor->range().address};
  }
  return true;
}

inline Status GpuOpPlan::EnqueueOneLaunch(Stream& compute, RCReference<Memory> memory,
                                          Place* places, RCReference<AsyncValue>* result) const {
  const MemoryRange range = memory->bytes();
  places[key_.num_arguments()] = {range.memory, range.address};
  StatusOr<Point> written = Enqueue(compute, *std::get_if<Launch>(&commands_[0]), places);
  if (!written.ok()) [[unlikely]]
    return written.status();
  *result = MakeResult(metadata_[0], std::move(memory), range, *written).ReleaseRCRef();
  return OkStatus();
}

Status GpuOpPlan::Enqueue(GpuDevice& device, const GpuOpArguments& arguments,
                          std::span<RCReference<AsyncValue>> results,
                          std::optional<TensorMetadata>* refused) const {
  Stream& compute = device.compute();
  TFRT_RETURN_IF_ERROR(arguments.OrderReads(compute));
  SmallArray<Place, kFewPlaces> places(num_places());
  Place* place = places.data();
  for (size_t i = 0; i < arguments.size(); ++i, ++place) {
    const DenseGpuTensor* tensor = arguments.on_device(i);
    if (!tensor) continue;
    *place = {tensor->range().memory, tensor->range().address};
  }
  SmallArray<RCReference<Memory>, kFewResults> made(results_.size());
  for (size_t i = 0; i < results_.size(); ++i, ++place) {
    const Result& result = results_[i];
    if (result.kind != Result::Kind::kAllocated || result.bytes.size_bytes == 0) continue;
    StatusOr<RCReference<Memory>> memory = device.Allocate(compute, result.bytes.size_bytes);
    if (!memory.ok()) [[unlikely]] {
      *refused = metadata_[i];
      return memory.status();
    }
    made[i] = *std::move(memory);
    *place = {made[i].get(), made[i]->address()};
  }
  // Memory of the call alone is free for later commands of the stream once the last one of the call
  // is enqueued.
  SmallArray<RCReference<Memory>, kFewResults> scratch(extras_.size());
  for (size_t i = 0; i < extras_.size(); ++i, ++place) {
    Memory* memory = extras_[i].memory.get();
    if (!memory) {
      TFRT_ASSIGN_OR_RETURN(scratch[i], device.Allocate(compute, extras_[i].size_bytes));
      memory = scratch[i].get();
    }
    *place = {memory, memory->address()};
  }
  Point last;
  for (const Command& command : commands_) {
    if (const auto* launch = std::get_if<Launch>(&command)) {
      TFRT_ASSIGN_OR_RETURN(last, Enqueue(compute, *launch, places.data()));
    } else if (const auto* copy = std::get_if<Copy>(&command)) {
      TFRT_ASSIGN_OR_RETURN(
          last, compute.Copy(RangeOf(copy->to, places.data()), RangeOf(copy->from, places.data())));
    } else if (const auto* fill = std::get_if<Fill>(&command)) {
      TFRT_ASSIGN_OR_RETURN(last, compute.Fill(RangeOf(fill->bytes, places.data()), fill->pattern));
    } else {
      TFRT_ASSIGN_OR_RETURN(last, Enqueue(compute, std::get<Library>(command), places.data()));
    }
  }
  for (size_t i = 0; i < results_.size(); ++i) {
    const Result& result = results_[i];
    if (result.kind == Result::Kind::kUnset) continue;  // the op has fewer
    if (result.kind == Result::Kind::kShared) {
      results[i] =
          MakeResult(metadata_[i], result.memory.CopyRef(), result.memory->bytes(), result.written)
              .ReleaseRCRef();
    } else if (result.kind == Result::Kind::kView && result.bytes.size_bytes != 0) {
      const MemoryRange range = RangeOf(result.bytes, places.data());
      results[i] = MakeResult(metadata_[i], range.MemoryRef(), range,
                              arguments.on_device(result.bytes.place)->written())
                       .ReleaseRCRef();
    } else {
      const MemoryRange range = made[i] ? made[i]->bytes() : MemoryRange();
      results[i] = MakeResult(metadata_[i], std::move(made[i]), range, last).ReleaseRCRef();
    }
  }
  return OkStatus();
}

RCReference<const GpuOpPlan> GpuOpPlans::Find(const GpuOpArguments& arguments,
                                              size_t num_results) const {
  auto matches = [&](const RCReference<const GpuOpPlan>& plan) {
    return plan && plan->results().size() == num_results && plan->key().Matches(arguments);
  };
  if (RCReference<const GpuOpPlan> last = Get(last_); matches(last)) return last;
  for (const RCReference<const GpuOpPlan>& way : sets_[GpuOpPlanKey::Hash(arguments) % kSets]) {
    RCReference<const GpuOpPlan> plan = Get(way);
    if (!matches(plan)) continue;
    RCReference<const GpuOpPlan> last = plan.CopyRef();
    std::lock_guard lock(lock_);
    std::swap(last_, last);
    return plan;
  }
  return nullptr;
}

void GpuOpPlans::Add(RCReference<const GpuOpPlan> plan, const GpuOpArguments& arguments) const {
  Set& set = sets_[GpuOpPlanKey::Hash(arguments) % kSets];
  RCReference<const GpuOpPlan> last = plan.CopyRef();
  {
    std::lock_guard lock(lock_);
    std::swap(last, last_);
    std::swap(plan, set[0]);
    std::swap(plan, set[1]);
  }
  // Those that are no longer held go without the lock.
}

bool GpuOpPlans::DropShared() const {
  std::vector<RCReference<const GpuOpPlan>> dropped;  // allocated and freed without the lock
  dropped.reserve(kSets * kWays + 1);
  std::lock_guard lock(lock_);
  auto drop = [&](RCReference<const GpuOpPlan>& plan) {
    if (plan && plan->has_shared_results()) dropped.push_back(std::exchange(plan, nullptr));
  };
  drop(last_);
  for (Set& set : sets_) {
    for (RCReference<const GpuOpPlan>& plan : set) drop(plan);
  }
  return !dropped.empty();
}

OpOutcome FailedGpuCall(const ExecutionContext& exec_ctx,
                        std::span<RCReference<AsyncValue>> results, Status error,
                        std::optional<TensorMetadata> refused) {
  OpOutcome outcome = FailedCall(exec_ctx, std::move(error), results);
  if (refused) outcome.refused = std::make_unique<TensorMetadata>(*std::move(refused));
  return outcome;
}

// flatten: one call of the warm path is a fiftieth of it.
[[gnu::flatten]] bool GpuOpPlans::Play(const KnownOpRun& run,
                                       std::optional<OpOutcome>* failure) const {
  auto& device = static_cast<GpuDevice&>(run.device);
  Stream& compute = device.compute();
  RCReference<const GpuOpPlan> plan = Get(last_);
  GpuOpPlan::Place places[kFewPlaces];
  RCReference<Memory> memory;
  if (plan && plan->is_one_launch_ && run.results.size() == 1 &&
      plan->FindPlaces(run.arguments, compute, places) &&
      (run.may_wait || !device.context().options().launch_blocking)) [[likely]] {
    memory = device.context().allocator().AllocateFromCache(compute, plan->size_class_,
                                                            plan->results_[0].bytes.size_bytes);
  }
  if (!memory) [[unlikely]]
    return run.may_wait && PlayOther(run, failure);
  LaunchScope scope(run.op.name, run.exec_ctx.location());
  Status status = plan->EnqueueOneLaunch(compute, std::move(memory), places, &run.results[0]);
  if (!status.ok()) [[unlikely]]
    failure->emplace(FailedGpuCall(run.exec_ctx, run.results, std::move(status)));
  return true;
}

[[gnu::noinline]] bool GpuOpPlans::PlayOther(const KnownOpRun& run,
                                             std::optional<OpOutcome>* failure) const {
  const GpuOpArguments arguments(run.arguments);
  RCReference<const GpuOpPlan> plan = Find(arguments, run.results.size());
  if (!plan) return false;
  LaunchScope scope(run.op.name, run.exec_ctx.location());
  std::optional<TensorMetadata> refused;
  Status status =
      plan->Enqueue(static_cast<GpuDevice&>(run.device), arguments, run.results, &refused);
  if (!status.ok()) [[unlikely]] {
    failure->emplace(
        FailedGpuCall(run.exec_ctx, run.results, std::move(status), std::move(refused)));
  }
  return true;
}

}  // namespace tfrt::gpu

#include "context.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <utility>
#include <vector>

#include "completion.h"
#include "event_pool.h"
#include "lib/base/tracing/device_observer.h"
#include "module_cache.h"
#include "registered_memory.h"
#include "staging.h"
#include "stream_pool.h"
#include "stream_slots.h"
#include "tfrt/async/async_value.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt::gpu {
namespace {

// A thread that waits asks again and again for so long before it sleeps, which takes about as much.
constexpr std::chrono::microseconds kSpin{50};

}  // namespace

StatusOr<RCReference<Context>> Context::RetainPrimary(const cuda::DriverTable& driver,
                                                      cuda::CUdevice device, Options options) {
  return Make(driver, cuda::Context::RetainPrimary(driver, device), std::move(options));
}

StatusOr<RCReference<Context>> Context::Create(const cuda::DriverTable& driver,
                                               cuda::CUdevice device, Options options) {
  return Make(driver, cuda::Context::Create(driver, device, cuda::CU_CTX_SCHED_AUTO),
              std::move(options));
}

StatusOr<RCReference<Context>> Context::Make(const cuda::DriverTable& driver,
                                             StatusOr<std::unique_ptr<cuda::Context>> native,
                                             Options options) {
  if (!native.ok()) return native.status();
  tracing::NoteDeviceInUse(&internal::command_gate);
  auto context = TakeRef(new Context(driver, *std::move(native), std::move(options)));
  TFRT_RETURN_IF_ERROR(context->Initialize());
  return context;
}

Context::Context(const cuda::DriverTable& driver, std::unique_ptr<cuda::Context> native,
                 Options options)
    : driver_(driver),
      native_(std::move(native)),
      options_(std::move(options)),
      memory_space_(options_.name, /*is_host_readable=*/false),
      events_(std::make_unique<EventPool>(this)),
      streams_(std::make_unique<StreamPool>(this)),
      allocator_(std::make_unique<DeviceAllocator>(this, options_.memory_limit_bytes)),
      pinned_(std::make_unique<PinnedPool>(this)),
      staging_(std::make_unique<Staging>(this)),
      modules_(std::make_unique<ModuleCache>(this)),
      completion_(std::make_unique<Completion>(this)) {}

Status Context::Initialize() {
  auto ask = [&](cuda::CUdevice_attribute attribute, int* value) -> Status {
    return Check(driver_.cuDeviceGetAttribute(value, attribute, device()), "cuDeviceGetAttribute");
  };
  int major = 0, minor = 0, max_pitch_bytes = 0;
  TFRT_RETURN_IF_ERROR(ask(cuda::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &major));
  TFRT_RETURN_IF_ERROR(ask(cuda::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &minor));
  compute_capability_ = 10 * major + minor;
  TFRT_RETURN_IF_ERROR(ask(cuda::CU_DEVICE_ATTRIBUTE_MAX_PITCH, &max_pitch_bytes));
  max_pitch_bytes_ = static_cast<size_t>(max_pitch_bytes);
  return ask(cuda::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
             &max_shared_bytes_per_block_);
}

Status Context::EndOf(Stream& stream) {
  if (IsKnownDone(stream.tail())) return OkStatus();
  (void)native_->MakeCurrent();
  const AwaitScope scope;
  TFRT_RETURN_IF_ERROR(Check(driver_.cuStreamSynchronize(stream.handle()), "cuStreamSynchronize"));
  return stream.CheckEnd();
}

Context::~Context() {
  completion_.reset();  // nobody waits any more
  // A failure here means that the resource was freed already, with the device or with the process.
  cuda::Context::ForgetCurrent();
  (void)native_->MakeCurrent();
  // Enqueued work may still run. On a lost device nothing does. The waits come first, as others may
  // wait for this work, also in destructors like this one: see stream_slots.h.
  for (Stream* stream : streams_->All()) {
    const Status ended = EndOf(*stream);
    if (ended.ok()) {
      internal::NoteEnd(stream->tail());
    } else {
      internal::NoteFailed(stream->id(), ended);
    }
  }
  for (Stream* stream : streams_->All()) internal::CloseStreamSlot(stream->id());
  staging_.reset();  // gives its memory to the pool
  std::vector<Point> uses;
  pinned_->AppendUses(&uses);
  allocator_->AppendUses(&uses);
  modules_->AppendUses(&uses);
  // These are uses by other contexts, as all work of this one has run.
  if (!uses.empty()) internal::AwaitAll(uses);
  (void)native_->MakeCurrent();  // that may have entered them
  parts_.Clear();
  cuda::Context::ForgetCurrent();  // libraries may leave any context current
  (void)native_->MakeCurrent();
  pinned_.reset();
  allocator_.reset();
  modules_.reset();
  streams_.reset();
  events_.reset();
}

StatusOr<RCReference<Stream>> Context::CreateStream(int priority) {
  if (is_lost()) return Unavailable();
  return streams_->Acquire(priority);
}

StatusOr<RCReference<Memory>> Context::Register(void* memory, size_t size_bytes,
                                                TaskFunction release) {
  return RegisteredMemory::Create(this, memory, size_bytes, std::move(release));
}

RCReference<Memory> Context::Borrow(cuda::CUdeviceptr address, size_t size_bytes,
                                    TaskFunction release) {
  return RegisteredMemory::Borrow(this, address, size_bytes, std::move(release));
}

StatusOr<RCReference<Module>> Context::LoadModule(std::string_view image) {
  return modules_->Load(image);
}

Status Context::EnableCopiesFrom(const Context& peer) {
  std::lock_guard lock(peers_mutex_);
  if (std::ranges::find(peers_, peer.handle()) != peers_.end()) return OkStatus();
  TFRT_RETURN_IF_ERROR(EnterAnew());
  int is_possible = 0;
  TFRT_RETURN_IF_ERROR(Check(driver_.cuDeviceCanAccessPeer(&is_possible, device(), peer.device()),
                             "cuDeviceCanAccessPeer"));
  if (is_possible) {
    switch (cuda::CUresult result = driver_.cuCtxEnablePeerAccess(peer.handle(), 0)) {
      case cuda::CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED:  // by another user of the context
      case cuda::CUDA_ERROR_PEER_ACCESS_UNSUPPORTED:
      case cuda::CUDA_ERROR_TOO_MANY_PEERS:  // the hardware has room for no other
        break;
      default:
        TFRT_RETURN_IF_ERROR(Check(result, "cuCtxEnablePeerAccess"));
    }
  }
  peers_.push_back(peer.handle());
  return OkStatus();
}

AsyncValueRef<Chain> Context::WhenDone(Point point, ConcurrentWorkQueue* queue) {
  if (!point || IsKnownDone(point)) return GetReadyChain();
  if (is_lost()) return Unavailable();
  // The threads that wait for the device are not in a forked process.
  if (Status status = native_->CheckProcess(); !status.ok()) return status;
  if (!queue) queue = this->queue();
  if (!queue) return NoQueue();
  Stream* stream = internal::StreamOf(point.stream, this);
  assert(stream && "a point of another context");
  StatusOr<EventRecord*> record = stream->PinRecordBehind(point.number);
  if (!record.ok()) return record.status();
  if (!*record) return GetReadyChain();  // it has been reached meanwhile
  auto done = MakeUnconstructedAsyncValueRef<Chain>();
  completion_->Add(stream, *record, done.CopyRef(), queue->MakeTicket());
  return done;
}

AsyncValueRef<Chain> Context::WhenDoneAnywhere(Point point, ConcurrentWorkQueue* queue) {
  if (internal::StreamOf(point.stream, this)) return WhenDone(point, queue);
  // Its own thread waits for it.
  if (RCReference<Context> other = internal::ContextOf(point.stream)) {
    return other->WhenDone(point, queue);
  }
  if (!queue) return NoQueue();
  auto done = MakeUnconstructedAsyncValueRef<Chain>();
  completion_->AddGoing(point, done.CopyRef(), queue->MakeTicket());
  return done;
}

AsyncValueRef<Chain> Context::WhenWritten(Point point) {
  if (!point || IsKnownDone(point)) return GetReadyChain();
  RCReference<Context> owner =
      internal::StreamOf(point.stream, this) ? FormRef(this) : internal::ContextOf(point.stream);
  // The destructor of its context has begun, and ends soon.
  if (!owner) {
    Status status = internal::AwaitGoing(point);
    return status.ok() ? GetReadyChain() : AsyncValueRef<Chain>(std::move(status));
  }
  AsyncValueRef<Chain> done;
  if (owner->queue()) {
    done = owner->WhenDone(point);
  } else {
    Status status = owner->Wait(point);
    done = status.ok() ? GetReadyChain() : AsyncValueRef<Chain>(std::move(status));
  }
  return done.IsError() && owner->is_lost() ? AsyncValueRef<Chain>(owner->loss()) : done;
}

AsyncValueRef<Chain> Context::WhenUnused(const Memory& memory, ConcurrentWorkQueue* queue) {
  if (!queue) queue = this->queue();
  std::vector<RCReference<AsyncValue>> chains;
  for (Point point : memory.UsesOfBytes()) {
    if (!point || IsKnownDone(point)) continue;
    chains.push_back(WhenDoneAnywhere(point, queue).ReleaseRCRef());
  }
  if (chains.empty()) return GetReadyChain();
  if (chains.size() == 1) return AsyncValueRef<Chain>(std::move(chains[0]));
  std::vector<AsyncValue*> values;
  for (const auto& chain : chains) values.push_back(chain.get());
  auto done = MakeUnconstructedAsyncValueRef<Chain>();
  RunWhenReady(values, [done = done.CopyRef(), chains = std::move(chains)] {
    for (const auto& chain : chains) {
      if (chain->IsError()) return done.SetError(chain->GetError());
    }
    done.emplace();
  });
  return done;
}

Status Context::Wait(Point point) {
  if (!point || IsKnownDone(point)) return OkStatus();
  const AwaitScope scope;
  TFRT_RETURN_IF_ERROR(Enter());
  Stream* stream = internal::StreamOf(point.stream, this);
  assert(stream && "a point of another context");
  TFRT_ASSIGN_OR_RETURN(EventRecord * record, stream->PinRecordBehind(point.number));
  if (!record) return OkStatus();
  std::string_view call = "cuEventQuery";
  auto begin = std::chrono::steady_clock::now();
  cuda::CUresult result;
  do {
    result = Call([&] { return driver_.cuEventQuery(record->event.get()); });
  } while (result == cuda::CUDA_ERROR_NOT_READY &&
           std::chrono::steady_clock::now() - begin < kSpin);
  if (result == cuda::CUDA_ERROR_NOT_READY) {
    call = "cuEventSynchronize";
    result = driver_.cuEventSynchronize(record->event.get());
  }
  Status status = CheckWait(result, call, *stream);
  if (status.ok()) status = stream->NoteDone(*record);
  stream->Unpin(record);
  return status;
}

bool Context::CanTryAgain(cuda::CUresult result) {
  switch (result) {
    case cuda::CUDA_ERROR_OUT_OF_MEMORY:
      return MakeRoom();
    case cuda::CUDA_ERROR_INVALID_CONTEXT:
    case cuda::CUDA_ERROR_CONTEXT_IS_DESTROYED:
      return EnterAnew().ok();
    default:
      return false;
  }
}

bool Context::MakeRoom() {
  // The awaited work may need room itself.
  static thread_local bool is_making_room = false;
  // So may a library that makes the call in a stream, whose end it would wait for.
  if (is_making_room || Stream::IsThreadInCall() || !allocator_->CanTrim()) return false;
  const size_t before = allocator_->statistics().bytes_reserved;
  is_making_room = true;
  const bool is_good = allocator_->Trim().ok();
  is_making_room = false;
  return is_good && allocator_->statistics().bytes_reserved < before;
}

Status Context::Synchronize() {
  for (Stream* stream : streams_->All()) TFRT_RETURN_IF_ERROR(Wait(stream->tail()));
  return OkStatus();
}

}  // namespace tfrt::gpu

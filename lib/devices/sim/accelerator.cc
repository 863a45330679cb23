#include "accelerator.h"

#include "device_state.h"
#include "lib/base/support/logging.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::sim {
namespace {

constexpr const char* kStreamNames[] = {"compute", "h2d", "d2h", "d2d"};
// Blocks that an error names.
constexpr size_t kMaxNamedBlocks = 5;

Status LeakError(const internal::DeviceState& state) {
  const auto& blocks = state.pool.blocks();
  if (blocks.empty()) return OkStatus();
  std::string text = StrCat(state.memory->name(), ": ", blocks.size(),
                            blocks.size() == 1 ? " block is" : " blocks are", " still allocated");
  const char* separator = ": ";
  size_t num_named = 0;
  for (const auto& [offset, block] : blocks) {
    if (++num_named > kMaxNamedBlocks) {
      text += ", ...";
      break;
    }
    text += StrCat(separator, "'", block.name, "' (", block.size_bytes, " bytes)");
    separator = ", ";
  }
  return FailedPreconditionError(text);
}

// `first` with the message of `second` behind its own.
Status Both(const Status& first, const Status& second) {
  if (first.ok() || second.ok()) return first.ok() ? second : first;
  return Status(first.code(), StrCat(first.message(), "; ", second.message()));
}

}  // namespace

StatusOr<std::unique_ptr<Accelerator>> Accelerator::Create(Options options) {
  TFRT_ASSIGN_OR_RETURN(auto memory, Memory::Create(std::move(options.name), options.memory_bytes));
  auto state = std::make_unique<internal::DeviceState>(std::move(memory), options.observer);
  return std::unique_ptr<Accelerator>(new Accelerator(std::move(state), options.delay));
}

Accelerator::Accelerator(std::unique_ptr<internal::DeviceState> state, Delay delay)
    : state_(std::move(state)), delay_(delay) {
  for (size_t i = 0; i < own_streams_.size(); ++i) own_streams_[i] = MakeStream(kStreamNames[i]);
}

Accelerator::~Accelerator() {
  Status status = Close();
  TFRT_LOG_IF(ERROR, !status.ok()) << status.ToString();
}

const Memory& Accelerator::memory() const { return *state_->memory; }

Accelerator::MemoryStatistics Accelerator::memory_statistics() const {
  std::lock_guard lock(state_->pool_mutex);
  const internal::Pool& pool = state_->pool;
  return {pool.blocks().size(), pool.bytes_in_use(), pool.peak_bytes_in_use(),
          pool.num_free_stretches()};
}

std::unique_ptr<Stream> Accelerator::MakeStream(std::string_view name) {
  return std::unique_ptr<Stream>(new Stream(state_.get(), name, num_streams_++, delay_));
}

Stream& Accelerator::AddStream(std::string_view name) {
  std::lock_guard lock(mutex_);
  Stream& stream = *more_streams_.emplace_back(MakeStream(name));
  if (closed_) stream.Close();
  return stream;
}

std::vector<Stream*> Accelerator::streams() {
  std::lock_guard lock(mutex_);
  std::vector<Stream*> streams;
  for (const auto& stream : own_streams_) streams.push_back(stream.get());
  for (const auto& stream : more_streams_) streams.push_back(stream.get());
  return streams;
}

Status Accelerator::Synchronize() {
  std::vector<Event> events;
  for (Stream* stream : streams()) events.push_back(stream->Record());
  Status first;
  for (const Event& event : events) {
    Status status = event.Wait();
    if (first.ok()) first = std::move(status);
  }
  return first;
}

Status Accelerator::Close() {
  {
    std::lock_guard lock(mutex_);
    if (std::exchange(closed_, true)) return OkStatus();
  }
  // First that none is closed while operations of another still enqueue.
  Status status = Synchronize();
  for (Stream* stream : streams()) {
    stream->Close();
    if (status.ok()) status = stream->status();
  }
  std::lock_guard lock(state_->pool_mutex);
  return Both(status, LeakError(*state_));
}

}  // namespace tfrt::sim

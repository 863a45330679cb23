#include "tfrt/tracing/session.h"

#include <algorithm>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "chunks.h"
#include "gates.h"
#include "record_types.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::tracing {

namespace {

constinit std::mutex session_mutex;
constinit bool session_exists = false;   // under the mutex
constinit uint32_t last_generation = 0;  // under the mutex

Span ToSpan(const Record& record, uint32_t thread, const ClockMap& clock) {
  Span span;
  span.id = record.id;
  span.parent_id = record.parent_id;
  span.op_id = record.op_id;
  span.correlation_id = record.correlation_id;
  span.type = record.type;
  span.name = record.name.text();
  span.begin_ns = clock.ToNanoseconds(record.begin);
  span.end_ns = clock.ToNanoseconds(record.end);
  if (record.ready != 0) span.ready_ns = clock.ToNanoseconds(record.ready);
  span.thread = thread;
  span.arguments = record.arguments;
  return span;
}

// Null if the type has no such argument.
const uint64_t* FindArgument(const Span& span, std::string_view name, ArgumentSpec::Type type) {
  for (size_t i = 0; i < kMaxArguments; ++i) {
    const ArgumentSpec& spec = span.type->arguments[i];
    if (spec.type == type && spec.name == name) return &span.arguments[i];
  }
  return nullptr;
}

}  // namespace

int64_t Span::Integer(std::string_view argument) const {
  const uint64_t* bits = FindArgument(*this, argument, ArgumentSpec::Type::kInteger);
  return bits ? static_cast<int64_t>(*bits) : 0;
}

double Span::Real(std::string_view argument) const {
  const uint64_t* bits = FindArgument(*this, argument, ArgumentSpec::Type::kReal);
  return bits ? std::bit_cast<double>(*bits) : 0;
}

std::string_view Span::Text(std::string_view argument) const {
  const uint64_t* bits = FindArgument(*this, argument, ArgumentSpec::Type::kName);
  return bits ? Name::FromBits(*bits).text() : std::string_view();
}

std::string Span::ToString() const {
  if (!type->text) return std::string(name);
  return type->text({*type, name, op_id, arguments, nullptr});
}

const Span* Profile::Find(uint64_t id) const {
  auto found = std::ranges::find(spans, id, &Span::id);
  return found == spans.end() ? nullptr : &*found;
}

std::vector<const Span*> Profile::OfType(std::string_view type_name) const {
  std::vector<const Span*> found;
  for (const Span& span : spans) {
    if (span.type->name == type_name) found.push_back(&span);
  }
  return found;
}

StatusOr<std::unique_ptr<Session>> Session::Start(const SessionOptions& options) {
  if (!kRecordsExist) {
    return UnimplementedError("no records: built with TFRT_MAX_TRACING_LEVEL=none");
  }
  size_t num_chunks = options.buffer_bytes / internal::kChunkBytes;
  if (num_chunks == 0 || num_chunks > internal::kMaxChunks) {
    return InvalidArgumentError(StrCat("a buffer of ", options.buffer_bytes,
                                       " bytes for records; it may have ", internal::kChunkBytes,
                                       " to ", internal::kMaxChunks * internal::kChunkBytes));
  }
  std::lock_guard lock(session_mutex);
  if (session_exists) {
    return FailedPreconditionError("there is another tracing session in this process");
  }
  (void)CalibrateClock();
  if (++last_generation == 0) ++last_generation;  // 0 means none
  TFRT_RETURN_IF_ERROR(internal::chunk_pool.Begin(num_chunks, last_generation));
  session_exists = true;
  internal::SetSessionGate(
      internal::SessionGate{options.max_level, options.queue_events, options.details});
  return std::unique_ptr<Session>(new Session(last_generation));
}

Session::~Session() {
  Stop();
  std::lock_guard lock(session_mutex);
  internal::chunk_pool.End();
  session_exists = false;
}

void Session::Stop() {
  // relaxed: one thread at a time stops.
  if (stopped_.load(std::memory_order_relaxed)) return;
  internal::SetSessionGate(std::nullopt);
  internal::chunk_pool.Stop();
  clock_ = CalibrateClock();
  // release: readers that see it see the clock.
  stopped_.store(true, std::memory_order_release);
}

Profile Session::Read() const {
  ClockMap clock = stopped_.load(std::memory_order_acquire) ? clock_ : CalibrateClock();
  Profile profile;
  std::unordered_map<uint64_t, Ticks> ready;  // by record
  const internal::ChunkPool& pool = internal::chunk_pool;
  for (size_t i = 0; i < pool.num_slots(); ++i) {
    bool held;
    const internal::Chunk* chunk = pool.ChunkOf(i, generation_, &held);
    if (!chunk) continue;
    const uint32_t thread = chunk->header.thread_number;
    profile.threads.push_back({thread, chunk->header.thread_id});
    // acquire: sees the records.
    uint32_t count = chunk->header.count.load(std::memory_order_acquire);
    for (uint32_t r = 0; r < count; ++r) {
      const Record& record = chunk->records[r];
      if (record.type == &internal::kReadyType) {
        // The last of several results counts.
        Ticks& latest = ready[record.correlation_id];
        latest = std::max(latest, record.begin);
      } else {
        profile.spans.push_back(ToSpan(record, thread, clock));
      }
    }
  }
  for (Span& span : profile.spans) {
    auto found = ready.find(span.id);
    if (span.ready_ns == 0 && found != ready.end()) {
      span.ready_ns = clock.ToNanoseconds(found->second);
    }
  }
  // By begin; what begins at the same time, the outer ones first.
  std::ranges::sort(profile.spans, [](const Span& a, const Span& b) {
    if (a.begin_ns != b.begin_ns) return a.begin_ns < b.begin_ns;
    return a.end_ns != b.end_ns ? a.end_ns > b.end_ns : a.id < b.id;
  });
  std::ranges::sort(profile.threads, {}, &ProfileThread::number);
  auto same = std::ranges::unique(profile.threads, {}, &ProfileThread::number);
  profile.threads.erase(same.begin(), same.end());
  profile.num_dropped = pool.num_dropped();
  return profile;
}

void Session::Drain(const DrainedRecords& records) {
  struct InUse {
    const internal::Chunk* chunk;
    size_t slot;
    bool is_held;
  };
  internal::ChunkPool& pool = internal::chunk_pool;
  auto for_each_in_use = [&](auto visit) {
    for (size_t i = 0; i < pool.num_slots(); ++i) {
      bool is_held;
      const internal::Chunk* chunk = pool.ChunkOf(i, generation_, &is_held);
      if (chunk) visit(InUse{chunk, i, is_held});
    }
  };
  // Goes over the chunks twice: the records of a thread must come in order. The first time may find
  // a thread's chunk and miss one that it had before. Chunks that come meanwhile are left for the
  // next call.
  std::unordered_map<uint32_t, uint64_t> newest;  // chunk, by thread
  for_each_in_use([&](const InUse& used) {
    uint64_t& number = newest[used.chunk->header.thread_number];
    number = std::max(number, used.chunk->header.number);
  });
  std::vector<InUse> in_use;
  for_each_in_use([&](const InUse& used) {
    auto found = newest.find(used.chunk->header.thread_number);
    if (found != newest.end() && used.chunk->header.number <= found->second) {
      in_use.push_back(used);
    }
  });
  std::ranges::sort(in_use, {}, [](const InUse& used) {
    return std::pair(used.chunk->header.thread_number, used.chunk->header.number);
  });
  for (const InUse& used : in_use) {
    const internal::Chunk::Header& header = used.chunk->header;
    // acquire: sees the records.
    const uint32_t count = header.count.load(std::memory_order_acquire);
    uint32_t& num_read = pool.slot(used.slot).num_read;
    if (count > num_read) {
      records({used.chunk->records + num_read, count - num_read},
              {header.thread_number, header.thread_id});
      num_read = count;
    }
    if (!used.is_held) pool.Recycle(used.slot);
  }
}

uint64_t Session::num_dropped() const { return internal::chunk_pool.num_dropped(); }

bool IsReadyRecord(const Record& record) { return record.type == &internal::kReadyType; }

}  // namespace tfrt::tracing

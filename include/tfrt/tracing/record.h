// Records: what ran, when, and on whose behalf. Code marks a scope or an event of a record type.
// While a Session (session.h) records, each becomes a Record, and sinks (tracing.h) receive its
// text. With neither, a scope costs a comparison and a branch at its begin and at its end. Builds
// with TFRT_MAX_TRACING_LEVEL=none contain no records at all.
#ifndef TFRT_TRACING_RECORD_H_
#define TFRT_TRACING_RECORD_H_

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "tfrt/tracing/clock.h"
#include "tfrt/tracing/level.h"
#include "tfrt/tracing/name.h"

namespace tfrt::tracing {

inline constexpr bool kRecordsExist = kMaxLevel > Level::kNone;

// The part of the system that a record is about, from the whole to its parts.
enum class StackLevel : uint8_t { kModel = 0, kOp, kKernel, kLibrary, kDevice };

enum class RecordKind : uint8_t {
  kNone,        // never recorded
  kScope,       // work that ran
  kEvent,       // a moment: begin, end and ready time are equal
  kCopy,        // elements were moved from one memory to another
  kStall,       // a thread waited for a value
  kAllocation,  // memory was requested
  kQueue,       // of a work queue: see queue_records.h
};

inline constexpr size_t kMaxArguments = 4;

struct ArgumentSpec {
  enum class Type : uint8_t { kNone, kInteger, kReal, kName };
  std::string_view name = {};
  Type type = Type::kNone;
};

struct RecordType;

// The data for the text of a record, for sinks. Valid during the call.
struct RecordText {
  const RecordType& type;
  std::string_view name;
  uint64_t op_id;
  const std::array<uint64_t, kMaxArguments>& arguments;
  const void* extra;  // RecordLinks::extra

  std::string_view NameArgument(size_t index) const {
    return Name::FromBits(arguments[index]).text();
  }
};

// The common properties of records of one kind. Constant; lives until the process ends.
struct RecordType {
  std::string_view name;  // "kernel"
  StackLevel level;
  RecordKind kind = RecordKind::kScope;
  // Each scope is a call of an op. It gets a new op id unless one is given.
  bool is_op = false;
  // The scope is a part of an op that takes little longer than its record. Only sinks and sessions
  // that request details receive it. Events of queues are not details.
  bool is_detail = false;
  // The event reports an action that the thread takes next and that others see then. Its time is
  // also correct while loads before it are in flight. Waiting for them would cost a reading of the
  // clock.
  bool is_before_effect = false;
  // The level from which on sinks receive it; kNone: never.
  Level sink_level = Level::kNone;
  // Makes the text that sinks receive; null: the record's name.
  std::string (*text)(const RecordText&) = nullptr;
  std::array<ArgumentSpec, kMaxArguments> arguments = {};
};

// A record of 104 bytes, written once by one thread.
struct Record {
  const RecordType* type;
  Name name;
  uint64_t id;              // unique in this process
  uint64_t parent_id;       // the record inside of which it was made; 0: none
  uint64_t op_id;           // the call of an op that it belongs to; 0: none
  uint64_t correlation_id;  // equal in records that belong together; 0: none
  Ticks begin;
  Ticks end;
  Ticks ready;  // when its results became available; 0: not when it ended
  std::array<uint64_t, kMaxArguments> arguments;
};
static_assert(sizeof(Record) == 104);

// The current work of a thread: the innermost scope that is being recorded. Tasks and waiters made
// meanwhile carry it along.
struct RecordContext {
  uint64_t record_id = 0;
  uint64_t op_id = 0;
  uint32_t generation = 0;  // of the session
};
RecordContext CurrentContext();

// Makes a context the thread's own for the object's lifetime. Does nothing if its session has
// ended.
class ContextScope {
 public:
  explicit ContextScope(const RecordContext& context);
  ContextScope(const ContextScope&) = delete;
  ContextScope& operator=(const ContextScope&) = delete;
  ~ContextScope();

 private:
  RecordContext outer_;
};

// Links a record to others.
struct RecordLinks {
  uint64_t op_id = 0;  // 0: that of the enclosing record, or a new one (RecordType::is_op)
  uint64_t correlation_id = 0;
  // Passed back to the type's text function. Not recorded.
  const void* extra = nullptr;
};

namespace internal {

// Whether records are wanted: per stack level, and per sink level within it. Queue events and
// details have separate rows.
inline constexpr size_t kQueueRow = static_cast<size_t>(StackLevel::kDevice) + 1;
inline constexpr size_t kDetailRow = kQueueRow + 1;
inline constexpr size_t kNumRows = kDetailRow + 1;
inline constexpr uint8_t kForSinks = 1;
inline constexpr uint8_t kForSession = 2;
extern std::atomic<uint8_t> gates[kNumRows][static_cast<size_t>(Level::kDebug) + 1];
// Whether any sink or session exists, and whether a session exists.
extern std::atomic<uint8_t> any_gate;
extern std::atomic<uint8_t> session_gate;

// Returns whether a gate is open: a comparison and a branch. relaxed: a session or a sink may be
// noticed a few records late.
[[gnu::always_inline]] inline bool IsOpen(const std::atomic<uint8_t>& gate) {
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
  // GCC compiles an atomic load and a branch to three or four instructions.
  asm goto("cmpb $0, %0\n\tjne %l[open]" : : "m"(gate) : "cc" : open);
  return false;
open:
  return true;
#else
  return gate.load(std::memory_order_relaxed) != 0;
#endif
}

// The number of the session that records; 0 if none does. No two sessions share a number.
extern std::atomic<uint32_t> recording_generation;

constexpr size_t RowOf(const RecordType& type) {
  if (type.kind == RecordKind::kQueue) return kQueueRow;
  return type.is_detail ? kDetailRow : static_cast<size_t>(type.level);
}

[[gnu::always_inline]] inline const std::atomic<uint8_t>& GateOf(const RecordType& type) {
  return gates[RowOf(type)][static_cast<size_t>(type.sink_level)];
}

// A text that may be interned already.
class AnyName {
 public:
  AnyName(std::string_view text) : text_(text) {}    // NOLINT: implicit by design
  AnyName(const char* text) : text_(text) {}         // NOLINT
  AnyName(const std::string& text) : text_(text) {}  // NOLINT
  AnyName(Name name) : name_(name) {}                // NOLINT

  std::string_view text() const { return name_ ? name_.text() : text_; }
  Name interned() const { return name_ ? name_ : InternName(text_); }

 private:
  Name name_ = {};  // the default: not interned yet
  std::string_view text_ = {};
};

inline uint64_t ArgumentBits(Name name) { return name.bits(); }
inline uint64_t ArgumentBits(std::string_view text) { return InternName(text).bits(); }
inline uint64_t ArgumentBits(const char* text) { return InternName(text).bits(); }
inline uint64_t ArgumentBits(double value) { return std::bit_cast<uint64_t>(value); }
template <typename T>
  requires std::is_integral_v<T>
uint64_t ArgumentBits(T value) {
  return static_cast<uint64_t>(value);
}
template <typename F>
  requires std::is_invocable_v<const F&>
uint64_t ArgumentBits(const F& argument) {
  return ArgumentBits(argument());
}

void WriteEvent(const RecordType& type, const AnyName& name, RecordLinks links,
                const std::array<uint64_t, kMaxArguments>& arguments);

}  // namespace internal

// Returns whether records of the type are received now.
[[gnu::always_inline]] inline bool IsActive(const RecordType& type) {
  if (!kRecordsExist || type.kind == RecordKind::kNone) return false;
  return internal::IsOpen(internal::GateOf(type));
}
// Returns whether any records, of whatever type, may be received.
[[gnu::always_inline]] inline bool IsAnythingActive() {
  return kRecordsExist && internal::IsOpen(internal::any_gate);
}
// Returns whether a session records now, whatever its level. If so, tasks carry contexts.
[[gnu::always_inline]] inline bool IsRecording() {
  return kRecordsExist && internal::IsOpen(internal::session_gate);
}

// A record from construction to destruction, on one thread; scopes of a thread nest. The `name` is
// a Name, a text, or a callable that returns one. The callable runs only if the record is received.
// The `arguments` are those of the type, in its order. Each is an integer, a real, a name or a
// text, or a callable that returns one. Recording takes no lock and no memory if all texts were
// interned before (InternName).
class RecordScope {
 public:
  template <typename N, typename... Arguments>
  [[gnu::always_inline]] RecordScope(const RecordType& type, const N& name, RecordLinks links,
                                     const Arguments&... arguments)
      : wanted_(0) {
    if constexpr (kRecordsExist) {
      if (IsActive(type)) [[unlikely]]
        Open(type, name, links, arguments...);
    }
  }
  template <typename N>
  [[gnu::always_inline]] RecordScope(const RecordType& type, const N& name)
      : RecordScope(type, name, RecordLinks()) {}
  RecordScope(const RecordScope&) = delete;
  RecordScope& operator=(const RecordScope&) = delete;
  [[gnu::always_inline]] ~RecordScope() { End(); }

  // Ends the record before the object is destroyed.
  [[gnu::always_inline]] void End() {
    if constexpr (kRecordsExist) {
      if (wanted_ != 0) [[unlikely]]
        Close();
    }
  }
  // Discards the record, because the work turned out to be something else. Sinks have already
  // received a scope.
  void Drop();

  // Returns the id of the record if a session receives it; otherwise 0. For RecordReady.
  uint64_t id() const { return (wanted_ & internal::kForSession) != 0 ? record_.id : 0; }
  // Marks the results as not available when the record ends. RecordReady reports them later.
  void SetReadyLater() { is_ready_later_ = true; }

 private:
  // Inline, so that data needed only by a record are made after the branch.
  template <typename N, typename... Arguments>
  [[gnu::always_inline]] void Open(const RecordType& type, const N& name, RecordLinks links,
                                   const Arguments&... arguments) {
    static_assert(sizeof...(arguments) <= kMaxArguments);
    wanted_ = internal::GateOf(type).load(std::memory_order_relaxed);
    if (wanted_ == 0) return;  // closed meanwhile
    record_.arguments = {internal::ArgumentBits(arguments)...};
    if constexpr (std::is_invocable_v<const N&>) {
      // The name's text lives until Begin has used it.
      decltype(auto) made = name();
      Begin(type, made, links);
    } else {
      Begin(type, name, links);
    }
  }
  void Begin(const RecordType& type, const internal::AnyName& name, RecordLinks links);
  void Close();
  void CloseForSinks();

  uint8_t wanted_;
  // The fields below are set only if the record is received.
  bool is_ready_later_;
  uint32_t generation_;
  uint64_t sink_serial_;  // sinks that were added later have not received its begin
  union {                 // not set by their constructors either
    RecordContext outer_;
  };
  union {
    Record record_;
  };
};

// Records a moment. `name` and `arguments` are as for RecordScope.
template <typename N, typename... Arguments>
[[gnu::always_inline]] inline void RecordEvent(const RecordType& type, const N& name,
                                               RecordLinks links, const Arguments&... arguments) {
  if constexpr (kRecordsExist) {
    static_assert(sizeof...(arguments) <= kMaxArguments);
    if (!IsActive(type)) [[likely]]
      return;
    if constexpr (std::is_invocable_v<const N&>) {
      internal::WriteEvent(type, name(), links, {internal::ArgumentBits(arguments)...});
    } else {
      internal::WriteEvent(type, name, links, {internal::ArgumentBits(arguments)...});
    }
  }
}

// Records that the results of record `id`, which has ended or will end, are available now. Called
// before other threads can see that. Does nothing if `id` is 0. Any thread may call it.
void RecordReady(uint64_t id);

// Returns a number for RecordLinks, from 1. Each number is returned once in this process.
uint64_t NewOpId();
uint64_t NewCorrelationId();

}  // namespace tfrt::tracing

#endif  // TFRT_TRACING_RECORD_H_

// ProfileConsumer: a profile as a stream. Producers of profiles (a session, the reader of a file)
// pass them to a consumer, piece by piece. Receivers of profiles (the writer of a file, the builder
// of a Profile) are consumers. So each format is read and written in memory that does not grow with
// the profile.
#ifndef TFRT_PROFILER_PROFILE_CONSUMER_H_
#define TFRT_PROFILER_PROFILE_CONSUMER_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tfrt/support/status.h"
#include "tfrt/tracing/record.h"

namespace tfrt::profiler {

using tracing::RecordKind;
using tracing::StackLevel;
using ArgumentType = tracing::ArgumentSpec::Type;

// Numbers of the texts, types and tracks of a stream: from 0, without gaps, in the order of the
// calls that add them.
using StringId = uint32_t;
using TypeId = uint32_t;
using TrackId = uint32_t;

// The common properties of events of one kind; for the project's own events, their
// tracing::RecordType.
struct EventType {
  struct Argument {
    std::string name;
    ArgumentType type = ArgumentType::kInteger;
    friend bool operator==(const Argument&, const Argument&) = default;
  };

  std::string name;  // "kernel"
  StackLevel level = StackLevel::kModel;
  RecordKind kind = RecordKind::kScope;
  bool is_op = false;  // each event is a call of an op
  std::vector<Argument> arguments;
  friend bool operator==(const EventType&, const EventType&) = default;
};
// The largest number of arguments of an event.
inline constexpr size_t kMaxEventArguments = 16;

// Holds events that lie one after the other or inside of each other.
struct Track {
  enum class Kind : uint8_t { kThread, kStream };
  Kind kind = Kind::kThread;
  std::string name;        // empty: none was given
  int64_t process_id = 0;  // of the system; for streams, the device's number
  int64_t number = 0;      // for a thread, the system's; for a stream, the device's
};

// Work that ran, or a moment (begin_ns == end_ns). Times are nanoseconds of one clock with an
// arbitrary zero.
struct EventFields {
  TypeId type = 0;
  StringId name = 0;
  TrackId track = 0;
  uint64_t id = 0;              // unique in the profile; 0: it has none
  uint64_t parent_id = 0;       // the event inside of which it was made; 0: unknown
  uint64_t op_id = 0;           // the call of an op that it belongs to; 0: none
  uint64_t correlation_id = 0;  // equal in events that belong together; 0: none
  int64_t begin_ns = 0;
  int64_t end_ns = 0;
  // When its results became available: at its end, at another time, or at the time of AddReady.
  enum class Ready : uint8_t { kAtEnd, kAt, kLater } ready = Ready::kAtEnd;
  int64_t ready_ns = 0;  // Ready::kAt
  // One for each argument of the type: integers as int64_t, reals as the bits of a double, names as
  // a StringId. Valid during the call.
  std::span<const uint64_t> arguments;
};

// A reason why a profile is incomplete. Dependent figures report it.
struct Problem {
  enum class Kind : uint8_t {
    kDropped,      // `count` events did not fit
    kTruncated,    // the file ends in the middle
    kUnfinished,   // the program did not stop the session
    kUnreadable,   // a part of the file is malformed
    kUnknown,      // a part is of a newer version, or of a kind that is not read
    kNoParent,     // `count` events are inside of a missing one
    kClock,        // `count` events end before they begin, or times jump
    kOverlap,      // `count` events of one track overlap without being inside of each other
    kUnavailable,  // a source had no data: "no driver"
  };
  Kind kind = Kind::kUnreadable;
  uint64_t count = 0;  // 0: not a matter of numbers
  std::string text;    // "3 records found no room in 64 MiB: ask for more with --buffer"
  friend bool operator==(const Problem&, const Problem&) = default;
};

// Receives a profile. Strings, types and tracks come before the events that use them, properties
// and problems at any time, events in any order. One thread at a time.
class ProfileConsumer {
 public:
  ProfileConsumer() = default;
  ProfileConsumer(const ProfileConsumer&) = delete;
  ProfileConsumer& operator=(const ProfileConsumer&) = delete;
  virtual ~ProfileConsumer() = default;

  // Adds a fact about the whole profile. A repeated key takes its last value. Known keys: see
  // profile_properties.h.
  virtual void AddProperty(std::string_view key, std::string_view value) = 0;
  // Add the next StringId, TypeId, TrackId.
  virtual void AddString(std::string_view text) = 0;
  virtual void AddType(const EventType& type) = 0;
  virtual void AddTrack(const Track& track) = 0;
  virtual void AddEvent(const EventFields& event) = 0;
  // Reports that the results of event `id`, before or after it in the stream, became available at
  // this time. The last of several times counts.
  virtual void AddReady(uint64_t id, int64_t ready_ns) = 0;
  virtual void AddProblem(const Problem& problem) = 0;
  // Makes all data received until now durable, even if the program is killed: for writers of files.
  virtual void Flush() {}
  // Ends the profile. Returns the first error, which the functions above do not report; after an
  // error they do nothing.
  virtual Status Finish() = 0;
};

// Passes all data to another consumer: a base for consumers that change some of them.
class ForwardingConsumer : public ProfileConsumer {
 public:
  // `to` is borrowed.
  explicit ForwardingConsumer(ProfileConsumer* to) : to_(*to) {}
  void AddProperty(std::string_view key, std::string_view value) override {
    to_.AddProperty(key, value);
  }
  void AddString(std::string_view text) override { to_.AddString(text); }
  void AddType(const EventType& type) override { to_.AddType(type); }
  void AddTrack(const Track& track) override { to_.AddTrack(track); }
  void AddEvent(const EventFields& event) override { to_.AddEvent(event); }
  void AddReady(uint64_t id, int64_t ready_ns) override { to_.AddReady(id, ready_ns); }
  void AddProblem(const Problem& problem) override { to_.AddProblem(problem); }
  void Flush() override { to_.Flush(); }
  Status Finish() override { return to_.Finish(); }

 private:
  ProfileConsumer& to_;
};

}  // namespace tfrt::profiler

#endif  // TFRT_PROFILER_PROFILE_CONSUMER_H_

#include "scope_probe.h"

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <utility>

#include "chunks.h"
#include "gates.h"

namespace tfrt::tracing {
namespace {

// release and acquire: who sees the probe sees what it is made of.
constinit std::atomic<ScopeProbe*> current_probe{nullptr};

// A scope that the probe was asked about, and that has not ended.
struct OpenScope {
  uint64_t id;
  ProbeSample begin;
};

// Those of a thread, the innermost last, all of one session.
struct OpenScopes {
  std::array<OpenScope, kMaxProbedScopes> scopes;
  size_t count = 0;
  uint32_t generation = 0;
};

// Memory of its own, from the thread's first probed scope to its end: a library that a running
// program opens has only some hundred bytes for all that its threads have.
thread_local constinit OpenScopes* open_scopes = nullptr;
// Destructors of other thread-local objects that run later may still record.
thread_local constinit bool has_ended = false;
struct OpenScopesOwner {
  OpenScopesOwner() { open_scopes = new OpenScopes; }
  ~OpenScopesOwner() {
    delete std::exchange(open_scopes, nullptr);
    has_ended = true;
  }
};

// The thread's. Null: it ends.
OpenScopes* MakeOpenScopes() {
  if (has_ended) return nullptr;
  thread_local OpenScopesOwner owner;
  return open_scopes;
}

// Takes the scope off, and what has been left on top of it. Null: it is not there.
const OpenScope* TakeOff(uint64_t id, uint32_t generation) {
  OpenScopes* open = open_scopes;
  if (!open || open->generation != generation) return nullptr;
  for (size_t i = open->count; i > 0; --i) {
    if (open->scopes[i - 1].id != id) continue;
    open->count = i - 1;
    return &open->scopes[i - 1];
  }
  return nullptr;
}

// A fork has neither the session's thread nor counters of its own. All that it may do is this: what
// other threads held locked is locked for ever there.
void LeaveFork() { current_probe.store(nullptr, std::memory_order_relaxed); }

}  // namespace

void SetScopeProbe(ScopeProbe* probe) {
  if (!probe) internal::SetProbeGate(false);
  current_probe.store(probe, std::memory_order_release);
  if (!probe) return;
  static const int registered = pthread_atfork(nullptr, nullptr, &LeaveFork);
  (void)registered;
  internal::SetProbeGate(true);
}

void internal::BeginProbe(const Record& scope, uint32_t generation) {
  if (scope.type->kind != RecordKind::kScope) return;
  ScopeProbe* probe = current_probe.load(std::memory_order_acquire);
  if (!probe) return;
  OpenScopes* open = open_scopes ? open_scopes : MakeOpenScopes();
  if (!open) return;
  if (open->generation != generation) {
    open->generation = generation;
    open->count = 0;
  }
  if (open->count == kMaxProbedScopes) return;
  OpenScope& added = open->scopes[open->count];
  added.id = scope.id;
  if (probe->Read(&added.begin)) ++open->count;
}

void internal::EndProbe(const Record& scope, uint32_t generation, Ticks end) {
  const OpenScope* begun = TakeOff(scope.id, generation);
  ScopeProbe* probe = current_probe.load(std::memory_order_acquire);
  // relaxed: as with gates.
  if (!begun || !probe || recording_generation.load(std::memory_order_relaxed) != generation)
    return;
  ProbeSample sample;
  if (!probe->Read(&sample) || sample.source != begun->begin.source) return;
  std::array<ProbeRecord, kMaxProbeRecords> told;
  const size_t count = probe->Compare(begun->begin, sample, told);
  for (size_t i = 0; i < count && i < told.size(); ++i) {
    Record* written = RoomForRecord(generation);
    if (!written) return;
    *written = {.type = told[i].type,
                .name = scope.name,
                .id = NextRecordId(),
                .parent_id = scope.id,
                .op_id = scope.op_id,
                .correlation_id = 0,
                .begin = end,
                .end = end,
                .ready = end,
                .arguments = told[i].arguments};
    PublishRecord();
  }
}

void internal::DropProbe(const Record& scope, uint32_t generation) {
  (void)TakeOff(scope.id, generation);
}

}  // namespace tfrt::tracing

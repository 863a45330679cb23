// Records of scopes that are over: less work than a RecordScope (record.h), for what takes hardly
// longer than to record it.
#ifndef TFRT_TRACING_PAST_SCOPE_H_
#define TFRT_TRACING_PAST_SCOPE_H_

#include <cstdint>

#include "tfrt/tracing/clock.h"
#include "tfrt/tracing/name.h"
#include "tfrt/tracing/record.h"

namespace tfrt::tracing {

struct PastScope {
  Name name;
  uint64_t op_id = 0;      // 0: that of the record around
  uint64_t parent_id = 0;  // 0: the record around
  Ticks begin;             // both read with Now() by this thread
  Ticks end;
  Name argument = {};  // the type's first one
};

// Records a scope in which no other record has been made but past ones. Sinks are not told of it.
// Returns its id, as a parent_id; 0: no session wants it. Any thread.
uint64_t RecordPastScope(const RecordType& type, const PastScope& scope);

}  // namespace tfrt::tracing

#endif  // TFRT_TRACING_PAST_SCOPE_H_

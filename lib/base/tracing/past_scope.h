// Records scopes that are over. Costs less than a RecordScope (record.h), for work that takes
// hardly longer than its record.
#ifndef TFRT_LIB_BASE_TRACING_PAST_SCOPE_H_
#define TFRT_LIB_BASE_TRACING_PAST_SCOPE_H_

#include <cstdint>

#include "tfrt/tracing/clock.h"
#include "tfrt/tracing/name.h"
#include "tfrt/tracing/record.h"

namespace tfrt::tracing {

struct PastScope {
  Name name;
  uint64_t op_id = 0;      // 0: that of the enclosing record
  uint64_t parent_id = 0;  // 0: the enclosing record
  Ticks begin;             // both read with Now() by this thread
  Ticks end;
  Name argument = {};  // the first argument of the type
};

// Records a scope in which no records were made except past ones. Sinks do not receive it. Returns
// its id, for use as a parent_id, or 0 if no session records it. Any thread may call it.
uint64_t RecordPastScope(const RecordType& type, const PastScope& scope);

}  // namespace tfrt::tracing

#endif  // TFRT_LIB_BASE_TRACING_PAST_SCOPE_H_

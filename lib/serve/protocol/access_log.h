// Lines of the server's log: one JSON object each.
#ifndef TFRT_LIB_SERVE_PROTOCOL_ACCESS_LOG_H_
#define TFRT_LIB_SERVE_PROTOCOL_ACCESS_LOG_H_

#include <string>
#include <string_view>

#include "lib/serve/http/server.h"
#include "lib/serve/models/call_access.h"

namespace tfrt::serve {

// Returns the line for an answered request, with a newline: time, method, target, status, request
// id, trace, microseconds and bytes.
std::string AccessLine(const http::Access& access);

// Returns the line for an answered call of gRPC. It has the same members, the status being that of
// an equal answer over HTTP, and the model, its version and the code.
std::string CallLine(const CallAccess& access);

// Returns the line for an event of the server, with a newline. `severity` is "info" or "error".
std::string EventLine(std::string_view severity, std::string_view message);

// Returns the trace of a W3C traceparent, 32 hexadecimal digits; empty if it is malformed.
std::string_view TraceOf(std::string_view trace_parent);

}  // namespace tfrt::serve

#endif  // TFRT_LIB_SERVE_PROTOCOL_ACCESS_LOG_H_

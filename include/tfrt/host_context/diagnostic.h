// The data that a diagnostic handler receives.
#ifndef TFRT_HOST_CONTEXT_DIAGNOSTIC_H_
#define TFRT_HOST_CONTEXT_DIAGNOSTIC_H_

#include <functional>

#include "tfrt/support/location.h"
#include "tfrt/support/status.h"

namespace tfrt {

struct DecodedDiagnostic {
  DecodedLocation location;
  Status status;
};

// Called for every reported error, by any thread, concurrently. If it throws, the program ends
// (std::terminate).
using DiagnosticHandler = std::function<void(const DecodedDiagnostic&)>;

}  // namespace tfrt

#endif  // TFRT_HOST_CONTEXT_DIAGNOSTIC_H_

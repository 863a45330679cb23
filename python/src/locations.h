// The places of calls in Python, as the runtime's locations.
#ifndef TFRT_PYTHON_LOCATIONS_H_
#define TFRT_PYTHON_LOCATIONS_H_

#include "tfrt/support/location.h"

namespace tfrt::python {

// The line that calls into the package: that of the innermost frame outside of it. With the lock.
Location CallerLocation();

// Frames of files in this folder are passed over.
void SetPackageFolder(const char* folder);
// Drops the cached locations of code that ran. Locations that were handed out stay valid.
void ClearLocations();
// In the child after a fork.
void ReplaceLocations();

}  // namespace tfrt::python

#endif  // TFRT_PYTHON_LOCATIONS_H_

// libtfrt_compiler.so: all of it comes from the library tfrt_compiler_service, whose one function
// the linker is told to keep.

#include "lib/format/traced_graph/compiler_service.h"

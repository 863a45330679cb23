// Words for the enumerations of a profile, the same in all texts.
#ifndef TFRT_LIB_PROFILER_KIND_NAMES_H_
#define TFRT_LIB_PROFILER_KIND_NAMES_H_

#include <string_view>

#include "tfrt/profiler/profile_consumer.h"

namespace tfrt::profiler {

std::string_view NameOf(StackLevel level);    // "kernel"
std::string_view NameOf(RecordKind kind);     // "scope"
std::string_view NameOf(ArgumentType type);   // "integer"
std::string_view NameOf(Problem::Kind kind);  // "truncated"
std::string_view NameOf(Track::Kind kind);    // "thread"

// Return false if the name is none of the words above.
bool ParseName(std::string_view name, StackLevel* level);
bool ParseName(std::string_view name, RecordKind* kind);
bool ParseName(std::string_view name, ArgumentType* type);
bool ParseName(std::string_view name, Problem::Kind* kind);
bool ParseName(std::string_view name, Track::Kind* kind);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_KIND_NAMES_H_

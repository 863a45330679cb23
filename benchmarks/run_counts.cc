// tfrt_benchmark_counts: instructions and allocations of one run of a case, which are the same on
// every machine of one kind.
//   tfrt_benchmark_counts --list           names, units and floors of deterministic cases, as JSON
//   tfrt_benchmark_counts --allocations    allocations of one run per case, as JSON
//   valgrind --tool=callgrind --collect-atstart=no tfrt_benchmark_counts NAME...
// Under callgrind each case's run is followed by a dump whose trigger is the case's name.
#include <valgrind/callgrind.h>

#include <cstdio>
#include <cstring>

#include "case.h"

namespace tfrt::bench {
namespace {

// Two runs first: caches of the allocator and lazily made tables are then in place.
std::function<void()> PrepareWarm(const Case& item) {
  std::function<void()> run = item.prepare();
  run();
  run();
  return run;
}

void PrintList(const Cases& cases) {
  std::printf("[");
  const char* separator = "\n";
  for (const Case& item : cases) {
    std::printf(
        "%s  {\"name\": \"%s\", \"unit\": \"%s\", \"units\": %.0f, \"floor\": \"%s\", "
        "\"deterministic\": %s}",
        separator, item.name.c_str(), item.unit.c_str(), item.units, item.floor.c_str(),
        item.deterministic ? "true" : "false");
    separator = ",\n";
  }
  std::printf("\n]\n");
}

void PrintAllocations(const Cases& cases) {
  std::printf("{");
  const char* separator = "\n";
  for (const Case& item : cases) {
    if (!item.deterministic) continue;
    std::function<void()> run = PrepareWarm(item);
    uint64_t before = NumAllocations();
    run();
    uint64_t after = NumAllocations();
    std::printf("%s  \"%s\": %llu", separator, item.name.c_str(),
                static_cast<unsigned long long>(after - before));
    separator = ",\n";
  }
  std::printf("\n}\n");
}

int CountInstructions(const Cases& cases, int num_names, char** names) {
  for (int i = 0; i < num_names; ++i) {
    bool found = false;
    for (const Case& item : cases) {
      if (item.name != names[i]) continue;
      found = true;
      std::function<void()> run = PrepareWarm(item);
      CALLGRIND_ZERO_STATS;
      CALLGRIND_TOGGLE_COLLECT;
      run();
      CALLGRIND_TOGGLE_COLLECT;
      CALLGRIND_DUMP_STATS_AT(names[i]);
    }
    if (!found) {
      std::fprintf(stderr, "no case is called '%s'\n", names[i]);
      return 1;
    }
  }
  return 0;
}

}  // namespace
}  // namespace tfrt::bench

int main(int argc, char** argv) {
  tfrt::bench::Cases cases = tfrt::bench::AllCases();
  if (argc == 2 && std::strcmp(argv[1], "--list") == 0) {
    tfrt::bench::PrintList(cases);
    return 0;
  }
  if (argc == 2 && std::strcmp(argv[1], "--allocations") == 0) {
    tfrt::bench::PrintAllocations(cases);
    return 0;
  }
  if (argc < 2 || argv[1][0] == '-') {
    std::fprintf(stderr, "usage: %s --list | --allocations | NAME...\n", argv[0]);
    return 1;
  }
  return tfrt::bench::CountInstructions(cases, argc - 1, argv + 1);
}

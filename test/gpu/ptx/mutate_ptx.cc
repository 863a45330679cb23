// mutate_ptx COUNT SEED FOLDER FORMS: parses and runs so many changed texts of the folder and the
// list of forms, and says what became of them. Prints the seed of each round of 1,000, so that a
// crash can be repeated.
#include <cstdio>
#include <cstdlib>

#include "test/gpu/ptx/mutation_run.h"

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: mutate_ptx COUNT SEED FOLDER FORMS\n");
    return 2;
  }
  constexpr uint64_t kRound = 1000;
  uint64_t count = std::strtoull(argv[1], nullptr, 10), seed = std::strtoull(argv[2], nullptr, 10);
  std::vector<std::string> texts = tfrt::gpu::ptx::TextsToChange(argv[3], argv[4]);
  if (texts.empty()) {
    std::fprintf(stderr, "mutate_ptx: no PTX in '%s'\n", argv[3]);
    return 2;
  }
  tfrt::gpu::ptx::MutationCounts total;
  for (uint64_t done = 0; done < count; done += kRound, ++seed) {
    std::fprintf(stderr, "\rseed %llu ", static_cast<unsigned long long>(seed));
    auto counts = tfrt::gpu::ptx::RunMutations(texts, seed, kRound);
    total.refused += counts.refused;
    total.unsupported += counts.unsupported;
    total.accepted += counts.accepted;
    total.faulted += counts.faulted;
  }
  std::printf(
      "\n%llu refused, %llu not supported, %llu run, of whose launches %llu ended with a fault\n",
      static_cast<unsigned long long>(total.refused),
      static_cast<unsigned long long>(total.unsupported),
      static_cast<unsigned long long>(total.accepted),
      static_cast<unsigned long long>(total.faulted));
  return 0;
}

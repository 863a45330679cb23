#ifndef TFRT_TEST_GPU_PTX_MUTATION_RUN_H_
#define TFRT_TEST_GPU_PTX_MUTATION_RUN_H_

#include <cstdint>
#include <string>
#include <vector>

namespace tfrt::gpu::ptx {

struct MutationCounts {
  uint64_t refused = 0;
  uint64_t unsupported = 0;
  uint64_t accepted = 0;  // and its kernels launched, within a budget
  uint64_t faulted = 0;   // launches that ended with a fault
};

// Texts to change: the files of a folder that end in .ptx.
std::vector<std::string> ReadTexts(const std::string& folder);
// And these, with the tiny kernels of a list of forms.
std::vector<std::string> TextsToChange(const std::string& folder, const std::string& forms);
// Parses `count` changed texts and launches the kernels of those that are accepted.
MutationCounts RunMutations(std::vector<std::string> texts, uint64_t seed, uint64_t count);

}  // namespace tfrt::gpu::ptx

#endif  // TFRT_TEST_GPU_PTX_MUTATION_RUN_H_

#include "test/gpu/ptx/mutation_run.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "test/gpu/ptx/form_list.h"
#include "test/gpu/ptx/mutator.h"
#include "test/gpu/ptx/test_memory.h"

namespace tfrt::gpu::ptx {
namespace {

// Launches each kernel for a few threads; pointers are those of one array, other parameters small
// numbers.
void LaunchAll(const Module& module, MutationCounts& counts) {
  TestMemory memory;
  std::vector<uint64_t> array(512);
  for (size_t i = 0; i < array.size(); ++i) array[i] = i % 5;
  uint64_t pointer = memory.Upload(std::span<const uint64_t>(array));
  uint64_t total = 0;
  for (const Variable& variable : module.variables()) total += variable.size;
  if (total > 1 << 20) return;
  std::vector<uint64_t> addresses;
  for (const Variable& variable : module.variables())
    addresses.push_back(memory.Allocate(variable.size, !variable.constant));
  for (size_t i = 0; i < addresses.size(); ++i) {
    std::vector<std::byte> bytes = module.InitialBytes(i, addresses);
    memory.Write(addresses[i], bytes.data(), bytes.size());
  }
  Instance instance(module, addresses);
  LaunchLimits limits;
  limits.steps = 2000;
  for (const Entry& entry : module.entries()) {
    std::vector<std::byte> parameters(entry.parameter_bytes);
    for (const Parameter& parameter : entry.parameters) {
      uint64_t value = parameter.size == 8 ? pointer : 3;
      std::memcpy(parameters.data() + parameter.offset, &value,
                  std::min<size_t>(parameter.size, 8));
    }
    LaunchRequest request;
    request.entry = &entry;
    request.grid = {2};
    request.block = entry.required_threads.value_or(Dim3{40});
    request.dynamic_shared_bytes = 256;
    request.parameters = parameters;
    counts.faulted += Launch(instance, request, memory, limits).fault.has_value();
  }
}

}  // namespace

std::vector<std::string> ReadTexts(const std::string& folder) {
  std::vector<std::string> names, texts;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() == ".ptx") names.push_back(file.path());
  }
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    std::stringstream text;
    text << std::ifstream(name).rdbuf();
    texts.push_back(text.str());
  }
  return texts;
}

std::vector<std::string> TextsToChange(const std::string& folder, const std::string& forms) {
  std::vector<std::string> texts = ReadTexts(folder);
  for (const std::string& form : ReadForms(forms)) {
    if (std::optional<FormCase> form_case = FindCase(form)) texts.push_back(ModuleText(*form_case));
  }
  return texts;
}

MutationCounts RunMutations(std::vector<std::string> texts, uint64_t seed, uint64_t count) {
  MutationCounts counts;
  Mutator mutator(std::move(texts), seed);
  for (uint64_t i = 0; i < count; ++i) {
    auto parsed = Module::Parse(mutator.Next(), /*contracts=*/i % 2 == 1);
    if (auto* error = std::get_if<ParseError>(&parsed)) {
      ++(error->kind == ParseErrorKind::kUnsupported ? counts.unsupported : counts.refused);
    } else {
      ++counts.accepted;
      LaunchAll(*std::get<std::unique_ptr<const Module>>(parsed), counts);
    }
  }
  return counts;
}

}  // namespace tfrt::gpu::ptx

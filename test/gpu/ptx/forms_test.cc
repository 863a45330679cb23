// Every instruction form of forms.txt has a tiny kernel, whose results are compared with plain C++.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>

#include "test/gpu/ptx/form_case.h"
#include "test/gpu/ptx/form_list.h"
#include "test/gpu/ptx/test_memory.h"

namespace tfrt::gpu::ptx {
namespace {

constexpr uint32_t kThreads = 256;
// Inputs of a type: what is special about it every other time, else any bits, or a number of usual
// size.
uint64_t MakeInput(const std::string& type, std::mt19937_64& random) {
  int bits = BitsOfType(type);
  if (type.ends_with("x2")) {
    std::string half = type.substr(0, type.size() - 2);
    uint64_t low = MakeInput(half, random);
    return low | MakeInput(half, random) << 16;
  }
  uint64_t any = Masked(random(), bits);
  uint64_t kind = random() % 4;
  if (type == "pred") return any & 1;
  if (!IsFloatType(type)) {
    constexpr uint64_t kSpecial[] = {0,  1,  2,  3,  7,   8,   15,  16,  31,    32,
                                     33, 63, 64, 65, 127, 128, 255, 256, 32767, 32768};
    uint64_t sign = uint64_t{1} << (bits - 1);
    if (kind == 0) return Masked(kSpecial[random() % std::size(kSpecial)], bits);
    if (kind == 1)
      return Masked((random() % 2 == 0 ? sign : ~uint64_t{0}) + random() % 3 - 1, bits);
    return kind == 2 ? Masked(any >> random() % static_cast<uint64_t>(bits), bits) : any;
  }
  int exponent = type == "f64" ? 11 : type == "f16" ? 5 : 8, mantissa = bits - 1 - exponent;
  uint64_t sign = (random() & 1) << (bits - 1), one = ((uint64_t{1} << (exponent - 1)) - 1)
                                                      << mantissa;
  uint64_t infinity = ((uint64_t{1} << exponent) - 1) << mantissa, ulp = 1;
  const uint64_t special[] = {0,
                              one,
                              one + ulp,
                              one - ulp,
                              infinity,
                              infinity - ulp,
                              infinity + (uint64_t{1} << (mantissa - 1)),
                              ulp,
                              (uint64_t{1} << mantissa) - 1,
                              uint64_t{1} << mantissa,
                              one + (uint64_t{1} << mantissa),
                              one + (uint64_t{1} << (mantissa - 1)),
                              one - (uint64_t{1} << mantissa)};
  if (kind == 0) return sign | special[random() % std::size(special)];
  if (kind == 1) return any;
  // Between 2^-8 and 2^8, half of them with few digits, so that there are ties.
  uint64_t value = one + ((random() % 16) << mantissa) - (uint64_t{8} << mantissa);
  uint64_t digits = Masked(any, mantissa);
  return sign | (value + (kind == 2 ? digits : digits >> (mantissa / 2) << (mantissa / 2)));
}

bool IsNan(const std::string& type, uint64_t bits) {
  int exponent = type == "f64"   ? 11
                 : type == "f16" ? 5
                                 : 8,
      width = type == "tf32" ? 32 : BitsOfType(type);
  uint64_t infinity = ((uint64_t{1} << exponent) - 1) << (width - 1 - exponent);
  return Masked(bits, width - 1) > infinity;
}

// The same bits, the same lack of a number, or as near as the form promises.
bool Agree(const FormCase& form_case, const std::string& type, uint64_t actual, uint64_t expected) {
  if (actual == expected) return true;
  if (!IsFloatType(type)) return false;
  if (type.ends_with("x2")) {
    std::string half = type.substr(0, type.size() - 2);
    return Agree(form_case, half, actual & 0xffff, expected & 0xffff) &&
           Agree(form_case, half, actual >> 16, expected >> 16);
  }
  if (IsNan(type, actual) && IsNan(type, expected)) return true;
  if (form_case.tolerance == 0) return false;
  double x = type == "f32" ? std::bit_cast<float>(static_cast<uint32_t>(actual))
                           : std::bit_cast<double>(actual);
  double y = type == "f32" ? std::bit_cast<float>(static_cast<uint32_t>(expected))
                           : std::bit_cast<double>(expected);
  return std::fabs(x - y) <= form_case.tolerance * std::fabs(y);
}

void CompareResults(const std::string& form, const FormCase& form_case,
                    const std::vector<uint64_t>& inputs, const std::vector<uint64_t>& outputs) {
  int width = std::max(16, BitsOfType(form_case.result)),
      width2 = std::max(16, BitsOfType(form_case.result2));
  for (uint32_t i = 0; i < kThreads; ++i) {
    Slots in;
    std::copy_n(&inputs[4 * i], 4, in);
    if (form_case.skip && form_case.skip(in)) continue;
    uint64_t actual = Masked(outputs[2 * i], form_case.result == "pred" ? 32 : width), expected;
    if (form_case.expect_warp) {
      std::vector<uint64_t> warp;
      for (uint32_t lane = 0; lane < 32; ++lane) warp.push_back(inputs[4 * (i / 32 * 32 + lane)]);
      expected = form_case.expect_warp(warp)[i % 32];
    } else {
      expected = form_case.expect(in);
    }
    ASSERT_TRUE(Agree(form_case, form_case.result, actual, expected))
        << form << ": thread " << i << std::hex << ", inputs " << in[0] << " " << in[1] << " "
        << in[2] << " " << in[3] << ": " << actual << ", expected " << expected;
    if (!form_case.expect2) continue;
    uint64_t actual2 = Masked(outputs[2 * i + 1], form_case.result2 == "pred" ? 32 : width2);
    ASSERT_TRUE(Agree(form_case, form_case.result2, actual2, form_case.expect2(in)))
        << form << ": thread " << i << std::hex << ", inputs " << in[0] << " " << in[1] << " "
        << in[2] << " " << in[3] << ": second result " << actual2 << ", expected "
        << form_case.expect2(in);
  }
}

TEST(Forms, EachComputesWhatItsReferenceDoes) {
  std::vector<std::string> forms = ReadForms(TFRT_PTX_FORMS);
  ASSERT_GE(forms.size(), 2000u);
  for (const std::string& form : forms) {
    std::optional<FormCase> form_case = FindCase(form);
    if (!form_case) {
      ADD_FAILURE() << "form '" << form << "' has no case";
      continue;
    }
    std::mt19937_64 random(std::hash<std::string>()(form));
    std::vector<uint64_t> inputs(4 * kThreads);
    for (uint32_t i = 0; i < kThreads; ++i) {
      for (size_t j = 0; j < form_case->sources.size(); ++j)
        inputs[4 * i + j] = MakeInput(form_case->sources[j], random);
    }
    TestMemory memory;
    uint64_t in = memory.Upload(std::span<const uint64_t>(inputs));
    uint64_t out = memory.Allocate(16 * kThreads);
    std::string text = ModuleText(*form_case);
    TestModule module(text, memory);
    if (!module.ok()) {
      ADD_FAILURE() << text;
      continue;
    }
    LaunchResult result =
        module.Launch("tiny", {kThreads / 128}, {128}, TestModule::Arguments(out, in));
    EXPECT_TRUE(result.ok()) << form << ": " << Findings(result) << text;
    if (result.fault) continue;
    CompareResults(form, *form_case, inputs, memory.Download<uint64_t>(out));
  }
}

// What the vendor's assembler accepts: the tiny kernels of all forms that compilers make, or, if
// TFRT_PTX_ALL_FORMS is set, of all; in two modules.
TEST(Forms, AnAssemblerTakesEachTinyKernel) {
  std::string assembler = TFRT_PTXAS;
  if (assembler.empty()) GTEST_SKIP() << "no ptxas";
  std::string texts[2] = {std::string(kFormHead) + ".address_size 64\n",
                          ".version 6.0\n.target sm_60\n.address_size 64\n"};
  int number = 0;
  for (const std::string& form :
       ReadForms(TFRT_PTX_FORMS, std::getenv("TFRT_PTX_ALL_FORMS") == nullptr)) {
    std::optional<FormCase> form_case = FindCase(form);
    if (!form_case) continue;
    // Names of module scope are once in each module.
    std::string kernel = KernelText(*form_case, "tiny" + std::to_string(number));
    for (std::string name : {"sdata", "cdata", "pass", "next", "var"}) {
      for (size_t at = 0; (at = kernel.find(name, at)) != std::string::npos;
           at += name.size() + 1) {
        bool word = !std::isalnum(kernel[at + name.size()]) && !std::isalnum(kernel[at - 1]) &&
                    kernel[at - 1] != '%';
        if (word) kernel.insert(at + name.size(), std::to_string(number));
      }
    }
    texts[form_case->head.empty() ? 0 : 1] += "// " + form + "\n" + kernel;
    ++number;
  }
  for (int i = 0; i < 2; ++i) {
    std::string path = testing::TempDir() + "/ptx_forms_" + std::to_string(i) + ".ptx";
    std::ofstream(path) << texts[i];
    std::string log = path + ".log";
    std::string command =
        assembler + " -arch=sm_90 -O0 " + path + " -o /dev/null > " + log + " 2>&1";
    int status = std::system(command.c_str());
    std::stringstream said;
    said << std::ifstream(log).rdbuf();
    EXPECT_EQ(status, 0) << said.str().substr(0, 4000);
  }
}

}  // namespace
}  // namespace tfrt::gpu::ptx

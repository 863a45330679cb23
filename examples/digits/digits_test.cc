#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "classifier.h"
#include "gtest/gtest.h"
#include "hand_built_network.h"

namespace digits {
namespace {

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

Answers RunClassifier(const std::string& program, const std::string& queue) {
  auto data = ReadHeldOut(TFRT_DIGITS_DATA);
  EXPECT_TRUE(data.ok()) << data.status().ToString();
  auto answers = Classify(
      tfrt::BefImage::CopyOf({reinterpret_cast<const uint8_t*>(program.data()), program.size()}),
      data->images, queue);
  EXPECT_TRUE(answers.ok()) << answers.status().ToString();
  return answers.ok() ? *answers : Answers();
}

// The parameter tells whether the network is the compiled one.
class DigitsTest : public testing::TestWithParam<bool> {
 protected:
  static std::string Program() {
    if (GetParam()) return ReadFile(TFRT_DIGITS_BEF);
    auto network = BuildNetwork(ReadFile(TFRT_DIGITS_DATA "/weights.f32"));
    EXPECT_TRUE(network.ok()) << network.status().ToString();
    return {network->begin(), network->end()};
  }
};
INSTANTIATE_TEST_SUITE_P(HandBuilt, DigitsTest, testing::Values(false));
#ifdef TFRT_DIGITS_COMPILED
INSTANTIATE_TEST_SUITE_P(Compiled, DigitsTest, testing::Values(true));
#endif

TEST_P(DigitsTest, AnswersAsScikitLearnDoes) {
  auto data = ReadHeldOut(TFRT_DIGITS_DATA);
  ASSERT_TRUE(data.ok()) << data.status().ToString();
  std::string program = Program();
  for (const char* queue : {"s", "mstd:2"}) {
    Answers answers = RunClassifier(program, queue);
    EXPECT_EQ(answers.classes, data->classes) << queue;
    ASSERT_EQ(answers.logits.size(), data->logits.size());
    for (size_t i = 0; i < answers.logits.size(); ++i) {
      ASSERT_NEAR(answers.logits[i], data->logits[i], 1e-5) << queue << " logit " << i;
    }
  }
}

TEST_P(DigitsTest, WeightsLieInTheProgramAndDecideTheAnswers) {
  std::string program = Program();
  std::string weights = ReadFile(TFRT_DIGITS_DATA "/weights.f32");
  std::string w1 = weights.substr(0, 64 * 32 * sizeof(float));
  size_t position = program.find(w1);
  ASSERT_NE(position, std::string::npos);
  EXPECT_EQ(position % 64, 0u);

  // The weight from the pixel in row 4, column 4, which is dark in some images, to the first unit.
  size_t weight = position + (4 * kSide + 4) * 32 * sizeof(float);
  float changed;
  std::memcpy(&changed, program.data() + weight, sizeof(float));
  changed += 1;
  std::string other = program;
  std::memcpy(other.data() + weight, &changed, sizeof(float));
  Answers before = RunClassifier(program, "s");
  Answers after = RunClassifier(other, "s");
  EXPECT_NE(before.logits, after.logits);
  EXPECT_EQ(RunClassifier(program, "s").logits, before.logits);
}

// What the program says on standard error for these arguments; it must fail.
std::string ErrorOf(const std::string& arguments) {
  FILE* pipe = popen((TFRT_DIGITS_PROGRAM " " + arguments + " 2>&1 >/dev/null").c_str(), "r");
  std::string text;
  for (int c; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
  int status = pclose(pipe);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1) << arguments;
  return text;
}

TEST(DigitsProgramTest, ReportsBadArguments) {
  EXPECT_EQ(ErrorOf("--speed=9"), "digits: unknown argument --speed=9\n");
  EXPECT_EQ(ErrorOf("--data=/nowhere"), "digits: cannot open /nowhere/images.u8\n");
  std::string folder = testing::TempDir() + "digits_short";
  std::system(("mkdir -p " + folder).c_str());
  std::ofstream(folder + "/images.u8") << "short";
  EXPECT_EQ(ErrorOf("--data=" + folder),
            "digits: " + folder + "/images.u8 has 5 bytes, expected 28800\n");
  EXPECT_NE(ErrorOf("--bef=/nowhere.bef").find("/nowhere.bef"), std::string::npos);
}

}  // namespace
}  // namespace digits

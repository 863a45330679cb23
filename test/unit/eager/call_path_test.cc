// docs/architecture.md names the functions through which a tensor passes from MatMul(a, b) to the
// loop that multiplies. They are read from the stack in that loop: it is stopped where it reads the
// first element of an argument, which lies in memory that may not be read yet.

#include <execinfo.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "test/support/stack_names.h"
#include "test/unit/eager/eager_fixture.h"

namespace tfrt::eager {
namespace {

using testing::Each;

// Memory whose first reader is stopped, its stack written down, and let go on. One at a time.
class GuardedMemory {
 public:
  static constexpr int kMaxDepth = 128;

  explicit GuardedMemory(size_t size_bytes) {
    auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    size_ = (size_bytes + page - 1) / page * page;
    data_ = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data_ == MAP_FAILED) std::abort();
    void* frame;
    (void)backtrace(&frame, 1);  // loads what it needs, which a signal handler could not
    guarded = this;
    struct sigaction action = {};
    action.sa_sigaction = &OnFault;
    action.sa_flags = SA_SIGINFO;
    if (sigaction(SIGSEGV, &action, &before_) != 0) std::abort();
  }
  ~GuardedMemory() {
    sigaction(SIGSEGV, &before_, nullptr);
    guarded = nullptr;
    munmap(data_, size_);
  }
  void* data() const { return data_; }
  void Guard() {
    if (mprotect(data_, size_, PROT_NONE) != 0) std::abort();
  }
  // Of the thread that read first, innermost first, beginning in the signal handler.
  std::vector<void*> stack() const { return {frames_, frames_ + depth_}; }

 private:
  static void OnFault(int signal, siginfo_t* info, void*) {
    GuardedMemory* memory = guarded;
    auto* address = static_cast<char*>(info->si_addr);
    auto* begin = memory ? static_cast<char*>(memory->data_) : nullptr;
    if (!memory || address < begin || address >= begin + memory->size_) {
      ::signal(signal, SIG_DFL);  // happens again, and ends the program
      return;
    }
    memory->depth_ = backtrace(memory->frames_, kMaxDepth);
    if (mprotect(memory->data_, memory->size_, PROT_READ) != 0) std::abort();
  }

  static inline GuardedMemory* guarded = nullptr;
  void* data_;
  size_t size_;
  struct sigaction before_;
  void* frames_[kMaxDepth];
  int depth_ = 0;
};

struct Page {
  std::vector<std::string> path;      // outermost first
  std::vector<std::string> adapters;  // what may stand between
};

// The numbered rows, `| 1 | `function` | ...`, and the functions in the line that begins with
// "Between them".
Page ReadPage() {
  Page page;
  std::ifstream file(TFRT_ARCHITECTURE_PAGE);
  auto code = [](const std::string& text, size_t* at) {
    size_t begin = text.find('`', *at);
    size_t end = begin == std::string::npos ? begin : text.find('`', begin + 1);
    if (end == std::string::npos) return std::string();
    *at = end + 1;
    return text.substr(begin + 1, end - begin - 1);
  };
  bool between = false;
  for (std::string line; std::getline(file, line);) {
    if (line.size() > 4 && line.starts_with("| ") && line[2] >= '1' && line[2] <= '9') {
      size_t at = 0;
      page.path.push_back(code(line, &at));
    }
    between = (between && !line.empty()) || line.starts_with("Between them");
    if (!between) continue;
    size_t at = 0;
    for (std::string name = code(line, &at); !name.empty(); name = code(line, &at)) {
      page.adapters.push_back(name);
    }
  }
  return page;
}

std::string Joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += "  " + name + "\n";
  return text;
}

// The functions of tfrt on the stack, outermost first, from the first of the path on.
std::vector<std::string> FunctionsOf(const std::vector<void*>& stack, const std::string& first) {
  ProgramSymbols symbols;
  std::vector<std::string> functions;
  for (void* address : stack) {
    // Return addresses may be those behind a function's last instruction.
    std::string function =
        PlainFunctionName(symbols.FunctionAt(static_cast<const char*>(address) - 1));
    if (function.find("GuardedMemory") != std::string::npos) continue;
    if (!function.starts_with("tfrt::")) continue;
    // A wrapper and what it wraps are one.
    if (functions.empty() || functions.back() != function) functions.push_back(function);
    if (function == first) break;
  }
  std::ranges::reverse(functions);
  return functions;
}

class EagerCallPathTest : public testing::Test {
 protected:
  static constexpr int64_t kSide = 32;
  static HostArray Matrix(const GuardedMemory& memory) {
    const int64_t dims[] = {kSide, kSide};
    std::span<const float> elements(static_cast<const float*>(memory.data()), kSide * kSide);
    return HostArray::Borrow<float>(dims, elements, [] {});
  }
  std::unique_ptr<Context> context_ = MakeContext();
};

TEST_F(EagerCallPathTest, ThePageNamesTheStackOfTheLoop) {
  GuardedMemory memory(kSide * kSide * sizeof(float));
  std::fill_n(static_cast<float*>(memory.data()), kSide * kSide, 1.0f);
  Page page = ReadPage();
  ASSERT_EQ(page.path.size(), 6u) << Joined(page.path);
  Scope scope(*context_, {.device = "cpu:0"});
  Tensor a = Tensor::FromArray(Matrix(memory));
  Tensor b = Tensor::FromArray(Matrix(memory));
  ASSERT_TRUE(MatMul(a, b).status().ok());  // prepares the call
  memory.Guard();
  Tensor product = MatMul(a, b);
  EXPECT_THAT(ValuesOf<float>(product), Each(kSide));

  std::vector<std::string> stack = FunctionsOf(memory.stack(), page.path[0]);
  ASSERT_FALSE(stack.empty()) << "nothing of the page is on the stack";
  EXPECT_EQ(stack.front(), page.path.front()) << "the stack is\n" << Joined(stack);
  EXPECT_EQ(stack.back(), page.path.back()) << "the stack is\n" << Joined(stack);
  size_t next = 0;
  for (const std::string& function : stack) {
    if (next < page.path.size() && function == page.path[next]) {
      ++next;
      continue;
    }
    EXPECT_THAT(page.adapters, testing::Contains(function))
        << "on the stack, but not on the page. The stack is\n"
        << Joined(stack);
  }
  EXPECT_EQ(next, page.path.size()) << "the page has\n"
                                    << Joined(page.path) << "the stack is\n"
                                    << Joined(stack);
}

TEST(StackNamesTest, PlainFunctionName) {
  EXPECT_EQ(PlainFunctionName("main"), "main");
  EXPECT_EQ(PlainFunctionName("tfrt::eager::MatMul(tfrt::eager::TensorArgument, int)"),
            "tfrt::eager::MatMul");
  EXPECT_EQ(PlainFunctionName("tfrt::AsyncValueRef<tfrt::Chain> tfrt::a::Compute<tfrt::P>(int)"),
            "tfrt::a::Compute");
  EXPECT_EQ(PlainFunctionName("tfrt::(anonymous namespace)::Rows::Run(std::pair<int, int>) const"),
            "tfrt::Rows::Run");
  EXPECT_EQ(PlainFunctionName("tfrt::Name[abi:cxx11](int)"), "tfrt::Name");
  EXPECT_EQ(PlainFunctionName("tfrt::internal::OpFunctionOf<&(tfrt::(anonymous namespace)::MatMul("
                              "tfrt::OpArgument<tfrt::T>, tfrt::OpCall&))>::Call(tfrt::OpCall&)"),
            "tfrt::MatMul");
}

TEST(StackNamesTest, FunctionAt) {
  ProgramSymbols symbols;
  EXPECT_EQ(
      PlainFunctionName(symbols.FunctionAt(reinterpret_cast<const void*>(&PlainFunctionName))),
      "tfrt::PlainFunctionName");
  EXPECT_EQ(symbols.FunctionAt(nullptr), "");
}

}  // namespace
}  // namespace tfrt::eager

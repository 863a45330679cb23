#include "child_process.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include "llvm/Support/raw_ostream.h"
#include "tfrt/support/write_file.h"

namespace tfrt::compiler {
namespace {

int fail(llvm::StringRef tool, llvm::StringRef message) {
  llvm::errs() << tool << ": error: " << message << "\n";
  return 1;
}

int fail(llvm::StringRef tool, const Status& status) {
  return fail(tool, llvm::StringRef(status.message().data(), status.message().size()));
}

bool isCrash(int signal) {
  return signal == SIGSEGV || signal == SIGBUS || signal == SIGABRT || signal == SIGILL ||
         signal == SIGFPE || signal == SIGTRAP;
}

// Runs `work` in a child process: its exit code.
int runInChild(llvm::StringRef tool, llvm::function_ref<int()> work) {
  llvm::outs().flush();
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) return fail(tool, std::string("cannot start a process: ") + strerror(errno));
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // if only the parent is ended
    const int code = work();
    llvm::outs().flush();
    std::fflush(nullptr);
    _exit(code);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return fail(tool, std::string("lost a process: ") + strerror(errno));
  }
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  const int signal = WTERMSIG(status);
  if (!isCrash(signal)) {
    ::signal(signal, SIG_DFL);
    raise(signal);
  }
  return fail(tool, std::string("the input crashes MLIR: ") + strsignal(signal));
}

// All that a file holds, from its start.
Status copyFile(int descriptor, const ByteSink& sink) {
  std::vector<char> piece(size_t{1} << 20);
  for (off_t offset = 0;;) {
    const ssize_t size = pread(descriptor, piece.data(), piece.size(), offset);
    if (size < 0) return InternalError(std::string("cannot read the output: ") + strerror(errno));
    if (size == 0 || !sink(piece.data(), static_cast<size_t>(size))) return OkStatus();
    offset += size;
  }
}

}  // namespace

int runInChild(llvm::StringRef tool, const std::string& output,
               llvm::function_ref<int(const std::string& file)> work) {
  if (output == "-") return runInChild(tool, [&] { return work(output); });
  const int memory = memfd_create("output", MFD_CLOEXEC);
  if (memory < 0) return fail(tool, std::string("no memory for the output: ") + strerror(errno));
  const std::string file = "/proc/self/fd/" + std::to_string(memory);
  int code = runInChild(tool, [&] { return work(file); });
  if (code == 0 && lseek(memory, 0, SEEK_END) > 0) {
    const Status status =
        WriteFile(output, [&](const ByteSink& sink) { return copyFile(memory, sink); });
    if (!status.ok()) code = fail(tool, status);
  }
  close(memory);
  return code;
}

int checkIsNotInput(llvm::StringRef tool, const std::string& output, const std::string& input) {
  const Status status = CheckIsNotInput(output, input);
  return status.ok() ? 0 : fail(tool, status);
}

}  // namespace tfrt::compiler

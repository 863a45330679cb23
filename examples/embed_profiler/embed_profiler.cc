// Records some eager ops into a profile file, reads it, and prints where the time of a step went.
//   embed_profiler FILE.pftrace
#include <cstdio>
#include <vector>

#include "tfrt/eager/context.h"
#include "tfrt/eager/ops.h"
#include "tfrt/profiler/eager_metrics.h"
#include "tfrt/profiler/figures.h"
#include "tfrt/profiler/read_profile.h"
#include "tfrt/profiler/session.h"

using namespace tfrt::eager;
namespace profiler = tfrt::profiler;

// What a session records as a step.
constexpr tfrt::tracing::RecordType kStep = {.name = "step",
                                             .level = tfrt::tracing::StackLevel::kModel};

void Step(const Tensor& x) {
  tfrt::tracing::RecordScope step(kStep, "products");
  Tensor y = x;
  for (int i = 0; i < 10; ++i) y = Relu(MatMul(y, x));
  if (!y.status().ok()) std::puts(y.status().ToString().c_str());
}

tfrt::Status Run(const std::string& path) {
  TFRT_ASSIGN_OR_RETURN(auto context, Context::Create());
  {
    Scope scope(*context);
    Tensor x = Tensor::FromArray(HostArray({64, 64}, std::vector<float>(64 * 64, 0.01f)));
    Step(x);  // whatever the first step needs
    TFRT_ASSIGN_OR_RETURN(auto session, profiler::Session::Start(
                                            {.path = path, .properties = {{"model", "products"}}}));
    Step(x);
    TFRT_RETURN_IF_ERROR(session->Stop());
  }
  TFRT_ASSIGN_OR_RETURN(profiler::Profile profile, profiler::LoadProfile(path));
  const profiler::EagerRun run = profiler::ComputeEagerRun(profile);
  std::printf("%zu ops, %s\n", run.metrics.num_ops,
              run.metrics.kernel_share() > 0 ? "some of the time in kernels" : "no kernels");
  const profiler::Report report = {.title = "Products",
                                   .sections = {profiler::EagerSection({&run, 1})}};
  std::fputs(profiler::ReportText(report).c_str(), stderr);
  return tfrt::OkStatus();
}

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: embed_profiler FILE.pftrace\n", stderr);
    return 2;
  }
  tfrt::Status status = Run(argv[1]);
  if (status.ok()) return 0;
  std::puts(std::string(status.message()).c_str());
  return 1;
}

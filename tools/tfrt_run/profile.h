// tfrt_run --profile: what each layer takes.
#ifndef TFRT_TOOLS_TFRT_RUN_PROFILE_H_
#define TFRT_TOOLS_TFRT_RUN_PROFILE_H_

#include "command_line.h"
#include "tfrt/model/model.h"

namespace tfrt {

// Runs, and prints a row for each kernel of the model's function: the layer's name in the file that
// the model was imported from, the kernel, its first result, time, speed and share.
Status Profile(Session& session, std::span<const DenseHostTensor* const> inputs,
               const CommandLine& line);

}  // namespace tfrt

#endif  // TFRT_TOOLS_TFRT_RUN_PROFILE_H_

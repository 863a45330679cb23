// tfrt_run --profile and --record: what each layer takes, and records for tfrt_prof.
#ifndef TFRT_TOOLS_TFRT_RUN_PROFILE_H_
#define TFRT_TOOLS_TFRT_RUN_PROFILE_H_

#include "command_line.h"
#include "tfrt/model/model.h"

namespace tfrt {

// Runs, and prints a row for each kernel of the model's function. A row has the layer's name in the
// file that the model was imported from, the kernel, its first result, time, speed and share.
Status ProfileRuns(Session& session, std::span<const DenseHostTensor* const> inputs,
                   const CommandLine& line);
// Runs as often as --bench does, recorded into the file of --record or of TFRT_RECORD; not at all
// if there is neither.
Status RecordRuns(Session& session, std::span<const DenseHostTensor* const> inputs,
                  const CommandLine& line);

}  // namespace tfrt

#endif  // TFRT_TOOLS_TFRT_RUN_PROFILE_H_

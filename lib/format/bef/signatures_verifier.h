// The part of the Signatures section that the verifier needs; its users read it whole.
#ifndef TFRT_LIB_FORMAT_BEF_SIGNATURES_VERIFIER_H_
#define TFRT_LIB_FORMAT_BEF_SIGNATURES_VERIFIER_H_

#include <cstdint>
#include <span>

#include "bef_reader.h"
#include "tfrt/support/status.h"

namespace tfrt::bef {

// Checks what DecodeSignatures checks, without memory, and that the functions have the inputs and
// results that the section says.
Status VerifySignatures(std::span<const uint8_t> payload, std::span<const FunctionInfo> functions);

}  // namespace tfrt::bef

#endif  // TFRT_LIB_FORMAT_BEF_SIGNATURES_VERIFIER_H_

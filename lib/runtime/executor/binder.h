// Binding turns the checked bytes of a function body into a Program. It checks every kernel call
// against the signature that its kernel was registered with.
#ifndef TFRT_LIB_RUNTIME_EXECUTOR_BINDER_H_
#define TFRT_LIB_RUNTIME_EXECUTOR_BINDER_H_

#include <vector>

#include "lib/format/bef/bef_reader.h"
#include "order_free.h"
#include "program.h"
#include "tfrt/host_context/kernel_registry.h"
#include "tfrt/support/location.h"
#include "tfrt/support/status.h"

namespace tfrt::internal {

// The tables that the functions of a file are bound to. All of it belongs to the file.
struct BindInput {
  const bef::BefView& view;
  const std::vector<const KernelEntry*>& kernels;  // by kernel id
  const std::vector<const Function*>& functions;   // by function id
  OrderFreedom& order_freedom;
};

// Fills in `program` for function number `function`, whose kernels' locations `locations` decodes.
// An error names the kernel and what disagrees; `error_location` receives the kernel's location.
Status BindFunction(const BindInput& input, uint32_t function, const LocationHandler* locations,
                    Program* program, uint32_t* error_location);

}  // namespace tfrt::internal

#endif  // TFRT_LIB_RUNTIME_EXECUTOR_BINDER_H_

// FunctionInfo describes one function of a vendor's library to its loader.
#ifndef TFRT_GPU_ABI_FUNCTION_INFO_H_
#define TFRT_GPU_ABI_FUNCTION_INFO_H_

namespace tfrt::gpu {

struct FunctionInfo {
  const char* name;  // as it is exported
  int since;         // the first version of the library that has it
  bool required;     // every version that we support has it; others may be null in a table
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_ABI_FUNCTION_INFO_H_

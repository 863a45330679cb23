// The names that messages use to recommend functions and options.
#ifndef TFRT_LIB_BASE_SUPPORT_API_NAMES_H_
#define TFRT_LIB_BASE_SUPPORT_API_NAMES_H_

#include <string_view>

namespace tfrt {

// Holds the names in the language that the program is written in. The texts are literals.
struct ApiNames {
  std::string_view cond = "Cond";
  std::string_view while_loop = "WhileLoop";
  std::string_view for_range = "ForRange";
  std::string_view for_each_of = "ForEachOf";
  std::string_view host_call = "HostCall";
  std::string_view print = "Print";
  std::string_view shape = "Shape(x)";
  std::string_view mean = "Mean";
  std::string_view sum = "Sum";
  std::string_view cast = "Cast";
  std::string_view stop_gradient = "StopGradient";
  std::string_view tensor_array = "TensorArray";
  std::string_view unknown_size = "kUnknown";
  std::string_view fail_on_retrace = "kFailOnRetrace";
  std::string_view run_eagerly = "kRunEagerly";
  std::string_view variable_read = "Variable::Read";
  std::string_view variable_assign = "Variable::Assign";
  std::string_view fixed_argument = "a Static argument";
  std::string_view pass_a_tensor = "make the parameter a Tensor";
  std::string_view pass_a_fixed_argument = ", or a Static if each value needs a trace of its own";
};

// Holds the C++ names until a binding of another language sets its own. The binding does so when it
// is loaded, before the first call of anything else: nothing guards the names.
inline constinit ApiNames api_names;

}  // namespace tfrt

#endif  // TFRT_LIB_BASE_SUPPORT_API_NAMES_H_

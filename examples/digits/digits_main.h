// What the program does around the network: data, drawing, comparison. The example of the GPU has
// the same with another network.
#ifndef TFRT_EXAMPLES_DIGITS_DIGITS_MAIN_H_
#define TFRT_EXAMPLES_DIGITS_DIGITS_MAIN_H_

#include "classifier.h"

namespace digits {

struct Program {
  const char* name;  // in messages
  const char* bef;   // the compiled network, if no argument names another
  PrepareHost prepare_host = nullptr;
};

// Hands the network the 450 held-out images, draws some of them with its answer, and compares all
// answers with those that scikit-learn gave. Returns the exit code: 0, every class is equal and
// every logit within 1e-5; 1, not so, or something failed, which is said on standard error.
int Main(int argc, char** argv, const Program& program);

}  // namespace digits

#endif  // TFRT_EXAMPLES_DIGITS_DIGITS_MAIN_H_

// Recognises handwritten digits: a C++ program that embeds the runtime (see classifier.cc for
// that).
//
//   digits [--bef=FILE] [--data=FOLDER] [--work_queue_type=s|mstd:N]

#include "digits_main.h"

int main(int argc, char** argv) {
  return digits::Main(argc, argv, {.name = "digits", .bef = TFRT_DIGITS_BEF});
}

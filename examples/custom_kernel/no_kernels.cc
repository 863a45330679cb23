// A shared library that is no kernel library.

extern "C" int NotRegisterKernels() { return 0; }

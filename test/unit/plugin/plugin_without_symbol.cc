// A library that is no kernel library.
extern "C" int NothingToRegister() { return 0; }

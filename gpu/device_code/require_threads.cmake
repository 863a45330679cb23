# cmake -DFILE=a.ptx -P require_threads.cmake
# Makes of the largest number of threads that entry points run with the only one, which a driver then asks for: clang
# has no attribute for that.
file(READ ${FILE} text)
string(REPLACE "\n.maxntid " "\n.reqntid " text "${text}")
file(WRITE ${FILE} "${text}")

// expect: penstock needs C\+\+20: compile with -std=c\+\+20 or later
// flags: -std=c++17
#include <penstock/version.hpp>

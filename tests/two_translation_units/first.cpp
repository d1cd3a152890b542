// One of two translation units that include every public header and are linked into one program.
#include <penstock/version.hpp>

const int* address_seen_by_second();

int main() { return &penstock::version == address_seen_by_second() ? 0 : 1; }

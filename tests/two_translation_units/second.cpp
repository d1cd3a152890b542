#include <penstock/version.hpp>

const int* address_seen_by_second() { return &penstock::version; }

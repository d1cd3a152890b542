// main of every host test.
#include "support/run_doctest.hpp"

int main(int argc, char** argv) { return run_doctest(argc, argv); }

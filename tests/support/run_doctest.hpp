// Runs the doctest cases of an executable that brings its own main.
#pragma once

// Returns the exit status: 0 only if at least one test case ran and none failed.
int run_doctest(int argc, char** argv);

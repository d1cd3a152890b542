// The same by nvcc.
#include "fixed_pipelines_test.cpp"

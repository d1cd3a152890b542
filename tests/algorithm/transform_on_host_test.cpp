// The kernels of transform_test.cu on the host, where sanitizers see every access.
#include "support/cuda_on_host.hpp"

#include "algorithm/transform_test.cu"

// The kernels of gather_test.cu on the host, where sanitizers see every access.
#include "support/cuda_on_host.hpp"

#include "algorithm/gather_test.cu"

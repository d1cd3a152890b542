// The kernels of box_test.cu on the host, where sanitizers see every access.
#include "support/cuda_on_host.hpp"

#include "algorithm/box_test.cu"

// penstock: multistage asynchronous pipelines inside CUDA kernels, and the same pipelines on the host.
#pragma once

#include <penstock/ring/channel.hpp>
#include <penstock/run/launch.hpp>
#include <penstock/run/run.hpp>
#include <penstock/run/tensor_map.hpp>
#include <penstock/version.hpp>

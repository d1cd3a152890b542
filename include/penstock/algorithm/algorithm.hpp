// Every device-wide algorithm. <penstock/algorithm/thrust.hpp> and <penstock/algorithm/mdspan.hpp> have to be named.
#pragma once

#include <penstock/algorithm/batched.hpp>
#include <penstock/algorithm/box.hpp>
#include <penstock/algorithm/convert.hpp>
#include <penstock/algorithm/copy.hpp>
#include <penstock/algorithm/gather.hpp>
#include <penstock/algorithm/halo.hpp>
#include <penstock/algorithm/permute.hpp>
#include <penstock/algorithm/reduce.hpp>
#include <penstock/algorithm/transform.hpp>

// Thrust's device iterators as arguments of the algorithms. Those that are not contiguous do not compile.
#pragma once

#include <penstock/algorithm/arguments.hpp>

#include <thrust/detail/raw_pointer_cast.h>
#include <thrust/iterator/iterator_traits.h>
#include <thrust/type_traits/is_contiguous_iterator.h>
#include <thrust/type_traits/unwrap_contiguous_iterator.h>

namespace penstock {

template <class Iterator>
  requires(!std::is_pointer_v<Iterator> && !std::contiguous_iterator<Iterator> &&
           thrust::is_contiguous_iterator<Iterator>::value)
struct contiguous<Iterator> {
  static auto address(Iterator i) { return thrust::unwrap_contiguous_iterator(i); }
};

}  // namespace penstock

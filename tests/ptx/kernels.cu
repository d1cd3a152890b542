// The kernels of the PTX lint: compiled, never run.
#include "ptx/entries.hpp"

namespace lint {

template <int I>
struct array_of {
  typename std::tuple_element_t<I, every_entry>::move::array value;
};

// The lint finds entry I by this name and number.
template <int I>
__global__ void lint_kernel(arguments a, const __grid_constant__ array_of<I> array) {
  run<std::tuple_element_t<I, every_entry>>(a, array.value);
}

template <int... I>
const void* instantiate(std::integer_sequence<int, I...>, int which) {
  const void* const kernels[] = {reinterpret_cast<const void*>(lint_kernel<I>)...};
  return kernels[which];
}

}  // namespace lint

const void* kernel_of(int which) { return lint::instantiate(std::make_integer_sequence<int, lint::entry_count>{}, which); }

// NumPy .npy files: f32 and f64 arrays of 1 to 3 dimensions in C order, streamed without a second copy.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "file.hpp"

namespace penstock::examples {

enum class npy_type { f32, f64 };

struct npy_header {
  npy_type type = npy_type::f32;
  std::vector<std::uint64_t> shape;  // slowest axis first; an extent may be 0

  std::uint64_t value_bytes() const { return type == npy_type::f32 ? 4 : 8; }
  std::uint64_t count() const {
    std::uint64_t product = 1;
    for (const std::uint64_t extent : shape) product *= extent;
    return product;
  }
  bool operator==(const npy_header&) const = default;
};

// The Python dictionary in a .npy file's header. Throws std::invalid_argument with the reason.
npy_header parse_npy_header(std::string_view dictionary);

// Checks everything before the first value is read: format, header, and that exactly the promised bytes
// follow.
class npy_reader {
 public:
  explicit npy_reader(const std::filesystem::path& path);
  const npy_header& header() const { return header_; }
  std::uint64_t values_left() const { return file_.left() / header_.value_bytes(); }
  // The next values, straight into the caller's memory: a plane, a pinned buffer, the whole.
  void read(std::span<float> values) { read(npy_type::f32, values.data(), values.size()); }
  void read(std::span<double> values) { read(npy_type::f64, values.data(), values.size()); }

 private:
  void read(npy_type type, void* to, std::uint64_t count);
  input_file file_;
  npy_header header_;
};

// Writes format 1.0. The file appears under its name at commit(), complete, or not at all.
class npy_writer {
 public:
  npy_writer(const std::filesystem::path& path, npy_header header);
  void write(std::span<const float> values) { write(npy_type::f32, values.data(), values.size()); }
  void write(std::span<const double> values) { write(npy_type::f64, values.data(), values.size()); }
  void commit();

 private:
  void write(npy_type type, const void* from, std::uint64_t count);
  output_file file_;
  npy_header header_;
  std::uint64_t values_left_;
};

// The whole array at once; T must be what the file holds. For a file of either type, ask npy_reader first.
template <class T>
struct npy_array {
  std::vector<std::uint64_t> shape;
  std::unique_ptr<T[]> data;
  std::uint64_t count = 0;
  std::span<T> values() const { return {data.get(), static_cast<std::size_t>(count)}; }
};

template <class T>
npy_array<T> read_npy(const std::filesystem::path& path) {
  npy_reader file(path);
  const std::uint64_t count = file.values_left();
  npy_array<T> whole{file.header().shape, std::make_unique_for_overwrite<T[]>(count), count};
  file.read(whole.values());
  return whole;
}

void write_npy(const std::filesystem::path& path, std::vector<std::uint64_t> shape,
               std::span<const float> values);
void write_npy(const std::filesystem::path& path, std::vector<std::uint64_t> shape,
               std::span<const double> values);

}  // namespace penstock::examples

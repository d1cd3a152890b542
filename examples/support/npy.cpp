#include "npy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>
#include <string>
#include <utility>

namespace penstock::examples {
namespace {

static_assert(std::endian::native == std::endian::little, ".npy values are moved as they lie, little-endian");

constexpr std::array<unsigned char, 6> magic{0x93, 'N', 'U', 'M', 'P', 'Y'};
constexpr std::uint64_t longest_header = std::uint64_t{1} << 16;  // NumPy itself stops at 10,000

template <class... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> text, Args&&... args) {
  throw std::invalid_argument(fmt::format(text, std::forward<Args>(args)...));
}

const char* name(npy_type type) { return type == npy_type::f32 ? "f32" : "f64"; }

template <std::size_t n>
std::array<unsigned char, n> take(input_file& file, std::uint64_t bytes = n) {
  if (file.left() < bytes) refuse("it is {} bytes long and ends within its header", file.size());
  std::array<unsigned char, n> taken{};
  file.read(taken.data(), bytes);
  return taken;
}

npy_header read_header(input_file& file) {
  const auto front = take<magic.size()>(file);
  if (front != magic) {
    refuse("it begins with the bytes {:02X}, a .npy file with {:02X}", fmt::join(front, " "),
           fmt::join(magic, " "));
  }
  const auto [major, minor] = take<2>(file);
  if (major < 1 || major > 3 || minor != 0) {
    refuse("its format version is {}.{}, allowed are 1.0, 2.0 and 3.0", major, minor);
  }
  const auto digits = take<4>(file, major == 1 ? 2 : 4);
  std::uint64_t length = 0;
  for (std::size_t i = digits.size(); i-- > 0;) length = length << 8 | digits[i];
  if (length > longest_header)
    refuse("its header has {} bytes, allowed are at most {}", length, longest_header);
  if (file.left() < length) {
    refuse("its header has {} bytes, but only {} follow", length, file.left());
  }
  std::string dictionary(length, '\0');
  file.read(dictionary.data(), length);
  return parse_npy_header(dictionary);
}

void require_exact_data(const input_file& file, const npy_header& header) {
  const std::uint64_t promised = header.count() * header.value_bytes();
  if (file.left() == promised) return;
  refuse("its shape ({}) of {} needs {} bytes of data, but {} follow its header ({})",
         fmt::join(header.shape, ", "), name(header.type), promised, file.left(),
         file.left() < promised ? "truncated" : "something is appended");
}

npy_header open_array(input_file& file) try {
  npy_header header = read_header(file);
  require_exact_data(file, header);
  return header;
} catch (const std::invalid_argument& reason) {
  throw std::runtime_error(fmt::format("cannot read '{}': {}", file.path().string(), reason.what()));
}

std::string dictionary_of(const npy_header& header) {
  return fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}",
                     header.type == npy_type::f32 ? "<f4" : "<f8", fmt::join(header.shape, ", "),
                     header.shape.size() == 1 ? "," : "");
}

// Parsing what will be written keeps one set of rules for what an array may be.
std::uint64_t checked_count(const std::filesystem::path& path, const npy_header& header) try {
  return parse_npy_header(dictionary_of(header)).count();
} catch (const std::invalid_argument& reason) {
  throw std::runtime_error(fmt::format("cannot write '{}': {}", path.string(), reason.what()));
}

void require(const char* verb, const std::filesystem::path& path, npy_type held, npy_type asked,
             std::uint64_t left, std::uint64_t count) {
  if (asked != held || count > left) {
    throw std::runtime_error(fmt::format("cannot {} {} values of {}: '{}' has {} values of {} left", verb,
                                         count, name(asked), path.string(), left, name(held)));
  }
}

template <class T>
void write_whole(const std::filesystem::path& path, npy_header header, std::span<const T> values) {
  npy_writer file(path, std::move(header));
  file.write(values);
  file.commit();
}

}  // namespace

npy_reader::npy_reader(const std::filesystem::path& path) : file_(path), header_(open_array(file_)) {}

void npy_reader::read(npy_type type, void* to, std::uint64_t count) {
  require("read", file_.path(), header_.type, type, values_left(), count);
  file_.read(to, count * header_.value_bytes());
}

npy_writer::npy_writer(const std::filesystem::path& path, npy_header header)
    : file_(path), header_(std::move(header)), values_left_(checked_count(path, header_)) {
  std::string text = dictionary_of(header_);
  // The values start at a multiple of 64 bytes, for whoever maps the file.
  const std::size_t before = magic.size() + 4;
  text.append(63 - (before + text.size()) % 64, ' ').append("\n");
  const std::array<unsigned char, 4> version_and_length{1, 0, static_cast<unsigned char>(text.size() & 0xff),
                                                        static_cast<unsigned char>(text.size() >> 8)};
  file_.write(magic.data(), magic.size());
  file_.write(version_and_length.data(), version_and_length.size());
  file_.write(text.data(), text.size());
}

void npy_writer::write(npy_type type, const void* from, std::uint64_t count) {
  require("write", file_.path(), header_.type, type, values_left_, count);
  file_.write(from, count * header_.value_bytes());
  values_left_ -= count;
}

void npy_writer::commit() {
  if (values_left_ != 0) {
    throw std::runtime_error(fmt::format("cannot write '{}': {} of its {} values are missing",
                                         file_.path().string(), values_left_, header_.count()));
  }
  file_.commit();
}

void write_npy(const std::filesystem::path& path, std::vector<std::uint64_t> shape,
               std::span<const float> values) {
  write_whole(path, {npy_type::f32, std::move(shape)}, values);
}

void write_npy(const std::filesystem::path& path, std::vector<std::uint64_t> shape,
               std::span<const double> values) {
  write_whole(path, {npy_type::f64, std::move(shape)}, values);
}

}  // namespace penstock::examples

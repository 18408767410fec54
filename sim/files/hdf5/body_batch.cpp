#include "sim/files/hdf5/body_batch.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace pericenter {
namespace {

constexpr std::uint64_t kMaxTypes = 64, kMaxRows = 1ull << 40;

struct Message {
  Hdf5BatchHead head;
  std::uint64_t bodies, ids, order;
};

static_assert(std::is_trivially_copyable_v<Message> && std::is_trivially_copyable_v<Body>);
static_assert(sizeof(Message) % alignof(Body) == 0 && sizeof(Body) % alignof(std::uint64_t) == 0);

template <class Value>
Bytes bytes_of(std::span<const Value> values) {
  return {reinterpret_cast<const std::uint8_t*>(values.data()), values.size_bytes()};
}

}  // namespace

void Hdf5Softenings::add(double softening) {
  add({1, softening, softening, softening});
}

void Hdf5Softenings::add(const Hdf5Softenings& other) {
  count += other.count;
  sum += other.sum;
  min = std::min(min, other.min);
  max = std::max(max, other.max);
}

void send_batch(const Hdf5Batch& batch, const SendBytes& send) {
  const Message message = {batch.head, batch.bodies.size(), batch.ids.size(), batch.order.size()};
  send({bytes_of(std::span(&message, 1)), bytes_of(batch.bodies), bytes_of(batch.ids), bytes_of(batch.order)});
}

Hdf5Batch received_batch(Bytes message) {
  Message head;
  const auto check = [](bool valid) {
    if (!valid) throw InputError("reading it gave invalid data: the file is damaged.");
  };
  check(message.size() >= sizeof head);
  std::memcpy(&head, message.data(), sizeof head);
  const Bytes rest = message.subspan(sizeof head);
  check(head.head.type < kMaxTypes && head.head.remaining <= kMaxRows);
  check(head.bodies <= rest.size() / sizeof(Body));
  for (const std::uint64_t numbers : {head.ids, head.order}) check(numbers <= rest.size() / sizeof(std::uint64_t));
  const std::size_t body_bytes = head.bodies * sizeof(Body);
  check(body_bytes + (head.ids + head.order) * sizeof(std::uint64_t) == rest.size() && head.head.rows >= head.bodies);
  const auto* const numbers = reinterpret_cast<const std::uint64_t*>(rest.data() + body_bytes);
  return {head.head,
          {reinterpret_cast<const Body*>(rest.data()), head.bodies},
          {numbers, head.ids},
          {numbers + head.ids, head.order}};
}

}  // namespace pericenter

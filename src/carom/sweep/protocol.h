// What master and workers of a sweep say to each other.
//
//   worker                         master
//   hello {plan digest, build}  ->
//                               <- welcome {token to look for} | refuse {reason}
//   ready {shared}              ->
//                               <- work {points, attempts} | stop
//   done {points, seconds,      ->
//         rows that are not on a disk the master sees}
//                               <- work … | wait | stop
//   bye                         ->
//                               <- end {whether all processes are still there}
//
// `wait` comes once a second while there is nothing to do, so that a worker that hears nothing
// for half a minute knows that the master is lost, and ends.
//
// A worker says `done` when its rows are whole on its disk, and asks for more by that. One
// message each way per portion; portions are a quarter of a second of work (hand_out.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace carom::sweep {

struct Note {
  enum class Kind : std::uint8_t {
    hello,
    welcome,
    refuse,
    ready,
    work,
    done,
    wait,
    stop,
    bye,
    end
  };
  Note() = default;
  explicit Note(Kind is, std::string says = {}) : kind(is), text(std::move(says)) {}

  Kind kind = Kind::hello;
  std::string text;                     ///< digest, token, reason, or encoded rows
  std::vector<std::uint64_t> points;    ///< of work and done
  std::vector<std::uint32_t> attempts;  ///< of work
  double seconds = 0.0;                 ///< of done: spent on all points
  std::uint32_t failed = 0;             ///< of done: rows that are failures
  bool shared =
      false;  ///< of ready: the master's folder is seen; of done: rows are on it; of end: all here
};

std::string encode(const Note& note);
std::optional<Note> decode_note(std::string_view bytes);

}  // namespace carom::sweep

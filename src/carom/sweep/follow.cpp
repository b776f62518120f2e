#include <chrono>
#include <filesystem>
#include <thread>

#include "carom/sweep/point_runner.h"
#include "carom/sweep/protocol.h"
#include "carom/sweep/team.h"

namespace carom::sweep {
namespace {

using FollowClock = std::chrono::steady_clock;

constexpr double kSilence = 30.0;   ///< [s] without a word of the master: it is lost
constexpr double kLastWord = 15.0;  ///< [s] from good-bye to the last word of the master

class Follower {
 public:
  Follower(std::shared_ptr<const Plan> plan, const std::string& folder, Transport& transport,
           const SweepOptions& options)
      : plan_(std::move(plan)),
        folder_(folder),
        transport_(transport),
        options_(options),
        file_(folder, transport.rank()) {}

  FollowEnd follow() {
    send(Note(Note::Kind::hello, build_name() + " " + plan_->digest()));
    while (std::optional<Note> note = next()) {
      switch (note->kind) {
        case Note::Kind::welcome: {
          Note ready(Note::Kind::ready);
          ready.shared = shared_ = std::filesystem::exists(folder_ + "/" + note->text);
          send(ready);
          break;
        }
        case Note::Kind::refuse: return {note->text, leave()};
        case Note::Kind::stop: return {"", leave()};
        case Note::Kind::work:
          if (!work(*note)) {
            return {"interrupted", leave()};
          }
          break;
        default: break;
      }
    }
    return {interrupted() ? "interrupted" : "the first process does not answer any more", false};
  }

 private:
  bool interrupted() const { return options_.interrupt && *options_.interrupt; }
  void send(const Note& note) { transport_.send(0, encode(note)); }

  /// Says good-bye and hears whether the others could.
  bool leave() {
    file_.sync();
    send(Note(Note::Kind::bye));
    const auto begin = FollowClock::now();
    while (FollowClock::now() - begin < std::chrono::duration<double>(kLastWord)) {
      const std::optional<Message> message = transport_.poll();
      const auto note = message ? decode_note(message->bytes) : std::nullopt;
      if (note && note->kind == Note::Kind::end) return note->shared;
      if (!message) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  }

  /// Nothing after a long silence or an interruption.
  std::optional<Note> next() {
    const auto begin = FollowClock::now();
    auto pause = std::chrono::microseconds(50);
    while (!interrupted()) {
      if (std::optional<Message> message = transport_.poll()) {
        if (auto note = decode_note(message->bytes)) return note;
        continue;
      }
      if (FollowClock::now() - begin > std::chrono::duration<double>(kSilence)) return {};
      std::this_thread::sleep_for(pause);
      pause = std::min(pause * 2, std::chrono::microseconds(2000));
    }
    return {};
  }

  /// Rows go to the worker's own file; where that fails, or the master cannot see it, with the
  /// message as well.
  bool work(const Note& task) {
    if (!runner_) runner_ = std::make_unique<PointRunner>(plan_);
    Note done(Note::Kind::done);
    done.shared = shared_;
    const auto begin = FollowClock::now();
    std::string rows;
    for (std::size_t i = 0; i < task.points.size(); ++i) {
      std::optional<Row> row = runner_->run(task.points[i], options_.interrupt);
      if (!row) return false;
      row->attempt = task.attempts[i];
      done.failed += row->status != RowStatus::completed;
      done.points.push_back(task.points[i]);
      const bool written = file_.append(*row);
      if (!written && !complained_) {
        complained_ = true;
        if (options_.remark) {
          options_.remark("process " + std::to_string(transport_.rank()) + ": " + file_.error() +
                          "; its rows go to the first process");
        }
      }
      done.shared &= written;
      rows += encode(*row);
    }
    if (!done.shared) done.text = std::move(rows);
    done.seconds = std::chrono::duration<double>(FollowClock::now() - begin).count();
    send(done);
    return true;
  }

  std::shared_ptr<const Plan> plan_;
  std::string folder_;
  Transport& transport_;
  const SweepOptions& options_;
  RowFile file_;
  std::unique_ptr<PointRunner> runner_;
  bool shared_ = false, complained_ = false;
};

}  // namespace

FollowEnd follow(std::shared_ptr<const Plan> plan, const std::string& folder, Transport& transport,
                 const SweepOptions& options) {
  return Follower(std::move(plan), folder, transport, options).follow();
}

}  // namespace carom::sweep

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "carom/sweep/hand_out.h"
#include "carom/sweep/point_runner.h"
#include "carom/sweep/protocol.h"
#include "carom/sweep/team.h"

namespace carom::sweep {
namespace {

using LeadClock = std::chrono::steady_clock;

constexpr double kGoodbyeSeconds = 3.0;  ///< to wait for workers at the end
constexpr double kWaitNotice = 1.0;      ///< between notices to idle workers [s]

class Master {
 public:
  Master(Workplace& place, Transport& transport, const SweepOptions& options)
      : place_(place),
        transport_(transport),
        options_(options),
        hand_out_(place.to_do(), static_cast<std::size_t>(transport.size())),
        workers_(static_cast<std::size_t>(transport.size())),
        relayed_(place.folder(), transport.size()) {}

  TeamReport lead() {
    write_token();
    std::thread own([this] { compute(); });
    try {
      serve();
    } catch (...) {
      stop_ = true;
      own.join();
      throw;
    }
    stop_ = true;
    own.join();
    say_goodbye();
    std::filesystem::remove(token_path_);
    if (!error_.empty()) throw std::runtime_error(error_);
    report_.handed_twice = hand_out_.handed_twice();
    place_.read_rows();
    return std::move(report_);
  }

 private:
  enum class State { unheard, refused, idle, working, gone };
  struct Worker {
    State state = State::unheard;
    double last_notice = 0.0;
  };

  double now() const { return std::chrono::duration<double>(LeadClock::now() - begin_).count(); }

  /// A file by which workers see whether they share the folder.
  void write_token() {
    token_ = "token-" + std::to_string(LeadClock::now().time_since_epoch().count() % 1000000007) +
             "-" + place_.plan().digest().substr(0, 16);
    token_path_ = place_.folder() + "/" + token_;
    std::ofstream(token_path_) << token_ << "\n";
  }

  void send(int to, const Note& note) {
    const std::string bytes = encode(note);
    ++report_.messages;
    report_.bytes += bytes.size();
    transport_.send(to, bytes);
  }

  /// The first process computes as well, in a thread of its own.
  void compute() {
    try {
      PointRunner runner(place_.shared_plan());
      RowFile file(place_.folder(), 0);
      while (!stop_) {
        std::vector<std::uint64_t> points;
        {
          const std::lock_guard lock(mutex_);
          points = hand_out_.take(0, now());
        }
        if (points.empty()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
        for (const std::uint64_t point : points) {
          const double begin = now();
          std::optional<Row> row = runner.run(point, &stop_);
          if (!row) return;
          row->attempt = place_.attempt(point);
          if (!file.append(*row)) return fail(file.error());
          const std::lock_guard lock(mutex_);
          if (hand_out_.done(0, point, now() - begin)) place_.add(*std::move(row));
        }
      }
      if (!file.sync()) fail(file.error());
    } catch (const std::exception& error) {
      fail(error.what());
    }
  }

  void fail(const std::string& reason) {
    const std::lock_guard lock(mutex_);
    if (error_.empty()) error_ = reason;
    stop_ = true;
  }

  void serve() {
    double last_progress = 0.0;
    while (!stop_) {
      bool heard = false;
      while (std::optional<Message> message = transport_.poll()) {
        heard = true;
        ++report_.messages;
        report_.bytes += message->bytes.size();
        if (const auto note = decode_note(message->bytes)) handle(message->from, *note);
      }
      serve_idle();
      if (options_.interrupt && *options_.interrupt) break;
      {
        const std::lock_guard lock(mutex_);
        if (hand_out_.finished()) break;
      }
      if (options_.progress && now() - last_progress > 0.2) {
        last_progress = now();
        SweepProgress progress = place_.progress();
        progress.seconds = last_progress;
        options_.progress(progress);
      }
      if (!heard) std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  }

  Worker& worker(int rank) { return workers_[static_cast<std::size_t>(rank)]; }

  void handle(int from, const Note& note) {
    switch (note.kind) {
      case Note::Kind::hello: return greet(from, note);
      case Note::Kind::ready: return give_work(from);
      case Note::Kind::done: take_rows(from, note); return give_work(from);
      case Note::Kind::bye: worker(from).state = State::gone; return;
      default: return;
    }
  }

  void greet(int from, const Note& note) {
    const std::string own = build_name() + " " + place_.plan().digest();
    Note answer;
    answer.kind = note.text == own ? Note::Kind::welcome : Note::Kind::refuse;
    answer.text = token_;
    if (answer.kind == Note::Kind::refuse) {
      worker(from).state = State::refused;
      answer.text = "its version of Carom, of the study or of the scene is another one";
      report_.remarks.push_back("process " + std::to_string(from) + " is not used: " + answer.text);
    }
    send(from, answer);
  }

  void take_rows(int from, const Note& note) {
    const double each =
        note.seconds / static_cast<double>(std::max<std::size_t>(note.points.size(), 1));
    std::string_view rows = note.text;
    const std::lock_guard lock(mutex_);
    std::uint64_t fresh = 0;
    for (const std::uint64_t point : note.points) fresh += hand_out_.done(from, point, each);
    if (note.shared) return place_.count(fresh, note.failed);
    while (auto row = decode(rows)) {
      if (!relayed_.append(*row)) {
        if (error_.empty()) error_ = relayed_.error();
        stop_ = true;
        return;
      }
    }
    place_.count(fresh, note.failed);
  }

  void give_work(int to) {
    Note work;
    {
      const std::lock_guard lock(mutex_);
      work.points = hand_out_.take(to, now());
    }
    worker(to).state = work.points.empty() ? State::idle : State::working;
    if (work.points.empty()) return;
    work.kind = Note::Kind::work;
    for (const std::uint64_t point : work.points) work.attempts.push_back(place_.attempt(point));
    send(to, work);
  }

  /// Work that others have had for too long may become free; who waits is told that we are here.
  void serve_idle() {
    for (int rank = 1; rank < transport_.size(); ++rank) {
      Worker& w = worker(rank);
      if (w.state != State::idle || now() - w.last_notice < 0.05) continue;
      give_work(rank);
      if (w.state != State::idle) continue;
      if (std::fmod(now(), kWaitNotice) < 0.06) send(rank, Note(Note::Kind::wait));
      w.last_notice = now();
    }
  }

  void say_goodbye() {
    for (int rank = 1; rank < transport_.size(); ++rank) {
      if (worker(rank).state != State::gone) send(rank, Note(Note::Kind::stop));
    }
    const double until = now() + kGoodbyeSeconds;
    const auto missing = [&] {
      return std::count_if(workers_.begin() + 1, workers_.end(),
                           [](const Worker& w) { return w.state != State::gone; });
    };
    while (missing() > 0 && now() < until) {
      if (std::optional<Message> message = transport_.poll()) {
        const auto note = decode_note(message->bytes);
        if (!note) continue;
        if (note->kind == Note::Kind::bye) worker(message->from).state = State::gone;
        if (note->kind == Note::Kind::done) take_rows(message->from, *note);
        if (note->kind == Note::Kind::hello) send(message->from, Note(Note::Kind::stop));
      } else {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    }
    for (int rank = 1; rank < transport_.size(); ++rank) {
      if (worker(rank).state == State::gone) continue;
      report_.all_here = false;
      report_.remarks.push_back("process " + std::to_string(rank) +
                                " does not answer any more; the others did its work");
    }
    Note end(Note::Kind::end);
    end.shared = report_.all_here;
    for (int rank = 1; rank < transport_.size(); ++rank) {
      if (worker(rank).state == State::gone) send(rank, end);
    }
    if (!report_.all_here) flush();
  }

  /// Lets the last words leave: nobody waits for them at the end.
  void flush() {
    const double until = now() + 0.5;
    while (now() < until) {
      transport_.poll();
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

  Workplace& place_;
  Transport& transport_;
  const SweepOptions& options_;
  HandOut hand_out_;
  std::vector<Worker> workers_;
  RowFile relayed_;  ///< rows of workers whose disk the master does not see, or which is full
  std::mutex mutex_;
  std::atomic<bool> stop_{false};
  std::string error_, token_, token_path_;
  LeadClock::time_point begin_ = LeadClock::now();
  TeamReport report_;
};

}  // namespace

TeamReport lead(Workplace& place, Transport& transport, const SweepOptions& options) {
  return Master(place, transport, options).lead();
}

}  // namespace carom::sweep

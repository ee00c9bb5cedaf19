#include "solver/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <fstream>
#include <string>
#include <string_view>

#include "solver/solver.h"

extern char** environ;

namespace leto::solver {

namespace {

// A solver answers many questions and frees nearly everything between them. Left alone, the C
// library hands that memory back to the system each time and takes it again page by page.
std::vector<std::string> child_environment() {
  std::vector<std::string> variables{"MALLOC_TRIM_THRESHOLD_=268435456",
                                     "MALLOC_MMAP_THRESHOLD_=33554432", "MALLOC_TOP_PAD_=16777216"};
  for (char** v = environ; *v != nullptr; ++v)
    if (!std::string_view(*v).starts_with("MALLOC_")) variables.emplace_back(*v);
  return variables;
}

}  // namespace

Process::Process(const std::vector<std::string>& arguments, std::uint64_t memory_mb) {
  int to_child[2], from_child[2];
  // A socket, which can be written to without a signal when nobody reads.
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, to_child) != 0) return;
  if (pipe2(from_child, O_CLOEXEC) != 0) {
    close(to_child[0]);
    close(to_child[1]);
    return;
  }
  // The very file whose hash is shown, and none that is looked for in another way.
  const std::string program = find_program(arguments.at(0));
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  std::vector<std::string> variables = child_environment();
  std::vector<char*> environment;
  for (std::string& variable : variables) environment.push_back(variable.data());
  environment.push_back(nullptr);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(126);
    signal(SIGINT, SIG_IGN);  // an interrupt is the parent's business
    signal(SIGPIPE, SIG_DFL);
    dup2(to_child[0], STDIN_FILENO);
    dup2(from_child[1], STDOUT_FILENO);
    const int null = open("/dev/null", O_WRONLY);
    if (null >= 0) dup2(null, STDERR_FILENO);
    if (memory_mb > 0) {
      const rlim_t bytes = static_cast<rlim_t>(memory_mb) << 20;
      const rlimit limit{bytes, bytes};
      setrlimit(RLIMIT_AS, &limit);
    }
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    execve(program.c_str(), argv.data(), environment.data());
    _exit(127);
  }
  close(to_child[0]);
  close(from_child[1]);
  if (child < 0) {
    close(to_child[1]);
    close(from_child[0]);
    return;
  }
  setpgid(child, child);  // also here, so that it is true whoever comes first
  pid_ = child;
  in_ = to_child[1];
  out_ = from_child[0];
  fcntl(in_, F_SETFL, fcntl(in_, F_GETFL) | O_NONBLOCK);
  fcntl(out_, F_SETFL, fcntl(out_, F_GETFL) | O_NONBLOCK);
}

Process::Status Process::exchange(const std::string& text, const std::string& end,
                                  Clock::time_point deadline, const Allowance& allowance,
                                  std::string& reply, const std::atomic<bool>* unwanted) {
  reply.clear();
  std::size_t sent = 0;
  std::size_t searched = 0;
  constexpr std::size_t kMaxReply = 64u << 20;
  while (true) {
    // A line equal to `end`?
    while (true) {
      const std::size_t newline = buffer_.find('\n', searched);
      if (newline == std::string::npos) break;
      std::string_view line(buffer_.data() + searched, newline - searched);
      if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
      if (line == end) {
        reply = buffer_.substr(0, searched);
        buffer_.erase(0, newline + 1);
        return Status::Ok;
      }
      searched = newline + 1;
    }
    if (allowance.spent() || (unwanted != nullptr && *unwanted)) return Status::Interrupted;
    const auto now = Clock::now();
    if (now >= deadline) return Status::Late;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - now).count();
    pollfd fds[2] = {{out_, POLLIN, 0}, {in_, POLLOUT, 0}};
    const nfds_t count = sent < text.size() ? 2 : 1;
    const int ready = poll(fds, count, static_cast<int>(std::clamp<long long>(left, 1, 50)));
    if (ready < 0 && errno != EINTR) return Status::Ended;
    if (ready <= 0) continue;
    if (count == 2 && (fds[1].revents & (POLLOUT | POLLERR)) != 0) {
      const ssize_t n = send(in_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
      if (n > 0)
        sent += static_cast<std::size_t>(n);
      else if (n < 0 && errno != EAGAIN && errno != EINTR)
        sent = text.size();  // it listens no more; what it said may still be there
    }
    if ((fds[0].revents & (POLLIN | POLLHUP | POLLERR)) != 0) {
      char chunk[65536];
      const ssize_t n = read(out_, chunk, sizeof chunk);
      if (n > 0) {
        buffer_.append(chunk, static_cast<std::size_t>(n));
        if (buffer_.size() > kMaxReply) {
          reply = "too much output";
          return Status::Ended;
        }
      } else if (n == 0) {
        reply = buffer_;
        return Status::Ended;
      } else if (errno != EAGAIN && errno != EINTR) {
        return Status::Ended;
      }
    }
  }
}

void Process::end_input() {
  ends_input_ = true;
  if (outbox_.empty() && in_ >= 0) shutdown(in_, SHUT_WR);
}

Process::Status Process::wait(std::chrono::milliseconds most) {
  if (!running()) return Status::Ended;
  pollfd fds[2] = {{out_, POLLIN, 0}, {in_, POLLOUT, 0}};
  const int ready = poll(fds, outbox_.empty() ? 1 : 2, static_cast<int>(most.count()));
  if (ready < 0 && errno != EINTR) return Status::Ended;
  if (ready <= 0) return Status::Late;
  if (!outbox_.empty() && (fds[1].revents & (POLLOUT | POLLERR)) != 0) {
    const ssize_t n = send(in_, outbox_.data(), outbox_.size(), MSG_NOSIGNAL);
    if (n > 0)
      outbox_.erase(0, static_cast<std::size_t>(n));
    else if (n < 0 && errno != EAGAIN && errno != EINTR)
      outbox_.clear();  // it listens no more; what it said may still be there
    if (outbox_.empty() && ends_input_) shutdown(in_, SHUT_WR);
  }
  if ((fds[0].revents & (POLLIN | POLLHUP | POLLERR)) == 0) return Status::Late;
  constexpr std::size_t kMostKept = 256u << 20;
  char chunk[65536];
  const ssize_t n = read(out_, chunk, sizeof chunk);
  if (n > 0) buffer_.append(chunk, static_cast<std::size_t>(n));
  if (n > 0) return buffer_.size() > kMostKept ? Status::Ended : Status::Ok;
  return n < 0 && (errno == EAGAIN || errno == EINTR) ? Status::Late : Status::Ended;
}

std::optional<std::string> Process::take_line() {
  const std::size_t newline = buffer_.find('\n');
  if (newline == std::string::npos) return std::nullopt;
  std::string line = buffer_.substr(0, newline);
  buffer_.erase(0, newline + 1);
  return line;
}

double Process::cpu_seconds() const {
  clockid_t clock{};
  timespec used{};
  if (pid_ > 0 && clock_getcpuclockid(pid_, &clock) == 0 && clock_gettime(clock, &used) == 0)
    cpu_seconds_ = std::max(
        cpu_seconds_, static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9);
  return cpu_seconds_;
}

bool Process::is_asleep() const {
  std::ifstream in("/proc/" + std::to_string(pid_) + "/stat");
  std::string text;
  std::getline(in, text);
  const std::size_t name_ends = text.rfind(") ");  // a name may have anything in it
  return name_ends != std::string::npos && text.compare(name_ends + 2, 1, "S") == 0;
}

void Process::hold() const {
  if (pid_ > 0) kill(-pid_, SIGSTOP);
}

void Process::go_on() const {
  if (pid_ > 0) kill(-pid_, SIGCONT);
}

int Process::kill_all() {
  if (pid_ <= 0) return 0;
  kill(-pid_, SIGKILL);
  kill(pid_, SIGKILL);
  int status = 0;
  rusage usage{};
  while (wait4(pid_, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  peak_mb_ = static_cast<std::uint64_t>(usage.ru_maxrss) / 1024;
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  cpu_seconds_ = std::max(cpu_seconds_, seconds(usage.ru_utime) + seconds(usage.ru_stime));
  close(in_);
  close(out_);
  pid_ = -1;
  in_ = out_ = -1;
  return status;
}

}  // namespace leto::solver

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "lsp/server.h"
#include "process/process.h"

namespace leto::lsp {

namespace {

constexpr const char* kChanged = "the text has changed";

// What a command is to be done with: a URI, by itself or in something that has one.
std::string commanded_uri(const json& arguments) {
  if (!arguments.is_array() || arguments.empty()) return {};
  const json& first = arguments[0];
  const json& uri = first.is_string()                ? first
                    : first.contains("textDocument") ? member(first, "textDocument/uri")
                                                     : member(first, "uri");
  return uri.is_string() ? uri.get<std::string>() : std::string();
}

}  // namespace

void Server::execute_command(const json& id, const json& params) {
  const std::string command = text_member(params, "command");
  if (command != "leto.verify")
    throw RequestError{ErrorCode::InvalidParams, fmt::format("there is no '{}'", command)};
  const json& arguments = member(params, "arguments");
  const bool named = arguments.is_array() && !arguments.empty();
  const Document* found = find_document(named ? commanded_uri(arguments) : last_used_);
  if (found == nullptr)
    throw RequestError{ErrorCode::InvalidParams, "the first argument has to be an open document"};
  cancel_proofs_of(found->uri);
  weigh_doubts();
  order_proof(*found, member(params, "workDoneToken"), id);
}

void Server::order_proof(const Document& document, json token, json request) {
  expect_known(document);
  Order order{input_for(document), {}, files_.unknown(), settings_.jobs};
  for (const auto& [uri, other] : documents_) order.open[other.path] = other.text;
  auto task = std::make_unique<Task>();
  task->number = ++last_number_;
  task->uri = document.uri;
  task->request = std::move(request);
  const bool is_known = is_id(token);
  task->token = is_known ? std::move(token) : json(fmt::format("leto/verify/{}", task->number));
  task->proof = std::make_unique<Proof>(std::move(order));
  const std::string name = std::filesystem::path(document.path).filename().string();
  if (is_known || client_.progress)
    progress_.begin(task->token, fmt::format("Verifying {}", name), is_known);
  waiting_.push_back(std::move(task));
  start_next();
}

void Server::start_next() {
  if (running_ || waiting_.empty()) return;
  running_ = std::move(waiting_.front());
  waiting_.pop_front();
  if (settings_.seconds > 0)
    running_->until = Events::Clock::now() + std::chrono::duration_cast<Events::Clock::duration>(
                                                 std::chrono::duration<double>(settings_.seconds));
  try {
    running_->thread = std::thread([this, proof = running_->proof.get(), job = running_->number] {
      proof->run(job, events_);
    });
  } catch (const std::system_error& error) {
    drop(*running_, fmt::format("not verified: {}", error.what()));
    running_.reset();
  }
}

// Ends a verification that takes more than it may: what is not known by then is unknown.
void Server::watch_proof() {
  if (!running_) return;
  if (running_->until && Events::Clock::now() > *running_->until)
    running_->proof->end_for(Allowance::End::Time);
  const std::uint64_t most = process::memory_of_machine() / 2;
  if (most != 0 && process::memory_in_use() > most)
    running_->proof->end_for(Allowance::End::Memory);
}

// What the editor has said meanwhile comes first: it may be that the text has changed.
void Server::finish(std::uint64_t job) {
  if (!running_ || running_->number != job) return;
  if (phase_ == Phase::Serving && events_.has_arrival()) {
    events_.push(Ended{job});
    return;
  }
  const std::unique_ptr<Task> task = std::move(running_);
  task->thread.join();
  conclude(*task);
  if (phase_ == Phase::Serving) start_next();
}

void Server::conclude(Task& task) {
  const auto found = documents_.find(task.uri);
  const bool changed = task.outdated || found == documents_.end() ||
                       (!task.proof->cancelled() && !task.proof->is_about(files_));
  if (changed || task.proof->cancelled()) {
    drop(task, changed ? kChanged : "cancelled");
    return;
  }
  const std::string outcome = task.proof->outcome();
  json result = {{"status", "unknown"}, {"message", outcome}};
  if (task.proof->problem().empty()) {
    const workbench::Verified& v = task.proof->verified();
    result = {{"status", describe(v.status())},
              {"message", outcome},
              {"model", v.model},
              {"proved", v.count(prove::Status::Proved)},
              {"claims", v.claims.size()}};
    log(fmt::format("{}: {}\n{}", found->second.uri, outcome, task.proof->summary()));
    found->second.proof = std::move(task.proof);
    found->second.claims = tell_claims(*found->second.proof, client_);
    (void)analysis_of(found->second);
    publish(found->second);
  } else {
    warn(fmt::format("{}: {}", found->second.uri, outcome));
    if (task.proof->lacks_solver()) show_once(outcome);
  }
  progress_.end(task.token, outcome);
  if (!task.request.is_null()) send(answer(task.request, std::move(result)));
}

void Server::drop(Task& task, const std::string& why) {
  progress_.end(task.token, why);
  if (!task.request.is_null()) send(refusal(task.request, ErrorCode::Cancelled, why));
}

void Server::cancel_proofs_of(const std::string& uri) {
  if (running_ && running_->uri == uri) running_->outdated = true;
  for (const auto& task : waiting_) task->outdated = task->outdated || task->uri == uri;
  cancel_proof([](const Task& task) { return task.outdated; });
}

// The one that runs ends by itself, soon.
void Server::cancel_proof(const std::function<bool(const Task&)>& meant) {
  if (running_ && meant(*running_)) running_->proof->cancel();
  for (auto it = waiting_.begin(); it != waiting_.end();) {
    if (!meant(**it)) {
      ++it;
      continue;
    }
    drop(**it, (*it)->outdated ? kChanged : "cancelled");
    it = waiting_.erase(it);
  }
}

void Server::cancel_progress(const json& params) {
  const json token = member(params, "token");
  if (is_id(token)) cancel_proof([&](const Task& task) { return task.token == token; });
}

void Server::cancel_request(const json& params) {
  const json id = member(params, "id");
  if (is_id(id)) cancel_proof([&](const Task& task) { return task.request == id; });
}

}  // namespace leto::lsp

#include "lsp/server.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <new>

#include "lsp/framing.h"
#include "script/parse.h"
#include "workspace/places.h"

namespace leto::lsp {

namespace {

bool changes_texts(std::string_view method) {
  return method == "textDocument/didOpen" || method == "textDocument/didChange" ||
         method == "textDocument/didClose";
}

}  // namespace

int serve(const Setup& setup) {
  Server server(setup);
  return server.run();
}

Server::Server(const Setup& setup)
    : setup_(setup),
      library_(workspace::library_of(setup.executable_dir)),
      progress_(
          [this](const json& message) { send(message); },
          [this](const std::string& method, json params, std::function<void(const json&)> then) {
            ask(method, std::move(params), std::move(then));
          }),
      files_(disk_) {}

Server::~Server() {
  if (!running_) return;
  running_->proof->cancel();
  if (running_->thread.joinable()) running_->thread.join();
}

int Server::run() {
  std::thread listener([this] { listen(setup_.in, events_); });
  while (phase_ != Phase::Over) {
    try {
      const bool busy = running_ != nullptr;
      const auto tick = Events::Clock::now() + std::chrono::seconds(1);
      std::optional<Event> event = events_.pop(busy ? std::optional(tick) : std::nullopt);
      if (event) handle(std::move(*event));
      watch_proof();
      if (phase_ == Phase::Serving) settle();
    } catch (const std::exception& error) {  // such as a lack of memory: the next may do better
      warn(error.what());
    }
  }
  listener.join();
  return asked_to_end_ ? 0 : 1;
}

void Server::handle(Event event) {
  std::visit(Overload{[&](const Arrived& arrived) { handle_message(arrived); },
                      [&](const Garbled& garbled) {
                        send(refusal(nullptr, garbled.code, garbled.problem));
                        doubt_all(garbled.problem);  // it may have been a change
                      },
                      [&](const HungUp&) { phase_ = Phase::Over; },
                      [&](const WentOn& step) {
                        if (running_ && running_->number == step.job)
                          progress_.report(running_->token, step.message, step.percentage);
                      },
                      [&](const Ended& ended) { finish(ended.job); }},
             event);
}

void Server::handle_message(const Arrived& arrived) {
  const json& message = arrived.message;
  const json& method = member(message, "method");
  const bool has_id = message.contains("id");
  if (method.is_null() && has_id && (message.contains("result") || message.contains("error"))) {
    handle_answer(message);
    return;
  }
  const json& params = member(message, "params");
  const bool good = member(message, "jsonrpc") == "2.0" && method.is_string() &&
                    (!has_id || is_id(message["id"])) &&
                    (params.is_null() || params.is_object() || params.is_array());
  if (!good) {
    const json id = has_id && is_id(message["id"]) ? message["id"] : json();
    send(refusal(id, ErrorCode::InvalidRequest, "this is no request and no notification"));
    if (id.is_null()) doubt_all("a message is no request and no notification");
  } else if (has_id) {
    handle_request(message, arrived.cancelled);
  } else {
    handle_notification(message);
  }
}

void Server::handle_request(const json& message, bool cancelled) {
  const json& id = message["id"];
  const std::string method = message["method"];
  const json& params = member(message, "params");
  try {
    if (cancelled) throw RequestError{ErrorCode::Cancelled, "cancelled"};
    if (phase_ == Phase::New && method != "initialize")
      throw RequestError{ErrorCode::NotInitialized, "'initialize' comes first"};
    if (phase_ == Phase::ShutDown)
      throw RequestError{ErrorCode::InvalidRequest, "the server was shut down"};
    if (method == "workspace/executeCommand")
      execute_command(id, params);  // may answer later
    else
      send(answer(id, result_of(method, params)));
  } catch (const RequestError& error) {
    send(refusal(id, error.code, error.message));
  } catch (const Spent&) {
    send(refusal(id, ErrorCode::Cancelled, "cancelled"));
  } catch (const std::exception& error) {
    send(refusal(id, ErrorCode::Internal, error.what()));
  }
}

json Server::result_of(const std::string& method, const json& params) {
  static const std::map<std::string_view, Answer> kAnswers{
      {"initialize", &Server::initialize},
      {"shutdown", &Server::shut_down},
      {"textDocument/hover", &Server::answer_hover},
      {"textDocument/definition", &Server::answer_definition},
      {"textDocument/references", &Server::answer_references},
      {"textDocument/documentSymbol", &Server::answer_symbols},
      {"textDocument/completion", &Server::answer_completion},
      {"textDocument/formatting", &Server::answer_formatting},
      {"textDocument/codeAction", &Server::answer_actions},
      {"textDocument/prepareRename", &Server::answer_prepare_rename},
      {"textDocument/rename", &Server::answer_rename},
  };
  const auto found = kAnswers.find(method);
  if (found == kAnswers.end()) {
    if (changes_texts(method)) doubt_named(params, "a change of it came as a request");
    throw RequestError{ErrorCode::MethodNotFound, fmt::format("there is no '{}'", method)};
  }
  return (this->*found->second)(params);
}

void Server::handle_notification(const json& message) {
  static const std::map<std::string_view, Heed> kHeeds{
      {"initialized", &Server::initialized},
      {"textDocument/didOpen", &Server::open_document},
      {"textDocument/didChange", &Server::change_document},
      {"textDocument/didSave", &Server::save_document},
      {"textDocument/didClose", &Server::close_document},
      {"workspace/didChangeConfiguration", &Server::change_configuration},
      {"workspace/didChangeWatchedFiles", &Server::change_files},
      {"window/workDoneProgress/cancel", &Server::cancel_progress},
      {"$/cancelRequest", &Server::cancel_request},
  };
  const std::string method = message["method"];
  if (method == "exit") {
    phase_ = Phase::Over;
    return;
  }
  const auto found = kHeeds.find(method);
  if (phase_ != Phase::Serving || found == kHeeds.end()) return;
  try {
    (this->*found->second)(member(message, "params"));
  } catch (const RequestError& error) {
    lose_notification(message, error.message);
  } catch (const std::exception& error) {
    lose_notification(message, error.what());
  }
}

void Server::lose_notification(const json& message, const std::string& why) {
  const std::string method = message["method"];
  warn(fmt::format("{}: {}", method, why));
  if (changes_texts(method)) doubt_named(member(message, "params"), why);
}

void Server::handle_answer(const json& message) {
  const json& id = message["id"];
  const auto found = id.is_string() ? asked_.find(id.get<std::string>()) : asked_.end();
  if (found == asked_.end()) return;
  const std::function<void(const json&)> then = std::move(found->second);
  asked_.erase(found);
  then(message);
}

void Server::ask(const std::string& method, json params, std::function<void(const json&)> then) {
  const std::string id = fmt::format("leto/{}", ++last_number_);
  asked_[id] = std::move(then);
  json message = notification(method, std::move(params));
  message["id"] = id;
  send(message);
}

// Only one thread sends. If nobody reads, the end of what is read comes soon.
void Server::send(const json& message) {
  const std::string bytes = framed(script::to_line(message));
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    const ssize_t part = ::write(setup_.out, bytes.data() + sent, bytes.size() - sent);
    if (part < 0 && errno == EINTR) continue;
    if (part <= 0) return;
    sent += static_cast<std::size_t>(part);
  }
}

void Server::log(const std::string& text) {
  send(notification("window/logMessage", {{"type", 3}, {"message", text}}));
}

void Server::warn(const std::string& text) {
  send(notification("window/logMessage", {{"type", 2}, {"message", text}}));
}

void Server::show_once(const std::string& text) {
  if (shown_.insert(text).second)
    send(notification("window/showMessage", {{"type", 1}, {"message", text}}));
}

}  // namespace leto::lsp

// The server: one event after the other. What it knows is in its documents.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "lsp/actions.h"
#include "lsp/events.h"
#include "lsp/lsp.h"
#include "lsp/open_texts.h"
#include "lsp/progress.h"
#include "lsp/proof.h"
#include "lsp/rename.h"
#include "lsp/settings.h"

namespace leto::lsp {

class Server {
 public:
  explicit Server(const Setup& setup);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  [[nodiscard]] int run();

 private:
  struct Document {
    std::string uri, path, text;
    json version;
    std::string lost = {};   // why nobody knows what it says; empty: it says the text
    std::string rival = {};  // URI of another one that is open and is the same file; empty: none
    bool stale = true;       // it, or something that it imports, is not as it was analysed
    bool untold = true;      // the editor does not know yet what is known
    std::unique_ptr<Analysis> analysis = {};
    Told problems = {}, claims = {};
    std::shared_ptr<const Proof> proof = {};  // of this very text; null: there is none
  };
  struct Task {
    std::uint64_t number = 0;
    std::string uri;  // of the document
    json token;       // of its progress
    json request;     // that waits for it; null: none does
    std::unique_ptr<Proof> proof;
    bool outdated = false;  // the text has changed, or was closed
    std::thread thread = {};
    std::optional<Events::Clock::time_point> until = {};
  };
  using Answer = json (Server::*)(const json& params);
  using Heed = void (Server::*)(const json& params);
  enum class Phase : std::uint8_t { New, Serving, ShutDown, Over };

  // server.cpp: what arrives, and what is sent
  void handle(Event event);
  void handle_message(const Arrived& arrived);
  void handle_request(const json& message, bool cancelled);
  void handle_notification(const json& message);
  void lose_notification(const json& message, const std::string& why);
  void handle_answer(const json& message);
  [[nodiscard]] json result_of(const std::string& method, const json& params);
  void send(const json& message);
  void ask(const std::string& method, json params, std::function<void(const json&)> then);
  void log(const std::string& text);
  void warn(const std::string& text);
  void show_once(const std::string& text);

  // server_life.cpp: the beginning, the end, and what is wanted
  json initialize(const json& params);
  json shut_down(const json& params);
  void ask_for_settings();
  void initialized(const json& params);
  void change_configuration(const json& params);
  void change_files(const json& params);
  void take_settings(const json& said);

  // server_documents.cpp: texts, and what is wrong with them
  void open_document(const json& params);
  void change_document(const json& params);
  void save_document(const json& params);
  void close_document(const json& params);
  [[nodiscard]] Document* find_document(const std::string& uri);
  [[nodiscard]] Document& document_of(const json& params);
  [[nodiscard]] Document& add_document(const json& params);
  [[nodiscard]] AnalysisInput input_for(const Document& document) const;
  void set_text(Document& document, std::string text);
  void forget_all();
  void forget_proofs();
  void analyse(Document& document, bool may_be_interrupted);
  [[nodiscard]] Analysis& analysis_of(Document& document);
  [[nodiscard]] std::vector<Analysis*> all_analyses();
  void publish(Document& document);
  void settle();

  // server_doubts.cpp: texts that are not known
  void doubt_all(const std::string& why);
  void doubt_named(const json& params, const std::string& why);
  void weigh_doubts();
  void find_rivals();
  [[nodiscard]] static std::string doubt_of(const Document& document);
  static void expect_known(const Document& document);

  // server_answers.cpp: what the editor asks
  [[nodiscard]] std::uint32_t offset_in(Document& document, const json& params);
  [[nodiscard]] json version_of(const std::string& uri) const;
  json answer_hover(const json& params);
  json answer_definition(const json& params);
  json answer_references(const json& params);
  json answer_symbols(const json& params);
  json answer_completion(const json& params);
  json answer_formatting(const json& params);
  json answer_actions(const json& params);
  json answer_prepare_rename(const json& params);
  json answer_rename(const json& params);
  [[nodiscard]] RenameContext rename_context();

  // server_proofs.cpp: verification
  void execute_command(const json& id, const json& params);
  void order_proof(const Document& document, json token, json request);
  void start_next();
  void watch_proof();
  void finish(std::uint64_t job);
  void conclude(Task& task);
  void drop(Task& task, const std::string& why);
  void cancel_proofs_of(const std::string& uri);
  void cancel_proof(const std::function<bool(const Task&)>& meant);
  void cancel_progress(const json& params);
  void cancel_request(const json& params);

  Setup setup_;
  std::vector<std::string> library_;
  Client client_;
  Settings settings_;
  Phase phase_ = Phase::New;
  bool asked_to_end_ = false;  // shut down before the end
  Events events_;
  std::uint64_t last_number_ = 0;  // of requests and jobs
  std::map<std::string, std::function<void(const json&)>> asked_;
  Progress progress_;
  std::set<std::string> shown_;  // to the user, who need not see it again
  workspace::RealFileSystem disk_;
  OpenTexts files_;
  std::map<std::string, Document> documents_;  // by URI
  std::string last_used_;                      // URI of the document that the user is at
  std::unique_ptr<Task> running_;
  std::deque<std::unique_ptr<Task>> waiting_;
};

}  // namespace leto::lsp

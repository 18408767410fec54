#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/base/exit_code.h"

namespace pericenter::app {

/// A machine could not be reached, or a program that is needed to reach it is missing; what() says why and what to do.
class HostError : public ExitError {
 public:
  explicit HostError(const std::string& message) : ExitError(kUnavailable, message) {}
};

/// What a script printed: a name and a text per line, in order.
class HostFacts {
 public:
  /// Lines before "pericenter" are greetings of the machine.
  explicit HostFacts(std::string_view output);

  bool has(std::string_view name) const;
  /// The first text of this name; empty: there is none.
  std::string text(std::string_view name) const;
  std::vector<std::string> texts(std::string_view name) const;

 private:
  std::vector<std::pair<std::string, std::string>> facts_;
};

/// This machine, or one that is reached with ssh, which must log in without a question: no password is asked for.
/// Words reach no shell unquoted. For one thread; calls block for at most `patience` seconds without an answer.
class Host {
 public:
  /// `name`: [USER@]HOST; empty: this machine. Throws CommandLineError.
  explicit Host(std::string name, std::function<bool()> cancelled = {});

  const std::string& name() const { return name_; }
  bool is_local() const { return name_.empty(); }
  /// "this machine", "user@host".
  std::string title() const { return is_local() ? "this machine" : name_; }

  /// Runs a script of POSIX sh with these arguments. Throws HostError.
  HostFacts run(std::string_view script, const std::vector<std::string>& arguments) const;
  /// Copies files of a folder to another host's folder, or back, with rsync. Throws HostError.
  void send(const std::string& folder, const std::string& remote, const std::vector<std::string>& files) const;
  void fetch(const std::string& remote, const std::string& folder, const std::vector<std::string>& files) const;

 private:
  std::string output_of(const std::vector<std::string>& words, std::string_view input, double patience) const;
  void copy(const std::string& from, const std::string& to, const std::vector<std::string>& files) const;

  std::string name_;
  std::function<bool()> cancelled_;
};

}  // namespace pericenter::app

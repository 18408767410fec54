#include "app/cluster/host.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <span>
#include <system_error>

#include "app/base/format.h"
#include "app/base/process.h"
#include "app/settings/command_line_error.h"
#include "sim/core/printable.h"

namespace pericenter::app {
namespace {

constexpr double kAnswerSeconds = 30;  ///< longest time without a sign of life
constexpr double kCopySeconds = 60;
/// No questions: what ssh cannot do with keys and its agent, it refuses.
constexpr const char* kSshOptions[] = {"-o", "BatchMode=yes", "-o", "ConnectTimeout=10"};

/// A name of the user cannot become an option of ssh, and none of its characters has a meaning for a shell or rsync.
void check_name(const std::string& name) {
  constexpr std::string_view kAllowed = "@._-";
  const auto allowed = [&](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kAllowed.find(c) != kAllowed.npos;
  };
  if (name.empty() || (name[0] != '-' && std::ranges::all_of(name, allowed))) return;
  throw CommandLineError(
      "'" + printable(name) +
      "' is not a host: use HOST or USER@HOST, with letters, digits, '.', '_' and '-'. Other settings, "
      "such as a port, belong in the file ~/.ssh/config, under a name for the host.");
}

}  // namespace

HostFacts::HostFacts(std::string_view output) {
  bool begun = false;
  while (!output.empty()) {
    const std::string_view line = output.substr(0, output.find('\n'));
    output.remove_prefix(std::min(output.size(), line.size() + 1));
    if (begun) {
      const std::size_t space = std::min(line.find(' '), line.size());
      facts_.emplace_back(line.substr(0, space), line.substr(std::min(line.size(), space + 1)));
    }
    begun = begun || line == "pericenter";
  }
}

bool HostFacts::has(std::string_view name) const {
  return std::ranges::any_of(facts_, [&](const auto& fact) { return fact.first == name; });
}

std::string HostFacts::text(std::string_view name) const {
  const auto found = std::ranges::find_if(facts_, [&](const auto& fact) { return fact.first == name; });
  return found == facts_.end() ? "" : found->second;
}

std::vector<std::string> HostFacts::texts(std::string_view name) const {
  std::vector<std::string> found;
  for (const auto& [key, value] : facts_)
    if (key == name) found.push_back(value);
  return found;
}

Host::Host(std::string name, std::function<bool()> cancelled)
    : name_(std::move(name)), cancelled_(std::move(cancelled)) {
  check_name(name_);
}

std::string Host::output_of(const std::vector<std::string>& words, std::string_view input, double patience) const {
  const std::string& program = words.front();
  try {
    ChildProcess child(words, [&] { return cancelled_ && cancelled_() ? 0.0 : patience; });
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(input.data());
    child.write(std::span(bytes, input.size()));
    const std::optional<int> code = child.finish();
    std::string output = child.output();
    if (code == 0) return output;
    if (cancelled_ && cancelled_()) throw HostError("Cancelled.");
    if (!code) throw HostError(title() + " does not answer (" + program + "). Try again later.");
    const std::string remedy =
        is_local() ? "" : " Try 'ssh " + name_ + "' in a terminal: it must log in without a question.";
    const std::string reason = last_line(output);
    throw HostError(program + " failed on " + title() + ": " + (reason.empty() ? "no message" : reason) + "." + remedy);
  } catch (const std::system_error& error) {
    throw HostError("Cannot start " + program + ": " + error.code().message() + "." +
                    (error.code().value() == ENOENT
                         ? " Install it: on Debian and Ubuntu, apt-get install " +
                               std::string(program == "ssh" ? "openssh-client" : program) + "."
                         : ""));
  }
}

HostFacts Host::run(std::string_view script, const std::vector<std::string>& arguments) const {
  std::vector<std::string> words = {"sh", "-s", "--"};
  if (is_local()) {
    words.insert(words.end(), arguments.begin(), arguments.end());
    return HostFacts(output_of(words, script, kAnswerSeconds));
  }
  std::string command = "sh -s --";
  for (const std::string& argument : arguments) command += " " + shell_word(argument);
  words = {"ssh"};
  words.insert(words.end(), std::begin(kSshOptions), std::end(kSshOptions));
  words.insert(words.end(), {name_, command});
  return HostFacts(output_of(words, script, kAnswerSeconds));
}

void Host::copy(const std::string& from, const std::string& to, const std::vector<std::string>& files) const {
  if (files.empty()) return;
  std::string list;
  for (const std::string& file : files) list += file + '\n';
  std::string ssh = "ssh";
  for (const char* option : kSshOptions) ssh += std::string(" ") + option;
  // Files appear under their names when they are whole. -s: no shell sees the names.
  output_of({"rsync", "-t", "-s", "--files-from=-", "-e", ssh, from, to}, list, kCopySeconds);
}

void Host::send(const std::string& folder, const std::string& remote, const std::vector<std::string>& files) const {
  copy(folder + "/", name_ + ":" + remote + "/", files);
}

void Host::fetch(const std::string& remote, const std::string& folder, const std::vector<std::string>& files) const {
  copy(name_ + ":" + remote + "/", folder + "/", files);
}

}  // namespace pericenter::app

// Drops files onto a window as a file manager does, for the window test: xdotool cannot do this.
// usage: drop_files WINDOW FILE...   (absolute paths; exits with 0 if the window has accepted them)
// Source: X Drag-and-Drop (XDND), version 5, freedesktop.org.
#include <X11/Xlib.h>
#include <unistd.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

constexpr unsigned kTimeoutSeconds = 20;  // SIGALRM then ends the program
constexpr long kVersion = 5;

/// A list of URIs (RFC 2483) with special characters as %XX.
std::string uri_list(int count, char** paths) {
  std::string list;
  for (int k = 0; k < count; ++k) {
    list += "file://";
    for (const char* c = paths[k]; *c; ++c) {
      char escaped[4] = {*c};
      const bool plain = std::isalnum(static_cast<unsigned char>(*c)) || std::strchr("/._-~", *c);
      if (!plain) std::snprintf(escaped, sizeof escaped, "%%%02X", static_cast<unsigned char>(*c));
      list += escaped;
    }
    list += "\r\n";
  }
  return list;
}

class Drag {
 public:
  Drag(Display* display, Window target)
      : display_(display),
        target_(target),
        source_(XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0)) {
    XSetSelectionOwner(display_, atom("XdndSelection"), source_, CurrentTime);
  }

  void send(const char* message, long l1, long l2, long l3, long l4) {
    XEvent event = {};
    event.xclient.type = ClientMessage;
    event.xclient.window = target_;
    event.xclient.message_type = atom(message);
    event.xclient.format = 32;
    const long words[] = {static_cast<long>(source_), l1, l2, l3, l4};
    std::memcpy(event.xclient.data.l, words, sizeof words);
    XSendEvent(display_, target_, False, NoEventMask, &event);
  }

  /// Hands the list out until the target sends this message; whether its first flag is set.
  bool answer(const char* message, const std::string& list) {
    for (;;) {
      XEvent event;
      XNextEvent(display_, &event);
      if (event.type == SelectionRequest) hand_out(event.xselectionrequest, list);
      if (event.type == ClientMessage && event.xclient.message_type == atom(message))
        return event.xclient.data.l[1] & 1;
    }
  }

  Atom atom(const char* name) { return XInternAtom(display_, name, False); }

 private:
  void hand_out(const XSelectionRequestEvent& request, const std::string& list) {
    XChangeProperty(display_, request.requestor, request.property, request.target, 8, PropModeReplace,
                    reinterpret_cast<const unsigned char*>(list.data()), static_cast<int>(list.size()));
    XEvent event = {};
    event.xselection.type = SelectionNotify;
    event.xselection.requestor = request.requestor;
    event.xselection.selection = request.selection;
    event.xselection.target = request.target;
    event.xselection.property = request.property;
    event.xselection.time = request.time;
    XSendEvent(display_, request.requestor, False, NoEventMask, &event);
  }

  Display* display_;
  Window target_, source_;
};

}  // namespace

int main(int count, char** arguments) {
  Display* display = XOpenDisplay(nullptr);
  if (!display || count < 3) return 2;
  alarm(kTimeoutSeconds);
  const Window target = std::strtoul(arguments[1], nullptr, 0);
  const std::string list = uri_list(count - 2, arguments + 2);
  int x = 0, y = 0;
  Window child = 0;
  XTranslateCoordinates(display, target, DefaultRootWindow(display), 100, 100, &x, &y, &child);

  Drag drag(display, target);
  drag.send("XdndEnter", kVersion << 24, static_cast<long>(drag.atom("text/uri-list")), 0, 0);
  drag.send("XdndPosition", 0, static_cast<long>(x) << 16 | y, CurrentTime,
            static_cast<long>(drag.atom("XdndActionCopy")));
  if (!drag.answer("XdndStatus", list)) return 1;
  drag.send("XdndDrop", 0, CurrentTime, 0, 0);
  drag.answer("XdndFinished", list);  // GLFW 3.3 has a number of bytes where the flag of success should be
  return 0;
}

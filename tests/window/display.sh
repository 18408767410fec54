# Shared by the window tests: a virtual display, waiting, and the rectangles of controls. Sets `program` and `folder`; the
# test runs in that folder, which is deleted at the end.

exec 9>&2  # stderr for fail, even while the output of a function is redirected
fail() {
  echo "FAILED: $*" >&9
  exit 1
}

# Waits up to 60 seconds for a command to succeed; only a defect uses them up.
wait_until() {
  local end=$((SECONDS + 60))
  while ((SECONDS < end)); do
    if "$@" > /dev/null 2>&1; then return; fi
    sleep 0.1
  done
  fail "timeout: $*"
}

# Checksum of the pixels in the rectangle WxH+X+Y of the window.
look() { import -window "$window" -crop "$1" rgb:- | md5sum; }

# Whether nothing changes for a second, or for $2: a picture at rest is drawn once more 0.7 s after its last change.
rests() {
  local before
  before=$(look "$1")
  sleep "${2:-1}"
  [[ $(look "$1") == "$before" ]]
}

# Sets x0 y0 x1 y1 to the rectangle of the control with this ID.
find_control() {
  local id
  while read -r x0 y0 x1 y1 id; do
    if [[ $id == "$1" ]]; then return; fi
  done < controls
  fail "no control '$1'; there are: $(cut -d ' ' -f 5- controls | tr '\n' ';')"
}

# Not xvfb-run: its display number may collide with another server, and it hides the exit code of the command.
start_display() {  # WIDTHxHEIGHTxDEPTH and options; the server selects a free number and prints it when it is ready
  rm -f display
  Xvfb -displayfd 3 -screen 0 "$1" -nolisten tcp -noreset "${@:2}" 3> display 2> xvfb_log & server=$!
  wait_until test -s display
  DISPLAY=:$(< display)
  export DISPLAY
}

stop_display() {
  kill "$server"
  wait "$server" || true
}

clean_up() {
  if [[ -n $pid ]]; then kill "$pid" 2> /dev/null || true; fi
  if [[ -n $server ]]; then kill "$server" 2> /dev/null || true; fi
  rm -rf "$folder"
}

program=$(realpath "$1")
folder=$(mktemp -d)
pid='' server=''
trap clean_up EXIT
cd "$folder"
export HOME=$folder XDG_CONFIG_HOME=$folder/config XDG_PICTURES_DIR=$folder LIBGL_ALWAYS_SOFTWARE=1
unset WAYLAND_DISPLAY

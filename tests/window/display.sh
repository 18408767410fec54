# What the tests of the real window share: a display of their own, waiting, and the controls that the program tells of.
# Sets program and folder; a test is in the folder, which is gone at its end.

exec 9>&2  # for fail, wherever the output of a function goes
fail() {
  echo "FAILED: $*" >&9
  exit 1
}

# Waits up to 20 seconds for a command to succeed.
wait_until() {
  local end=$((SECONDS + 20))
  while ((SECONDS < end)); do
    if "$@" > /dev/null 2>&1; then return; fi
    sleep 0.1
  done
  fail "waited in vain for: $*"
}

# Sets x0 y0 x1 y1 to where the program says that a control is.
find_control() {
  local label
  while read -r x0 y0 x1 y1 label; do
    if [[ $label == "$1" ]]; then return; fi
  done < items
  fail "the panel has no '$1', but: $(cut -d ' ' -f 5- items | tr '\n' ';')"
}

# Not xvfb-run: it takes a number that another server may take at the same time, and its own exit code for the command's.
start_display() {  # WIDTHxHEIGHTxDEPTH and options; the server chooses a free number, and says so when it is ready
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

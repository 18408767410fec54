# Prints a line as zsh completes it when Tab is pressed: zsh_completion.zsh FILE LINE. FILE is the output of
# `pericenter --generate zsh`.
zmodload zsh/zpty
text=''

# read_until PATTERN: reads the output of the inner shell until it matches, for ten seconds at most.
read_until() {
  local piece=''
  local -i tries=200
  while [[ $text != $~1 ]] && (( tries-- > 0 )); do
    if zpty -r -t shell piece; then text+=$piece; else sleep 0.05; fi
  done
}

zpty shell zsh -f -i
mkdir -p functions
cp $1 functions/_pericenter
zpty -w shell "PS1=; fpath=($PWD/functions \$fpath); autoload -U compinit; compinit -D -u; print rea''dy"
read_until '*ready*'
text=''
zpty -n -w shell $2$'\t'
sleep 0.5
zpty -n -w shell '|'
read_until '*\|*'
zpty -d shell
print -r -- $text

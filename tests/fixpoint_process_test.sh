#!/usr/bin/env bash
# leto-engine as a process: what it understands on its command line, that its limits end it without
# an answer, and that the one which is shipped knows no mutants.
set -euo pipefail
engine=$1
mutants=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$*"; exit 1; }

cat >"$work/system" <<'TEXT'
; state x |x'|
(declare-const x Int)
(declare-const |x'| Int)
(define-fun init () Bool (= x 0))
(define-fun trans () Bool (= |x'| (+ x 1)))
(define-fun claim () Bool (not (= x LAST)))
(define-fun facts () Bool true)
TEXT
system() { sed "s/LAST/$1/" "$work/system"; }
ask() {  # LAST EXECUTABLE ARGUMENTS..: the last line, and in `status` how it ended
  local last=$1
  shift
  status=0
  system "$last" | "$@" >"$work/out" 2>"$work/err" || status=$?
  answer=$(tail -n 1 "$work/out")
}

for name in pdr pdkind spacer spacer-normalised; do  # seeds know of no broken claim
  ask '(- 1)' "$engine" "$name"
  [[ $status == 0 && $answer == "valid 1 "* ]] || fail "$name says '$answer' ($status)"
  ask 3 "$engine" "$name" --cpu 60 --memory 4000
  [[ $status == 0 && $answer == invalid* ]] || fail "$name says '$answer' ($status)"
done
ask 3 "$engine" pdr
[[ $answer == "invalid 3" ]] || fail "the depth is wrong: $answer"

for arguments in "" "bmc" "pdr --cpu" "pdr --cpu 0" "pdr --cpu -1" "pdr --cpu 1x" "pdr --kmax 0" \
                 "pdr --memory 99999999999999999999" "pdr --mutant no-init" "pdr extra"; do
  # shellcheck disable=SC2086  # several words
  ask 3 "$engine" $arguments
  [[ $status == 2 && -z $answer ]] || fail "'$arguments' is understood: '$answer' ($status)"
done

# It counts and would count for a long time. No line that is an answer, and the end is not a normal one.
ask 100000000 "$engine" pdr --cpu 1
[[ $status != 0 ]] || fail "the limit on time ended nothing: '$answer'"
! grep -qE '^(valid|invalid|unknown)' "$work/out" || fail "there is an answer: '$answer'"
ask 100000000 "$engine" pdr --cpu 60 --memory 40
! grep -qE '^(valid|invalid)' "$work/out" || fail "there is an answer without memory: '$answer'"

ask 0 "$engine" pdkind
[[ $answer == "invalid 0" ]] || fail "it begins with a broken claim: '$answer'"
ask 0 "$mutants" pdkind --mutant no-init
[[ $answer == valid* ]] || fail "the mutant is not weakened: '$answer'"
ask 0 "$mutants" pdkind --mutant nothing
[[ $status == 2 ]] || fail "there is no such mutant"
echo "fine"

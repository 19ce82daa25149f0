#!/bin/sh
# Walks through Ze's page on elicitation, at Ze or at the gateway in front of it:
#   mrtr-gateway demo &
#   examples/ze-walk.sh http://127.0.0.1:9719/mcp
# Ends with 0 when every step went as the page says.
url=${1:-http://127.0.0.1:9719/mcp}
wrong=0

# step STATUS TITLE [FLAG…]: runs the directives of stdin and compares the exit status.
step() {
  expected=$1
  printf '\n== %s\n' "$2"
  shift 2
  mrtr-gateway probe "$url" "$@"
  status=$?
  [ "$status" -eq "$expected" ] || { wrong=1; echo "== ended with $status instead of $expected"; }
}

step 0 'The round trip: asked, answered, done' --elicit form <<'END'
elicit-answer accept show bgp peer list
@ze_execute {}
END

step 1 'A refusal ends the call' <<'END'
elicit-answer decline
@ze_execute {}
END

step 1 'So does a dismissal' <<'END'
elicit-answer cancel
@ze_execute {}
END

step 0 'An omission is asked again' <<'END'
elicit-answer omit
elicit-answer accept show bgp summary
@ze_execute {}
END

step 0 'Form mode shapes the tool: command is not required' --elicit form <<'END'
list
END

step 0 'The shape {} stands for form mode' --elicit '' <<'END'
list
END

step 1 'Without it command is required, and its lack is an error, not a question' --elicit url <<'END'
list
@ze_execute {}
END

step 3 'A requestState that nobody issued is refused' <<'END'
state c2Vzc2lvbg
@ze_execute {}
END

step 0 'Tasks do not ask' --elicit form --capability tasks <<'END'
@ze_rib_dump
task
END

exit $wrong

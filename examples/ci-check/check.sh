#!/bin/sh
# A job that fails when an MCP server breaks a MUST of the revision, or cannot be checked:
#   examples/ci-check/check.sh http://127.0.0.1:9718/mcp --profile ze --call ze_execute
# Whatever follows the URL goes to `mrtr-gateway check`. The report for the CI server is in REPORT (check.xml).
url=${1:?the URL of the MCP endpoint}
shift
report=${REPORT:-check.xml}

mrtr-gateway check "$url" "$@" --format junit >"$report"
status=$?
case $status in
  0) echo "$url breaks no obligation; see $report" ;;
  1) echo "$url breaks an obligation; see $report" >&2 ;;
  4) echo "$url could not be checked" >&2 ;;
esac
exit "$status"

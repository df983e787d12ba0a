#!/bin/sh
# Prints the state of the Git repository: branch, changes and the last commits.

if [ "$1" = --schema ]; then
  cat <<'END'
{
  "name": "git_status",
  "description": "Show the Git branch, the changed files and the last commits.",
  "parameters": {
    "commits": { "type": "integer", "minimum": 0, "maximum": 50, "default": 5, "description": "Number of commits" }
  }
}
END
  exit
fi

# The text on standard input as the inside of a JSON string.
json_text() {
  tr -d '\000-\010\013-\037\177' |
    sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e "s/$(printf '\t')/\\\\t/g" |
    awk '{ printf "%s%s", separator, $0; separator = "\\n" }'
}

fail() {
  printf '{"success": false, "error": "%s"}\n' "$(printf '%s' "$1" | json_text)"
  exit 1
}

# Without settings of the repository that run programs, and without waiting for other Git commands.
git() {
  command git --no-pager --no-optional-locks -c core.fsmonitor=false -c core.hooksPath=/dev/null "$@"
}

# A number is easy to find in JSON. For more, use jq: query=$(jq -r .query)
commits=$(sed -n 's/.*"commits"[[:space:]]*:[[:space:]]*\([0-9]\{1,2\}\).*/\1/p')

git rev-parse --is-inside-work-tree >/dev/null 2>&1 || fail "$(pwd) is not in a Git repository."
changes=$(git status --short --branch 2>&1) || fail "$changes"
log=$(git log --max-count="${commits:-5}" --format='%h %s (%an, %ar)' 2>/dev/null)

printf '%s\n\nLast commits:\n%s\n' "$changes" "${log:-none}" | json_text |
  awk '{ printf "{\"success\": true, \"result\": \"%s\"}\n", $0 }'

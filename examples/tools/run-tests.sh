#!/bin/sh
# Runs the tests of the project in the current directory with the tool that the project uses.

if [ "$1" = --schema ]; then
  cat <<'END'
{
  "name": "run_tests",
  "description": "Run the tests of this project. Returns the command, its exit code and the end of its output.",
  "parameters": {},
  "timeout_seconds": 600
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

if [ -f package.json ] && grep -q '"test"[[:space:]]*:' package.json; then command='npm test --silent'
elif [ -f Cargo.toml ]; then command='cargo test'
elif [ -f go.mod ]; then command='go test ./...'
elif [ -f Package.swift ]; then command='swift test'
elif [ -f pom.xml ]; then command='mvn -q test'
elif [ -f gradlew ]; then command='./gradlew test'
elif [ -f pyproject.toml ] || [ -f pytest.ini ] || [ -f setup.cfg ]; then command='python3 -m pytest'
elif [ -f Makefile ] && grep -q '^test:' Makefile; then command='make test'
else
  echo '{"success": false, "error": "No test command was found for this directory. Use run_shell instead."}'
  exit 1
fi

# What goes to standard error is not for the model: ybs shows it to the user and logs it.
echo "running $command" >&2
output=$($command </dev/null 2>&1)
code=$?

# Failed tests are a result, not a failure of this tool.
printf '{"success": true, "command": "%s", "exit_code": %d, "output": "%s"}\n' \
  "$command" "$code" "$(printf '%s\n' "$output" | tail -n 200 | json_text)"

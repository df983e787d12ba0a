/**
 * Commands of the chat that the public documentation of other agents listed in November 2026: Claude Code, Codex, Gemini CLI,
 * opencode, pi, aider and goose.
 */
export const SLASH_COMMANDS = `
add-dir agents background bashes bug branch btw chrome clear color compact config context copy cost desktop diff
doctor effort exit export fast feedback fork help hooks ide init insights install-github-app keybindings login logout
mcp memory mobile model output-style permissions plan plugin pr-comments privacy-settings quit release-notes reload-
plugins remote-control rename resume review rewind sandbox security-review session simplify skills stats status
statusline tasks terminal-setup theme todos undo upgrade usage vim voice web-setup loop schedule batch debug approvals
apps archive debug-config experimental mention new personality plugins ps rollout side stop title agent realtime
sandbox-add-read-dir test-approval goal memories keymap about auth chat commands compress corgi directory dir docs
editor extensions footer policies privacy profile restore settings setup-github shells tools connect details models
redo sessions share summarize themes thinking unshare variants timeline mcps autocompact changelog hotkeys import name
queue reload scoped-models show-images tree trust wrap-mcp add architect ask chat-mode code commit copy-context drop
edit editor-model git lint load ls map map-refresh multiline-mode ok paste read-only reasoning-effort report reset run
save test think-tokens tokens weak-model web t extension builtin prompts prompt recipe endplan mode r
`;

/** Command lines from the same pages, without the name of the agent. */
export const COMMAND_LINES = `
-p "x y" | -c | -c -p "x y" | --print hi | mcp add github -- npx x | mcp add --transport http sentry
https://mcp.sentry.dev/mcp | mcp serve | mcp remove github | agents | auth login | setup-token | install | plugin
install x | --add-dir ../lib | --allowedTools Bash | --disallowedTools Bash | --append-system-prompt x |
--system-prompt x | --max-turns 3 hi | --max-budget-usd 3 hi | --fallback-model sonnet hi | --permission-mode
acceptEdits hi | --permission-mode bypassPermissions hi | --dangerously-skip-permissions hi | --verbose hi | --ide |
--mcp-config x.json | --settings x.json | --fork-session | --json-schema x hi | --agents x | --worktree x | -w x |
--teleport | --remote hi | --debug | -v | -n name | exec "x y" | exec --json "x y" | e "x y" | exec resume
--last | resume | resume --last | fork | cloud | login | login status | logout | review | sandbox ls | features list |
mcp-server | app-server | debug | --full-auto "x y" | --yolo | --search "x y" | -s workspace-write "x y" | --sandbox
read-only "x y" | -a never "x y" | --ask-for-approval never "x y" | --oss | -C /tmp "x y" | --cd /tmp "x y" | -i a.png
"x y" | --profile x | -c model_reasoning_effort=high "x y" | --output-schema x "x y" | -o out.md "x y" |
--output-last-message out.md "x y" | --ephemeral "x y" | --skip-git-repo-check "x y" | --json "x y" | --enable x | -i
"x y" | -y "x y" | -s "x y" | -e none "x y" | -l | -o json "x y" | --approval-mode auto_edit "x y" | --list-sessions
| --delete-session 1 | --list-extensions | --checkpointing | -a "x y" | --all-files "x y" | --include-directories
../lib | --experimental-acp | --acp | extensions list | extensions install https://x | skills list | hooks | settings
| rewind --list | run "x y" | serve | auth list | auth ls | auth logout | agent list | agent create | session list |
stats | export | upgrade | uninstall | github install | mcp auth | mcp ls | mcp debug x | providers | -s abc |
--session abc | --agent plan "x y" | -f a.txt "x y" | --format json "x y" | --title x "x y" | --share "x y" |
--command x | --hostname 0.0.0.0 | --print-logs | --port 3000 | -p "x y" | --mode json "x y" | --session x |
--no-session "x y" | --thinking high "x y" | --tools read,bash "x y" | --no-tools "x y" | --api-key x "x y" | --models
x,y | --list-models | --export x.jsonl | --no-extensions | list | --message "x y" | --yes | --yes-always | --file
a.txt | --read a.txt | --architect | --no-auto-commits | --no-git | --auto-test | --test-cmd "npm test" | --lint-cmd x
| --watch-files | --openai-api-base http://x | --vim | --dark-mode | --gui | --browser | --show-repo-map |
--restore-chat-history | --sonnet | --weak-model x | --edit-format diff | --map-tokens 1024 | --no-stream | --commit |
--message-file x.md | session | session remove | session export | run -i x.md | configure | info | recipe list |
schedule list | project | bench | term | --with-builtin developer | --with-extension "npx x" | --name x | --no-session
| update | mcp | session -r | run -t "x y"
`
  .split('|')
  .map((line) => line.trim().replaceAll(/\s+/g, ' '));

import { expect, it } from 'vitest';
import { helpText } from '../../../../src/cli/command-line/help.ts';

it('the help lists every form, option and exit code', () => {
  expect(helpText()).toMatchInlineSnapshot(`
    "ybs - a coding agent for the terminal

    Usage:
      ybs [options]            chat
      ybs [options] <prompt…>  one run, then exit; piped input is context for the prompt
      … | ybs [options]        one run, with the piped input as the prompt
      ybs [options] <command>  one of these commands:

      init                          ask for provider, model and key, try the connection, and write your configuration
      config [key]                  show the configuration, or one key or section of it, with the origin of each value
      config set <key> <value…>     set a key in your configuration file; null removes it
      models                        list the models that the provider offers
      auth status                   report whether the configured model can be used; hosts call it with --json
      prompt                        print the system prompt and the tools as a model would get them
      tools new <name> [directory]  write an external tool that works, to change it
      tools check <file> [json]     check an external tool: its description, and one call
      mcp list                      list the servers of the Model Context Protocol and their known tools
      mcp check <name>              start a server, list its tools, and end it; the exit code is 1 if that fails
      mcp import <file>             add the servers in a file of another agent or editor to your configuration; also --yes (docs/mcp.md)
      mcp login <name>              log in to a server over HTTP in the browser; --scope asks for more rights
      mcp logout <name>             remove the token of a server
      skills check <directory>      check a skill, or each skill in a directory, against the format of Agent Skills
      eval <story…>                 compare versions of the settings: play stories many times with each of them
      story from <file…>            write recordings of another tool as a story: aimock, vcrpy, HAR, WireMock, a proxy log
      check [command]               show whether a command would run, ask or be denied, and why; also --read and --write
      undo [session]                put the files back that the last run of a session wrote, by default of the last session here
      completion <shell>            print the script that completes the command line in bash, zsh or fish
      trust [path]                  let the configuration, tools and git of a project take effect; also --list and --revoke
      audit [session]               list every decision about a call of a session, by default of the last session here
      record <name> [prompt]        run a prompt and write the run as a story in scenarios/<name>, which ybs test plays
      acp                           serve an editor over the Agent Client Protocol, on standard input and output
      web                           serve a page with the chat on this machine, for a browser
      app                           open the page of the chat in its own window
      doctor                        check the configuration, the provider, the terminal, git and the disk
      start                         let Yume drive a session with lines of JSON; it must be the first word (docs/yume.md)
      test <story…>                 test an agent: play stories with the embedded mock model

    Words that fit no form are a prompt; -- before them makes any words a prompt.

    Options:
      -c, --config <file>       Read this configuration file after all others
      -m, --model <name>        Use this model
      -p, --provider <name>     Use this provider; mock needs no key and no network
      --endpoint <url>          Use this base URL instead of the provider's default
      --permission-mode <mode>  What the agent may do without asking: ask, accept-edits, plan, read-only, full-access
      --no-sandbox              Run commands without the sandbox of the operating system
      --dry-run                 Plan every tool call and run only those that read
      --tools-dialect <name>    Names and parameters of the tools for the model; with claude, Read, Edit, Bash and so on: ybs, claude
      --cwd <directory>         Work in this directory instead of the current one
      --continue                Continue the last session of this directory
      -r, --resume [id]         Continue the session of this id or name, or choose one from a list
      --output-format <format>  Output of a single run; json prints one event per line, the last two are for programs (docs/headless.md): text, json, stream-json, yume-json
      --quiet                   Print only the final answer of a single run, for pipelines
      --screen-reader           Write every line once and redraw none, for screen readers and braille displays
      --version                 Print the version
      -h, --help                Print this help

    Options of ybs test:
      --agent <command>    Play with this agent instead of ybs: "my-agent {prompt}", or claude, codex, …
      --reporter <format>  Format of the report: text, json, junit
      --update             Rewrite the expected files of stories
      --drift <mode>       How to treat prompts that differ from prompt.lock.json: off, warn, fail
      --rebase             Accept the prompts: rewrite prompt.lock.json
      --watch              Play again after each change of a file
      --shard <i/n>        Play only part i of n parts of the stories, split by their durations
      --timings <file>     Durations of stories for --shard: an earlier report in JSON
      --merge              Merge reports of shards in JSON, given instead of stories
      --html <file>        Write the report as a page with charts, too; that of ybs eval has transcripts

    Options of ybs eval:
      --reporter <format>    Format of the report: text, json, junit
      --shard <i/n>          Play only part i of n parts of the stories, split by their durations
      --timings <file>       Durations of stories for --shard: an earlier report in JSON
      --merge                Merge reports of shards in JSON, given instead of stories
      --variant <name=file>  A configuration file to evaluate; the others are compared with the first variant
      --runs <n>             Runs of each variant on each story
      --jobs <n>             Runs at the same time; 4 by default
      --max-cost <dollars>   Stop when the requests have cost this much; answers from the cache cost nothing
      --max-tokens <n>       Stop at this number of tokens for all requests
      --html <file>          Write the report as a page with charts, too; that of ybs eval has transcripts

    Options of ybs check:
      --read <path>     Check the reading of this file
      --write <path>    Check the writing of this file
      --batch           Check each line of standard input: {"command": …}, {"read": …} or {"write": …}
      --assume <facts>  Decide as if these were true: trusted, sandboxed, or both with a comma
      --json            Print the report as one line of JSON

    Options of ybs doctor:
      --sandbox  Try to break each limit of the sandbox on this machine (docs/security.md)
      --json     Print the report as one line of JSON

    Options of ybs trust:
      --list    List the trusted projects
      --revoke  End the trust in the project
      --json    Print the report as one line of JSON

    Options of ybs mcp:
      --yes             Write without a question
      --scope <scopes>  Rights to ask for, besides those of the login

    Options of ybs record:
      --out <directory>  Write the story into this directory
      --from-drift       Re-record the story <name> from the first step whose prompt differs from prompt.lock.json
      --step <number>    Ask the model for this answer of the story <name>, from 0, and change nothing
      --force            Replace a story that exists

    Options of ybs story:
      --out <directory>  Write the story into this directory
      --force            Replace a story that exists

    Options of ybs web, ybs app:
      --port <number>  Serve the page on this port (8765 by default, 0 for ybs app); 0 picks a free one
      --token <none>   With none, every program on this machine can use the page

    Options of ybs auth, ybs undo, ybs audit:
      --json  Print the report as one line of JSON

    Exit codes:
      0    done
      1    failed: the model, ybs itself, or a story
      2    the command line, the configuration or a story file is invalid
      3    a call needed approval and nobody answered, or the same call was denied twice
      4    a limit ended the run
      5    the model kept repeating itself
      130  stopped by Ctrl-C, a signal or a closed output

    To begin:
      ybs                             chat; without a configuration, it finds the models of this machine
      ybs -p mock                     chat with the embedded mock model, without a key or a network
      ybs init                        choose a provider, a model and a key
      ybs "why does the build fail?"  one run, then exit

    In the chat, /help lists the commands. More: docs/cli.md
    "
  `);
});

it.each([80, 40, 20])('the help fits into a terminal of %i columns, except words that are too long', (width) => {
  const rows = helpText(width).split('\n');
  const long = rows.filter((row) => row.length > width && row.trim().includes(' '));
  expect(width === 80 ? long : []).toEqual([]);
  expect(rows.join(' ').replaceAll(/\s+/g, ' ')).toBe(helpText().replaceAll(/\s+/g, ' '));
});

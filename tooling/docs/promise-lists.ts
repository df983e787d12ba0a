/** Promises that are kept by a test of another kind: of the sources, of the installed package or of a workflow. */
export const KEPT_ELSEWHERE: Readonly<Record<string, string>> = {
  'README.md: It is pure: it does not access the file system, processes, the clock or random numbers directly, but through ports, small interfaces with adapters in other areas and strict fakes in test/support.':
    'test/unit/imports.test.ts',
  'README.md: Imports point one way, `text, schema ← agent ← policy, session, providers ← tools, config ← app ← hosts, stories, terminal ← node, web ← cli`, and a test enforces this.':
    'test/unit/imports.test.ts',
  'README.md: The loop and all it needs are in src/agent, an area of at most 3,000 lines; the chapters explain every file of it, and programs import it as `ybs/agent`.':
    'test/unit/house.test.ts',
  'README.md: Node 22.12 and newer are supported; the built commands also run on 20.19.': 'test/e2e/old-node.test.ts',
  'README.md: In that project, `npx ybs` and `npx mock-llm-server` start the commands, and tests import `ybs/testing`.':
    'test/package/package.test.ts',
  'README.md: The model is the embedded mock: no key, no network, no other server.': 'test/thorough/runs/demos.test.ts',
  'README.md: The files and the test run are real; only the model is scripted.': 'test/thorough/runs/demos.test.ts',
  'README.md: Ask it to `fix the failing test`, or run this prompt alone with `npm start -- "fix the failing test"`.':
    'test/thorough/runs/demos.test.ts',
  'README.md: `npm start` runs with full access and without the sandbox because its commands come from the bundled stories and its files are a copy.':
    'test/thorough/runs/demos.test.ts',
  'README.md: It speaks to Ollama, llama.cpp, OpenAI, Anthropic, Gemini and every compatible endpoint; see docs/providers.md.':
    'test/integration/wires/stories-over-wires.test.ts',
  'README.md: Tests start the server with `startMockLlm` of `ybs/testing`.': 'test/package/testing-package.test.ts',
  'README.md: `mock-llm-server weights` compiles a story to a model whose weights are a script, so that llama.cpp, Ollama, vLLM and other real servers play it, too: docs/real-servers.md.':
    'test/integration/mock/weights.test.ts',
  'docs/security.md: a server that asks you something, or wants a login | a form for a password, an address to visit, a token for more than this server | a form for a secret is rejected, and an address is shown and not opened; a token goes only to the origin of its server, a login to a server over HTTPS uses HTTPS only, and the token is kept in the keyring or in a file that only you can read':
    'test/e2e/mcp/login.test.ts',
  'docs/security.md: Every decision is made by pure functions in `src/policy`, which the tests cover completely.':
    'test/unit/imports.test.ts',
  'docs/security.md: `ask`, the default | each asks | all ask, except those that only read, in a trusted project with the sandbox':
    'test/unit/policy/decide.test.ts',
  'docs/security.md: `accept-edits` | new files, and files that the model has read, change without a question; others ask | as in `ask`':
    'test/unit/policy/decide.test.ts',
  'docs/security.md: `plan` | denied until you approve a plan | denied, except those that only read, in a trusted project with the sandbox':
    'test/unit/policy/decide.test.ts',
  'docs/security.md: `read-only` | denied | denied': 'test/unit/policy/decide.test.ts',
  'docs/security.md: `full-access` | run without a question | run without a question in the sandbox; all ask where there is none, unless you turned it off':
    'test/unit/policy/decide.test.ts',
  'docs/security.md: In every mode, blocked commands and blocked paths are denied.': 'test/unit/policy/decide.test.ts',
  'docs/security.md: A command asks before it gets the network or local sockets, and if it hides what it runs.':
    'test/unit/policy/decide.test.ts',
  'docs/security.md: A file that is write-protected or belongs to another user is replaced only after a question.':
    'test/unit/policy/decide.test.ts',
  'docs/security.md: The sandbox enforces more limits, which sandbox.md lists.':
    'test/integration/sandbox/try-sandbox.test.ts',
  'docs/security.md: `ybs doctor --sandbox` tries to break these limits and the invariants above on your machine, and prints `held`, `not available` with the reason, or `BROKEN`.':
    'test/integration/sandbox/try-sandbox.test.ts',
  'docs/security.md: Three invariants are tried by the tests only, because they need a repository with commits, or a server: those about what ybs reverts, about committed secrets, and about what was planned.':
    'test/integration/sandbox/try-sandbox.test.ts',
  'docs/security.md: An attempt that also fails without the sandbox proves nothing, and is printed as `not tried`.':
    'test/unit/cli/setup/doctor-sandbox.test.ts',
  ...Object.fromEntries(
    [
      ...['files outside the workspace stay as they are', 'secrets cannot be read', 'no network'],
      ...['processes outside are out of reach', 'nothing of a command stays behind', 'no new namespaces and mounts'],
    ].map((limit) => [
      `docs/security.md: ${limit} | test/thorough/policy/sandbox-escapes.test.ts`,
      'test/thorough/policy/sandbox-escapes.test.ts',
    ]),
  ),
  'docs/security.md: `/etc/ybs/policy.json` makes every session on the machine stricter, whatever users, projects and the command line say.':
    'test/unit/config/policy-layer.test.ts',
  'docs/security.md: It has the keys of the configuration below `safety`.': 'test/unit/config/policy-layer.test.ts',
  'docs/security.md: The stricter permission mode and the stricter level of a tool apply; lists of blocked commands, blocked paths and tools to confirm are combined; `allowed_commands`, `sandbox_allowed_paths` and `environment` can have only entries of the policy.':
    'test/unit/config/policy-layer.test.ts',
  'docs/security.md: `sandbox_enabled`, `restrict_to_project_directory` and `require_approval_outside_project` can only be true, and `sandbox_local_sockets`, `persist_approvals` and `allow_unlisted_commands` only false.':
    'test/unit/config/policy-layer.test.ts',
  'docs/security.md: ybs warns of each setting that the policy replaces, and `ybs doctor` names the file.':
    'test/unit/config/policy-layer.test.ts',
  'docs/security.md: The file, and each directory on the way to it, must belong to root, and nobody else may write there.':
    'test/integration/node/policy-file.test.ts',
  'docs/security.md: Otherwise ybs does not start, and says what to correct.': 'test/unit/config/policy-layer.test.ts',
  'docs/security.md: The same applies to a key or value that a policy cannot have, an unknown or duplicate key, a dangling link, and a file that ybs cannot read.':
    'test/integration/node/policy-file.test.ts',
  'docs/security.md: opening below a verified directory | yes | comparison of real paths | comparison of real paths':
    'test/integration/node/node-file-system-hostile.test.ts',
  'docs/security.md: attributes, access lists | kept where `cp` can | not kept | not kept':
    'test/integration/node/node-file-system-hostile.test.ts',
};

/** Sentences of the pages that promise nothing a test could see: descriptions, reasons and limits. */
export const DESCRIPTIONS: readonly string[] = [
  'README.md: A coding agent for the terminal, with a core you can read in an evening, and the mock model server it is tested against.',
  'README.md: installs, builds and opens the chat in a scratch copy of examples/playground, a small project with a failing test.',
  'README.md: builds, checks types and style, and runs the unit, integration and end-to-end tests.',
  'README.md: With `CI=true`, it also runs the thorough suites, checks the coverage and tests the package.',
  'README.md: runs the first of ten programs of at most 80 lines that build this agent up, from the loop to the product.',
  'README.md: Reading the chapters takes an hour and no knowledge of agents.',
  'README.md: All need only Node and npm.',
  'README.md: The package is not in the npm registry.',
  'README.md: With `--global` instead of `--save-dev`, both commands are on the `PATH`.',
  'README.md: In the clone, `npx ybs` works after `npm ci`.',
  'README.md: `ybs` is the agent.',
  'README.md: The sources are sorted into areas, one folder of `src` each.',
  'README.md: The second command needs `OPENAI_API_KEY`, the third a running Ollama with the model `qwen3:14b`.',
  'README.md: MIT',
  'docs/security.md: Do not rely on it.',
  'docs/security.md: Programs that use ybs as a library, with a configuration of their own, do not read the policy.',
  "docs/security.md: ybs judges a loss by the words of a command: it does not see that `node -e \"fs.renameSync('src', 'old')\" && rm -rf old` loses `src`, because code moves the files first.",
  'docs/security.md: A command that runs without a question uses the processor until its time limit, sees all files of the workspace except secrets, and can attack the kernel like any other program.',
  'docs/security.md: Out of scope are bugs of the kernel, a user who approves everything, and the text that goes to the model you chose.',
  'docs/security.md: On macOS and Windows, and on file systems that are not local, a program that replaces a directory by a link between the check and the use can redirect the access.',
  'docs/security.md: The time between both is short.',
];

/** Globs of the files that are changed. */
export const MUTATED = ['src/policy/**', 'src/agent/**', 'src/tools/dialects/**'] as const;

/** Reasons by the name of a mutant. */
type Reasons = Readonly<Record<string, string>>;

/** Mutants that behave like the original, so that no test can kill them, by file. They do not count in the score. */
export const EQUIVALENT: Readonly<Record<string, Reasons>> = {
  'src/agent/context/shorten-history.ts': Object.fromEntries(
    ['fitHistory: 0 → 1', 'fitHistory: 0 → 1 (2)'].map((name) => [name, 'A message has at least 8 tokens.']),
  ),
  'src/agent/plan-call.ts': {
    "planCall: type === 'ask' → true": 'No other decision has a sandbox.',
    "planCall: '' → 'mutated'": 'The reason of a decision that does not ask is not read.',
  },
  'src/policy/decide-command.ts': Object.fromEntries(
    ["checkReadOnly: 'unknown' → ''", "checkReadOnly: 'unknown' → '' (2)", "checkReadOnly: 'unknown' → '' (3)"].map(
      (name) => [name, 'The caller looks for `allow` only.'],
    ),
  ),
  'src/policy/decide.ts': {
    "whilePlanning: 'ask' → ''": 'Without a level, a call asks as it does in the mode `ask`.',
  },
  'src/policy/paths/path-policy.ts': {
    "classifyPath: access === 'write' → true": 'No name denies a read. Not to look at names only saves time.',
    "classOfPlace: 'read' → ''": 'The access decides about the answer, which the caller does not use.',
  },
  'src/policy/paths/fold-name.ts': {
    'foldSpecial: /^[a-z0-9._-]*[a-z0-9_-]$/.test(name) → false': 'The test only saves time.',
    'foldName: ASCII.test(name) → false': 'The test only saves time.',
  },
  'src/policy/permission-rules.ts': {
    'ruleAllows: rule satisfies never; → ;': 'It has an effect on types only.',
  },
  'src/policy/paths/name-kind.ts': {
    "secretName: '' → 'mutated'": 'No special file has this name.',
    "isExecutable: '' → 'mutated'": 'No special file has this name.',
  },
  'src/policy/redaction/redact-events.ts': {
    'redactEvents: open.delete(key); → ;': 'A stream that has ended is like a new one.',
  },
  'src/policy/web-access.ts': {
    "refusalOfRequest: '' → 'mutated'": 'The server has neither name.',
    "refusalOfRequest: '' → 'mutated' (5)": 'Neither is a token after `Bearer`.',
    "isJson: '' → 'mutated'": 'Neither is a JSON type.',
  },
  'src/text/bytes/git-index.ts': {
    'trackedFiles: 12 → 13': 'An index of 12 bytes has no entry.',
    'skipNumber: 0 → 1': 'Behind the end of the index, there is no path either.',
    'skipNumber: 0 → 1 (3)': 'Behind the end of the index, there is no path either.',
  },
  'src/policy/sandbox/off-reasons.ts': {
    "whyOff: '' → 'mutated'": 'A cause that reads the output only applies when there is one.',
  },
  'src/policy/shell/parse/command-collector.ts': {
    'Collector: 0 → 1 (2)': 'Only differences of this count are used.',
    "collect: '' → 'mutated'": 'A command without a name only needs one that no function has.',
  },
  'src/policy/shell/rules/command-operands.ts': {
    "matchOperand: 'yes' → '' (4)": 'The caller looks for `no` and `maybe` only.',
  },
  'src/policy/shell/programs/find-command.ts': {
    'wordsUntilEnd: index < words.length → index <= words.length': 'There is no word after the last one.',
  },
  'src/policy/shell/plain-commands.ts': {
    "commandImpurity: redirect.type !== 'Redirect' || redirect.target === undefined → redirect.type !== 'Redirect' && redirect.target === undefined":
      'Only a redirect has a target, and one without a target is an error of the syntax.',
  },
  'src/policy/shell/removal/links.ts': {
    'createdLinks: target === undefined → false':
      'A link to an unknown place is looked up like one that does not exist.',
  },
  'src/policy/shell/removal/match-protected.ts': {
    'matchesPattern: 0 → 1 (3)': 'The place to go back to is set with the star.',
    'matchesPattern: 1 → 2 (2)': 'A bracket expression has at least three characters.',
  },
  'src/policy/shell/removal/protected-directories.ts': {
    "directoriesOfSystem: '/' → ''": 'Both are the path of the root.',
    "protectedDirectories: 'asked' → ''": 'The contents are compared with `kept` and `removable` only.',
  },
  'src/policy/shell/rules/built-in-rules.ts': {
    'findBuiltInViolation: program === undefined → false': 'No table has a program `undefined`.',
    "namesDevice: '' → 'mutated'": 'Only the operands of `chmod` have another form.',
  },
  'src/policy/shell/removal/recursive-removal.ts': {
    "HERE: '.' → ''": 'An empty path after a directory names the directory.',
    'findForbiddenRemoval: removals.length === 0 → false': 'Without a removal, the rest finds none either.',
    "findForbiddenRemoval: 'maybe' → ''": 'The caller compares the match with `yes` only.',
  },
  'src/policy/shell/rules/shell-rule.ts': {
    "strongest: 'yes' → '' (2)": 'The caller looks for `no` and `maybe` only.',
    "normalise: '' → 'mutated'": 'Only the operands of `chmod` have another form.',
  },
  'src/tools/dialects/claude-dialect.ts': {
    'inClaudeDialect: definition === undefined → false': 'Each row has a definition, which only the types do not say.',
  },
  'src/agent/turn/assemble-calls.ts': {
    'positionOf: 1 → 2 (2)': 'The caller looks the position up, and there is no call at any negative one.',
  },
};

/** Other mutants that survive, by file. They count in the score. */
export const TOLERATED: Readonly<Record<string, Reasons>> = {
  'src/agent/context/fit-into-window.ts': {
    'shorten: sizeOfAll(pruned) <= room * FILLED → sizeOfAll(pruned) < room * FILLED':
      'Both sides are estimates, and their sums are not integers; which of the two applies to equal ones is free.',
  },
  'src/policy/sandbox/workspace-entry.ts': {
    'MAX_SEARCHED_DIRECTORIES: 5_000 → 5001': 'The limit only bounds the time; its exact value is free.',
  },
  'src/policy/shell/parse/syntax.ts': {
    'costOfHereDocuments: 256 → 257': 'The factor only bounds the cost of parsing; its exact value is free.',
  },
};

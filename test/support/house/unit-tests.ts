import path from 'node:path';

/**
 * Unit tests of a behaviour that spans several source files, each with the reason. Any other one has the name of a
 * source.
 */
export const BEHAVIOURS: Readonly<Record<string, string>> = {
  'agent/failing-consumer': 'a consumer of the events fails: loop, layers and history together',
  'app/driver/fronts': 'a rule on the sources of all fronts',
  'app/external-tools': 'external tools in whole sessions',
  'app/project-context': 'what a project adds to the first request',
  'app/trust': 'the trust of a project in whole sessions',
  'app/written-files': 'the files that a session has written, over two sessions',
  'config/models': 'the keys of models in every layer of the configuration',
  'mock-llm-server/answering/history-verdict': 'mistakes and purposes of agents over every wire',
  'mock-llm-server/documentation': 'the scenarios of the documentation',
  'mock-llm-server/documented-intents': 'the intents of the documentation',
  'mock-llm-server/matching/request-conditions': 'conditions on a request, over HTTP',
  'mock-llm-server/wire/broken-values': 'requests with one value of another type, over two wires',
  'mock-llm-server/wire/call-faults': 'faults of calls over each wire',
  'mock-llm-server/wire/choices': 'several choices over each wire that has them',
  'mock-llm-server/wire/finish-and-usage': 'ends and usage over each wire',
  'mock-llm-server/wire/limits': 'limits of a request over each wire',
  'mock-llm-server/wire/pairing-over-wires': 'calls and their results over each wire',
  'mock-llm-server/wire/real-clients': 'recorded requests of clients over each wire',
  'mock-llm-server/wire/recorded-answers': 'recorded answers of services over each wire',
  'mock-llm-server/wire/recorded-requests': 'recorded requests over each wire',
  'policy/command-corpus': 'every command of a corpus, through the whole policy',
  'policy/paths/path-corpus': 'every path of a corpus, through the whole policy',
  'policy/shell/linear-time': 'the steps of every check of a command',
  'policy/shell/programs/tables': 'every row of the tables of programs',
  'providers/language-model-contract': 'the contract of every wire',
  'providers/pictures-of-prompts': 'pictures over every wire',
  'session/session-copies': 'copies of sessions, through store, log and export',
  'session/stopped-run': 'the log of a run that was stopped',
  'stories/update-expected': 'load and play a story, then rewrite its files',
  'support/compile-cache': 'a rule on the environment of tests',
  'terminal/question/approver-contract': 'the contract of every approver',
  'tooling/globs': 'a rule on the globs of the project',
  'tools/error-codes': 'every code of an error of a tool',
  'tools/search/glob-scope': 'the scope of patterns in both search tools',
  'tools/variants': 'the variants of arguments of several tools',
};

/** The folder in which the sources of an area of test/unit are. */
const SOURCES: Readonly<Record<string, string>> = {
  'mock-llm-server': 'mock-llm-server',
  tooling: 'tooling',
  desktop: 'desktop',
  support: 'test/support',
};

/**
 * The unit tests of `tests` without the name of a file or folder of `sources` in their area, or in a folder with the name
 * of a file. Tests of the whole project, in no folder, and `BEHAVIOURS` may have any name.
 */
export function misnamedTests(tests: readonly string[], sources: readonly string[]): readonly string[] {
  return tests.filter((test) => {
    const name = path.posix.relative('test/unit', test).replace(/\.test\.ts$/, '');
    const [area = '', ...rest] = name.split('/');
    if (rest.length === 0 || Object.hasOwn(BEHAVIOURS, name)) return false;
    const below = `${SOURCES[area] ?? `src/${area}`}/`;
    const inArea = sources.filter((source) => source.startsWith(below));
    const files = new Set(inArea.map((source) => path.posix.basename(source).replace(/(?:\.data)?\.\w+$/, '')));
    const folders = new Set(inArea.flatMap((source) => path.posix.dirname(source).split('/')));
    const own = rest.at(-1) ?? '';
    return !files.has(own) && !folders.has(own) && !files.has(rest.at(-2) ?? '');
  });
}

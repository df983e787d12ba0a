import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { DECISION_RULES } from '../../../src/policy/decide.ts';
import { projectFiles } from '../../support/house/project-files.ts';
import { missingSandbox } from '../../support/sandbox/require-sandbox.ts';
import { playDecisions } from '../../support/stories/decided-run.ts';
import { DECISION_SESSIONS, type DecisionSession } from './rule-sessions.ts';

const noSandbox = await missingSandbox();

/**
 * The rule that another page tests on the built program, because it needs an answer of the user:
 * test/behaviour/approval.md.
 */
const ELSEWHERE: readonly string[] = ['grant of the user'];

/** The files with the texts that refuse a call or ask about it. */
const SOURCES = [
  ...['decide', 'decide-paths', 'decide-command', 'call-levels', 'shell/shell-policy'].map(
    (name) => `src/policy/${name}.ts`,
  ),
  'src/policy/paths/refuse-path.ts',
  'src/policy/paths/written-path.ts',
  'src/tools/files/resolve-path.ts',
];

/** Starts of texts that no headless run of the built program reaches here, each with the reason. */
const UNREACHED: Readonly<Record<string, string>> = {
  'The file belongs to another user.': 'root keeps the owner: test/integration/node/node-file-system-hostile.test.ts',
  'The command contains a NUL, which no program can receive. Write':
    'the tool refuses it first, with a text of its own',
  ' It searches ${directory}, which has too many': 'takes a huge tree: test/unit/policy/decide.test.ts',
  '${requested} may be read but not changed': 'the name of the directory is random: test/unit/tools/files',
  'Permission denied for ${requested}': 'root may read everything: test/e2e/path-corpus.test.ts',
  '${requested} cannot be resolved': 'takes a faulty disk: test/unit/tools/files',
  'The server ${server} gets these arguments': 'takes a server: test/behaviour/mcp.md',
  'The server describes this tool in another way':
    'takes a server that changes: test/integration/tools/mcp-servers.test.ts',
  'Device paths are not allowed': 'on Windows only',
  'The path names a drive': 'on Windows only',
  'The path names a directory without': 'on Windows only',
  'A name with ":" is': 'on Windows only',
  '${reserved} is the name of a device': 'on Windows only',
};

/** The texts of a source for the model: strings of some words that end a sentence. */
function textsOf(source: string): readonly string[] {
  const code = source.replaceAll(/\/\*\*[\s\S]*?\*\/|^\s*\/\/.*$|^\s*when:\s*.*$/gm, '');
  return [...code.matchAll(/(['`])((?:(?!\1)[^\n])*[.])\1/g)].flatMap(([, , text = '']) =>
    text.split(' ').length > 3 ? [text] : [],
  );
}

/** A pattern for a text with computed parts. */
function asPattern(text: string): RegExp {
  const parts = text.split(/\$\{[^}]*\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(parts.join('[^]*'));
}

const played = new Map<DecisionSession, ReturnType<typeof playDecisions>>();

/** Plays the calls of a session, once. */
function play(session: DecisionSession): ReturnType<typeof playDecisions> {
  const { rows, next = [], ...settings } = session;
  const answers = [rows, next].filter((some) => some.length > 0).map((some) => some.map(({ call }) => call));
  const run = played.get(session) ?? playDecisions(answers, settings);
  played.set(session, run);
  return run;
}

/** A line for each call whose decision, or whose text for the model, differs from its row. */
async function problemsOf(session: DecisionSession): Promise<readonly string[]> {
  const { calls } = await play(session);
  return [...session.rows, ...(session.next ?? [])].flatMap(
    ({ name, call, decision, rule = '', reads, effect = {} }, index) => {
      const found = calls[index];
      const shown = [found?.decision, found?.decidedBy, found?.rule, found?.reads.includes(reads)];
      const fields = Object.keys(effect).map((key) => [key, found?.effect[key]]);
      const isRight = isDeepStrictEqual([...shown, ...fields], [decision, name, rule, true, ...Object.entries(effect)]);
      return isRight ? [] : [`${JSON.stringify(call).slice(0, 90)}: ${JSON.stringify(found)?.slice(0, 400)}`];
    },
  );
}

describe.skipIf(process.platform === 'win32')('the way from a call of the model to its result', () => {
  const possible = DECISION_SESSIONS.filter(({ needsSandbox }) => needsSandbox !== true || noSandbox === undefined);
  it.each(possible)('$title', async (session) => {
    expect(await problemsOf(session)).toEqual([]);
  });

  it('covers every rule, with the answer in its table', () => {
    const rows = DECISION_SESSIONS.flatMap(({ rows, next = [] }) => [...rows, ...next]);
    const answers = DECISION_RULES.map(({ name, answer }) => [
      name,
      rows.some((row) => row.name === name && row.decision === answer),
    ]);
    expect(answers).toEqual(DECISION_RULES.map(({ name }) => [name, !ELSEWHERE.includes(name)]));
  });

  it.skipIf(noSandbox !== undefined)('shows the model every text of the rules', async () => {
    const sessions = await Promise.all(DECISION_SESSIONS.map(play));
    const read = sessions.flatMap(({ calls }) => calls.map(({ reads }) => reads));
    const texts = [...projectFiles('src')].flatMap(([file, source]) => (SOURCES.includes(file) ? textsOf(source) : []));
    const isUnreached = (text: string) => Object.keys(UNREACHED).some((start) => text.startsWith(start));
    expect(texts.length).toBeGreaterThan(30);
    expect(texts.filter((text) => !isUnreached(text) && !read.some((each) => asPattern(text).test(each)))).toEqual([]);
    expect(Object.keys(UNREACHED).filter((start) => !texts.some((text) => text.startsWith(start)))).toEqual([]);
  });
});

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { runBin } from '../processes/run-bin.ts';
import { temporaryDirectory, writeFiles } from '../processes/temporary-directory.ts';
import { SANDBOX_USERS } from '../sandbox/sandbox-users.ts';
import { startRecordingServer } from '../wires/recording-server.ts';

/** A call of the model: the name of a tool and its arguments. */
export type ScriptedCall = readonly [tool: string, args: Readonly<Record<string, unknown>>];

/** A session of the built program in a directory `ws` of a new home directory. */
export interface DecidedSession {
  /** Options of the command line. */
  readonly options?: readonly string[];
  /** The configuration of the user. */
  readonly config?: object;
  /** Files by their path relative to the home. */
  readonly files?: Readonly<Record<string, string>>;
  /** Links by their path relative to the home, with their target, in which `~` stands for the home. */
  readonly links?: Readonly<Record<string, string>>;
  /** Changes the home before the run. */
  readonly prepare?: (home: string) => void;
  /** Variables of the environment, in which `~` stands for the home. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Redirections with which a shell starts ybs, such as `57>file`. */
  readonly descriptors?: (home: string) => string;
  /** The user has trusted the workspace. */
  readonly trusted?: boolean;
  /** The user has no privileges, also if the tests run as root. */
  readonly asOrdinaryUser?: boolean;
  /** See `BinOptions`. */
  readonly prefix?: readonly string[];
}

/** The decision on a call, from the events, and the result that the model got. In both, `~` stands for the home. */
export interface DecidedCall {
  readonly decision: string;
  readonly rule: string;
  /** The name of the row of `DECISION_RULES`. */
  readonly decidedBy: string;
  readonly reason: string;
  readonly reads: string;
  /** The effect of the call, as events describe it. */
  readonly effect: Readonly<Record<string, unknown>>;
}

const EventSchema = z.looseObject({
  type: z.string(),
  call: z.looseObject({ id: z.string() }).optional(),
  effect: z.record(z.string(), z.unknown()).optional(),
  permission: z
    .looseObject({ type: z.string(), rule: z.string(), decidedBy: z.string(), reason: z.string().optional() })
    .optional(),
});

/** Plays each answer of the model, which makes some calls, in one run of the built program. */
export async function playDecisions(
  answers: readonly (readonly ScriptedCall[])[],
  { options = [], config = {}, files = {}, links = {}, prepare, environment = {}, ...more }: DecidedSession,
): Promise<{ readonly home: string; readonly calls: readonly DecidedCall[] }> {
  const home = temporaryDirectory();
  writeFiles(home, {
    'ws/README.md': 'A shop.\n',
    '.config/ybs/config.json': JSON.stringify({ ...LONG_ANSWERS, ...fill(config, home) }),
    ...files,
  });
  for (const [link, target] of Object.entries(links)) fs.symlinkSync(fill(target, home), path.join(home, link));
  prepare?.(home);
  const steps = answers.map((calls) => ({
    response: { tool_calls: calls.map(([name, args]) => ({ name, arguments: fill(args, home) })) },
  }));
  const scenarios = [{ name: 'calls', trigger: 'go', steps: [...steps, { response: { content: 'Done.' } }] }];
  const server = await startRecordingServer({ scenarios });
  const { asOrdinaryUser = false } = more;
  const [user] = SANDBOX_USERS.filter(({ isRoot }) => !isRoot);
  if (asOrdinaryUser && user?.uid !== undefined)
    execFileSync('chown', ['-R', '--no-dereference', `${user.uid}:${user.uid}`, home]);
  const place = {
    asOrdinaryUser,
    directory: path.join(home, 'ws'),
    environment: { HOME: home, XDG_CONFIG_HOME: path.join(home, '.config'), ...fill(environment, home) },
  };
  if (more.trusted === true) await runBin(['trust', '.'], { ...place, input: 'y\n' });
  const connection = ['-p', 'mock', '--endpoint', server.url, '--output-format', 'json'];
  const { stdout, stderr, code } = await runBin([...connection, ...options, 'go'], {
    ...place,
    ...(more.descriptors !== undefined && { redirections: more.descriptors(home) }),
    ...(more.prefix !== undefined && { prefix: more.prefix }),
  });
  const shown = (text = ''): string => text.replaceAll(home, '~');
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => EventSchema.parse(JSON.parse(line)));
  const made = events.filter(({ type }) => type === 'tool_call');
  const results = server.resultsInLastRequest();
  // A question that nobody answers ends the run with 3.
  if ((code !== 0 && code !== 3) || made.length !== results.length)
    throw new Error(`exit code ${code}: ${stderr}\n${stdout}`);
  const calls = made.map(({ permission, effect = {} }, index) => ({
    effect,
    decision: permission?.type ?? 'none',
    rule: shown(permission?.rule),
    decidedBy: permission?.decidedBy ?? 'none',
    reason: shown(permission?.reason),
    reads: shown(results[index]),
  }));
  return { home, calls };
}

/** A window for hundreds of calls in one answer and their results. */
const LONG_ANSWERS = { llm: { max_tokens: 200_000 }, context: { max_tokens: 1_000_000 } };

/** A value with the home in place of each `~/` and of a text that is only `~`. */
function fill<Value>(value: Value, home: string): Value {
  const filled: Value = JSON.parse(JSON.stringify(value).replaceAll('~/', `${home}/`).replaceAll('"~"', `"${home}"`));
  return filled;
}

import * as z from 'zod';
import { messageOf, UsageError } from '../../../agent/errors.ts';
import type { SandboxState } from '../../../agent/ports/shell.ts';
import { untilStopped } from '../../../app/driver/until-stopped.ts';
import { EXIT_CODES } from '../../../app/exit.ts';
import { findSessionSkills } from '../../../app/skills/session-skills.ts';
import { findSandbox, shownToCommands, workspaceOf } from '../../../config/layers/sources.ts';
import type { Config } from '../../../config/schema.ts';
import { ASSUMPTIONS, type Assumption } from '../../../policy/decision-input.ts';
import { keptApprovals } from '../../../policy/policy-limits.ts';
import { withSettings } from '../../../policy/sandbox/describe-sandbox.ts';
import { escapeLine } from '../../../terminal/output.ts';
import { didYouMean } from '../../../text/suggest.ts';
import { report, type SubcommandRequest, type Uses } from '../subcommand.ts';
import { decisionRules, withKeptRules } from './decision-rules.ts';
import { createJudge, type Subject, type SubjectVerdict } from './judge-subject.ts';
import { rememberLists } from './remembered-lists.ts';

type CheckPorts = Uses<{
  wiring: 'readConfig';
  machine: 'digest' | 'environment' | 'fileSystem' | 'home' | 'platform' | 'probeSandbox' | 'resolvePath' | 'runGit';
  user: 'write' | 'readLines' | 'onStop';
}>;

/** A verdict with the state of the session that it holds for. */
interface Answer extends SubjectVerdict {
  readonly session: { readonly trusted: boolean; readonly sandbox: SandboxState['type'] };
}

type Judge = (subject: Subject) => Promise<Answer>;

const ASSUMED_SANDBOX: SandboxState = { type: 'on', program: 'assumed' };

const ADVICE = 'Name one of: a command, --read <path>, --write <path>. Or use --batch.';

/**
 * `ybs check`: prints the decision about a command, or about reading or writing a file, as if a person were there.
 * Nothing runs. Returns the exit code. Throws `UsageError` unless there is exactly one subject, or `--batch`.
 */
export async function checkCommandLine(request: SubcommandRequest, ports: CheckPorts): Promise<number> {
  const { args, options, ownOptions } = request;
  const { wiring, machine } = ports;
  const named = ([kind, texts]: readonly [Subject['kind'], readonly string[]]) => texts.map((text) => ({ kind, text }));
  const subjects: readonly Subject[] = [
    ...named(['command', args]),
    ...named(['read', ownOptions.get('read') ?? []]),
    ...named(['write', ownOptions.get('write') ?? []]),
  ];
  const assumptions = (ownOptions.get('assume') ?? []).flatMap(readAssumptions);
  const [subject, ...others] = subjects;
  const isBatch = ownOptions.has('batch');
  if (isBatch ? subject !== undefined : subject === undefined || others.length > 0) throw new UsageError(ADVICE);
  if (subject !== undefined) requireText(subject);
  const workspace = await workspaceOf(options, machine);
  const isAssumed = assumptions.includes('trusted');
  const { config, origins, trust, policy } = await wiring.readConfig(
    isAssumed ? { ...options, trusted: true } : options,
  );
  // The facts of a session in this directory, and those that the user assumes.
  const isTrusted = trust.verdict.type === 'trusted';
  const sandbox = assumptions.includes('sandboxed')
    ? withSettings(ASSUMED_SANDBOX, shownToCommands(config, workspace, machine))
    : await findSandbox({ config, origins }, workspace, machine);
  const state = { assumptions: isTrusted ? (['trusted'] as const) : [], sandbox };
  const skills = await findSessionSkills({ config, workspace, trust }, machine);
  const decided = await decisionRules(config, workspace, machine, state, skills);
  const keeps = keptApprovals(config.safety.persist_approvals, policy);
  const { rules, settings } = await withKeptRules(decided, keeps, workspace, machine);
  const runGit = isTrusted ? machine.runGit : undefined;
  const { fileSystem, forget } = rememberLists(machine.fileSystem);
  const judge = createJudge({ ...machine, fileSystem, runGit, settings, rules, unavailable: unavailableTools(config) });
  const session = { trusted: isTrusted, sandbox: sandbox?.type ?? 'off' };
  const answer = async (judged: Subject): Promise<Answer> => ({ ...(await judge(judged)), session });
  if (subject === undefined) return judgeLines(answer, forget, ports.user);
  const verdict = await answer(subject);
  return report(request, ports, { json: () => verdict, text: () => describeVerdict(verdict) });
}

/** The keys that keep tools from the model, by the names of the tools. */
function unavailableTools({ tools }: Config): ReadonlyMap<string, string> {
  const reason = (name: string, isEnabled: boolean): string | undefined => {
    if (!tools.enabled) return 'tools.enabled';
    return isEnabled ? undefined : `tools.builtin.${name}.enabled`;
  };
  return new Map(
    Object.entries(tools.builtin).flatMap(([name, { enabled }]) => {
      const found = reason(name, enabled);
      return found === undefined ? [] : [[name, found] as const];
    }),
  );
}

/**
 * Checks each line of standard input as it arrives. A line without a subject gets an error, and the others follow.
 * `forget`: called between lines that did not come together, because the program that writes them may have run something.
 */
function judgeLines(
  judge: Judge,
  forget: () => void,
  { readLines, write, onStop }: CheckPorts['user'],
): Promise<number> {
  const judgeAll = async ({ signal }: AbortController): Promise<number> => {
    for await (const line of readLines(signal, forget)) {
      const answer = await judgeLine(line, judge);
      if (!(await write(`${JSON.stringify(answer)}\n`))) break;
    }
    return EXIT_CODES.done;
  };
  return untilStopped(onStop, judgeAll, EXIT_CODES.aborted);
}

async function judgeLine(line: string, judge: Judge): Promise<Answer | { readonly error: string }> {
  try {
    const subject = readSubject(line);
    requireText(subject);
    return await judge(subject);
  } catch (error) {
    return { error: messageOf(error) };
  }
}

const text = z.string().optional();
const lineSchema = z.object({ command: text, read: text, write: text });

function readSubject(line: string): Subject {
  const advice = 'Write one JSON object per line with one of: {"command": "…"}, {"read": "…"}, {"write": "…"}.';
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new UsageError(`The line is not JSON. ${advice}`);
  }
  const { data = {} } = lineSchema.safeParse(value);
  const subjects = (['command', 'read', 'write'] as const).flatMap((kind) => {
    const written = data[kind];
    return written === undefined ? [] : [{ kind, text: written }];
  });
  const [subject, ...others] = subjects;
  if (subject === undefined || others.length > 0) throw new UsageError(advice);
  return subject;
}

function requireText({ kind, text }: Subject): void {
  if (text.trim() === '') throw new UsageError(kind === 'command' ? 'The command is empty.' : 'The path is empty.');
}

function readAssumptions(written: string): readonly Assumption[] {
  return written.split(',').map((word) => {
    const known = ASSUMPTIONS.find((assumption) => assumption === word.trim());
    if (known !== undefined) return known;
    const hint = didYouMean(word, ASSUMPTIONS);
    throw new UsageError(
      `--assume cannot be ${JSON.stringify(word)}.${hint} Choose ${ASSUMPTIONS.join(', ')} or both, with a comma.`,
    );
  });
}

function describeVerdict({ verdict, rule, decidedBy, reason, destroys, path, session }: Answer): string {
  const rows = [verdict, `  rule     ${rule}`, `  row      ${decidedBy}`, `  reason   ${reason}`];
  if (destroys !== undefined) rows.push(`  loss     DESTRUCTIVE: it ${destroys}.`);
  if (path !== undefined) rows.push(`  path     ${path}`);
  rows.push(`  session  ${session.trusted ? 'trusted' : 'not trusted'}, sandbox ${session.sandbox}`);
  return rows.map(escapeLine).join('\n');
}

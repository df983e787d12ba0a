import { FileSystemError, ToolError } from '../agent/errors.ts';
import type { PermissionDecision } from '../agent/ports/approver.ts';
import type { FileSystem } from '../agent/ports/file-system.ts';
import type { PathUse, PlannedEffect } from '../agent/ports/tool.ts';
import { decide } from '../policy/decide.ts';
import type { CallToDecide, DecisionSettings } from '../policy/decision-input.ts';
import { expandPath } from '../policy/paths/written-path.ts';
import { realPathOf, requireUsableText } from './files/resolve-path.ts';
import { resolveNamedPaths } from './shell/named-paths.ts';

/** A command, or a file to read or to write, as a model would name it. Paths count from the workspace. */
export interface Subject {
  readonly kind: 'command' | 'read' | 'write';
  readonly text: string;
}

/** Answer of a session's rules to a call. `path` is the real path of a file, if it has one. */
export interface SubjectVerdict {
  readonly verdict: PermissionDecision['type'];
  readonly rule: string;
  readonly reason: string;
  readonly path?: string;
}

interface JudgePorts {
  readonly fileSystem: FileSystem;
  readonly settings: DecisionSettings;
  /** The reason why a tool is not offered to the model, by its name. */
  readonly unavailable: ReadonlyMap<string, string>;
}

/** The tool that does what a subject names. */
const TOOLS = {
  command: { toolName: 'run_shell', toolEffect: 'execute' },
  read: { toolName: 'read_file', toolEffect: 'read' },
  write: { toolName: 'write_file', toolEffect: 'write' },
} as const satisfies Record<Subject['kind'], Pick<CallToDecide, 'toolName' | 'toolEffect'>>;

/**
 * Judges a subject with the decision function of a run, without a rule of the session. Nothing runs, and nothing is
 * written; only the paths are resolved. What a run refuses before it decides is denied.
 */
export async function judgeSubject(subject: Subject, ports: JudgePorts): Promise<SubjectVerdict> {
  const { toolName, toolEffect } = TOOLS[subject.kind];
  const off = ports.unavailable.get(toolName);
  if (off !== undefined) return deny(off, `The configuration does not offer ${toolName} to the model.`);
  const { settings } = ports;
  try {
    const effect = subject.kind === 'command' ? await planCommand(subject.text, ports) : await planFile(subject, ports);
    const call = { toolName, toolEffect, effect };
    const first = decide(call, settings, []);
    const [use] = subject.kind === 'command' ? [] : effect.paths;
    // A file that the rules refuse is not opened.
    if (use === undefined || first.type === 'deny') return verdictOf(first, use);
    const known = await inspectFile(use, ports.fileSystem);
    return verdictOf(decide({ ...call, effect: { ...effect, ...known } }, settings, []), use);
  } catch (error) {
    if (error instanceof ToolError) return deny(error.code, error.message);
    if (!(error instanceof FileSystemError)) throw error;
    return deny(error.code, `${subject.text} cannot be used: ${error.message}.`);
  }
}

function verdictOf(decision: PermissionDecision, use: PathUse | undefined): SubjectVerdict {
  const { type: verdict, rule } = decision;
  const reason = decision.type === 'allow' ? 'The rules allow it without a question.' : decision.reason;
  return { verdict, rule, reason, ...(use !== undefined && { path: use.realPath }) };
}

async function planCommand(
  command: string,
  { fileSystem, settings: { pathRules } }: JudgePorts,
): Promise<PlannedEffect> {
  if (command.includes('\0')) {
    throw new ToolError('invalid_arguments', 'The command contains a NUL, which no program can receive.');
  }
  const { workspace } = pathRules;
  const use: PathUse = { requested: '.', realPath: workspace, access: 'write' };
  const { reads, links } = await resolveNamedPaths(command, workspace, { fileSystem, pathRules });
  const named = { ...(reads && { reads }), ...(links && { links }) };
  return { summary: `run ${command}`, command, workingDirectory: workspace, paths: [use], ...named };
}

async function planFile(
  { kind, text }: Subject,
  { fileSystem, settings: { pathRules } }: JudgePorts,
): Promise<PlannedEffect> {
  await requireUsableText(text, { fileSystem, pathRules });
  const access = kind === 'write' ? 'write' : 'read';
  const realPath = await realPathOf(expandPath(text, pathRules), fileSystem, pathRules.platform);
  return { summary: `${access} ${text}`, paths: [{ requested: text, realPath, access }] };
}

/** Facts of an existing file that a run would have. Throws `FileSystemError` for one that no tool uses, such as a device. */
async function inspectFile(
  { realPath, access }: PathUse,
  fileSystem: FileSystem,
): Promise<Pick<PlannedEffect, 'before' | 'readThisSession' | 'protection'>> {
  try {
    const { protection } = await fileSystem.readFile(realPath, 1, 'refuse');
    if (access === 'read') return {};
    // No session has read the file, so its digest has no meaning here.
    const replaced = { before: '', readThisSession: false };
    return protection === undefined ? replaced : { ...replaced, protection };
  } catch (error) {
    // A directory is read by listing it, and the permissions of the machine are not a rule of ours.
    const harmless = access === 'read' ? ['not_found', 'is_directory', 'permission_denied'] : ['not_found'];
    if (error instanceof FileSystemError && harmless.includes(error.code)) return {};
    throw error;
  }
}

function deny(rule: string, reason: string): SubjectVerdict {
  return { verdict: 'deny', rule, reason };
}

import { FileSystemError, ToolError } from '../../../agent/errors.ts';
import type { PermissionDecision, PermissionRule } from '../../../agent/ports/approver.ts';
import type { Shell } from '../../../agent/ports/shell.ts';
import type { Tool } from '../../../agent/ports/tool.ts';
import { decide } from '../../../policy/decide.ts';
import type { DecisionSettings } from '../../../policy/decision-input.ts';
import { expandPath } from '../../../policy/paths/written-path.ts';
import { createRedactor } from '../../../policy/redaction/redact.ts';
import { destructiveEffect } from '../../../policy/shell/destructive/destructive.ts';
import type { FilePorts } from '../../../tools/files/load-file.ts';
import { createReadFile } from '../../../tools/files/read-file.ts';
import { ReadLedger } from '../../../tools/files/read-ledger.ts';
import { realPathOf } from '../../../tools/files/resolve-path.ts';
import { createWriteFile } from '../../../tools/files/write-file.ts';
import type { NamingPorts } from '../../../tools/shell/named-paths.ts';
import { createRunShell } from '../../../tools/shell/run-shell.ts';
import { withRedaction } from '../../../tools/wrappers/redacted-tool.ts';

/** A command, or a file to read or to write, as a model would name it. Paths count from the workspace. */
export interface Subject {
  readonly kind: 'command' | 'read' | 'write';
  readonly text: string;
}

/** Answer of a session's rules to a call. `path` is the real path of a file, if it has one. */
export interface SubjectVerdict {
  readonly verdict: PermissionDecision['type'];
  readonly rule: string;
  /** The name of the row of docs/check.md, or what refuses the call before the rules. */
  readonly decidedBy: string;
  readonly reason: string;
  /** The losses that a command causes, as the end of a sentence about it. */
  readonly destroys?: string;
  readonly path?: string;
}

interface JudgePorts extends Pick<FilePorts, 'fileSystem' | 'digest'>, Pick<NamingPorts, 'runGit'> {
  readonly settings: DecisionSettings;
  /** The rules that the user has kept for later sessions. */
  readonly rules?: readonly PermissionRule[];
  /** The reason why a tool is not offered to the model, by its name. */
  readonly unavailable: ReadonlyMap<string, string>;
}

/** A shell for tools that only plan. */
const NO_SHELL: Shell = {
  run() {
    throw new Error('a check runs nothing');
  },
};

/** Text for `--write` that no file has, because a file with the same content needs no write. */
const CONTENT = 'the content that ybs check does not write\n';

/**
 * Creates a function that checks a subject as a run checks the call that names it: the tool plans the call, and rules
 * decide on its effect, with the rules that hold in a new session. Nothing runs, and nothing is written. A call that the tool
 * refuses to plan is denied.
 */
export function createJudge(ports: JudgePorts): (subject: Subject) => Promise<SubjectVerdict> {
  const { fileSystem, unavailable, rules = [] } = ports;
  const settings = { ...ports.settings, offersRules: false };
  const { pathRules } = settings;
  const files = { ...ports, pathRules, ledger: new ReadLedger() };
  const commands = { ...files, shell: NO_SHELL, outputDirectory: '', environment: {}, maxOutputChars: 0 };
  // The layer of a session that refuses the marks of redacted secrets; a check prints no result.
  const planned = (tool: Tool): Tool => withRedaction(tool, createRedactor([]).redact);
  const tools: Readonly<Record<Subject['kind'], Tool>> = {
    command: planned(createRunShell({ ...commands, sandboxed: settings.sandbox?.type === 'on' })),
    read: planned(createReadFile(files)),
    write: planned(createWriteFile(files)),
  };
  const pathOf = async ({ kind, text }: Subject): Promise<Pick<SubjectVerdict, 'path'>> => {
    if (kind === 'command') return {};
    const path = await realPathOf(expandPath(text, pathRules), fileSystem, pathRules.platform).catch(() => undefined);
    return path === undefined ? {} : { path };
  };
  return async (subject) => {
    const { definition, plan } = tools[subject.kind];
    const { name: toolName, effect: toolEffect } = definition;
    const off = unavailable.get(toolName);
    if (off !== undefined)
      return deny(off, 'configuration', `The configuration does not offer ${toolName} to the model.`);
    const context = { callId: 'check', signal: new AbortController().signal, pause: async () => {} };
    const { text } = subject;
    const args = {
      command: { command: text },
      read: { path: text },
      write: { path: text, content: CONTENT },
    };
    try {
      const { effect } = await plan(args[subject.kind], context);
      const decision = decide({ toolName, toolEffect, effect }, settings, rules);
      const { type: verdict, rule, decidedBy } = decision;
      const reason = decision.type === 'allow' ? 'The rules allow it without a question.' : decision.reason;
      const destroys = destructiveEffect(effect);
      const loss = destroys !== undefined && { destroys };
      return { verdict, rule, decidedBy, reason, ...loss, ...(await pathOf(subject)) };
    } catch (error) {
      if (error instanceof ToolError) {
        return { ...deny(error.rule ?? error.code, 'tool', error.message), ...(await pathOf(subject)) };
      }
      if (!(error instanceof FileSystemError)) throw error;
      return deny(error.code, 'tool', `${text} cannot be used: ${error.message}.`);
    }
  };
}

function deny(rule: string, decidedBy: 'configuration' | 'tool', reason: string): SubjectVerdict {
  return { verdict: 'deny', rule, decidedBy, reason };
}

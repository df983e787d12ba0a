import { AbortedError } from '../agent/async/abort.ts';
import { UsageError } from '../agent/errors.ts';
import type { PermissionMode } from '../agent/ports/approver.ts';
import type { SandboxState } from '../agent/ports/shell.ts';
import type { Agent } from '../app/agent.ts';
import type { Completer } from '../app/commands/completion.ts';
import { createModelSwitch } from '../app/commands/model/model-switch.ts';
import { SessionDriver } from '../app/driver/session-driver.ts';
import { EXIT_CODES } from '../app/exit.ts';
import type { Palette, WriteText } from '../app/terminal.ts';
import type { Wiring } from '../app/wiring.ts';
import { needsModel } from '../config/agent-settings.ts';
import { isUndecided, trustNotice } from '../config/trust/describe-trust.ts';
import { describeSandbox } from '../policy/sandbox/describe-sandbox.ts';
import type { ChosenSession } from '../session/choose-session.ts';
import { chat } from '../terminal/chat/chat.ts';
import { renderSettings } from '../terminal/chat/render.ts';
import { createFactsRow } from '../terminal/chat/session-facts.ts';
import type { MessageHistory } from '../terminal/editor/terminal-ports.ts';
import { escapeLine, markLines, type UserConsole } from '../terminal/output.ts';
import { askAtTerminal } from '../terminal/question/ask-at-terminal.ts';
import { escapeForTerminal } from '../text/escape.ts';
import type { CommandLineOptions } from './command-line/options.ts';
import { resumeHint } from './resume-hint.ts';

/**
 * Opens the chat at a terminal and returns the exit code. The session is opened while the user types, after the first
 * prompt is drawn. `listPrompts` lists the prompts of the embedded mock model that work in a workspace.
 */
export async function runChat(
  given: CommandLineOptions,
  wiring: Pick<
    Wiring,
    | 'loadSettings'
    | 'openProject'
    | 'findServers'
    | 'setConfig'
    | 'listModels'
    | 'findInstructions'
    | 'openHistory'
    | 'openStore'
    | 'chooseSession'
    | 'openSession'
  >,
  user: UserConsole,
  listPrompts: (workspace: string) => Promise<readonly string[]>,
): Promise<number> {
  if (given.outputFormat === 'json') {
    throw new UsageError('--output-format json needs a prompt: ybs --output-format json "fix the test"');
  }
  if (given.quiet === true) throw new UsageError('--quiet needs a prompt: ybs --quiet "fix the test"');
  const loaded = await wiring.loadSettings(given);
  const first = isUndecided(loaded.trust)
    ? await (await import('./ask-for-trust.ts')).askForTrust(given, loaded, wiring, user)
    : loaded;
  if (first === undefined) return EXIT_CODES.aborted;
  let settings = first;
  /** Warnings that are shown before the session is used, because the user may be typing when they arrive. */
  const warnings: string[] = [];
  let stopped = false;
  let opened: Agent | undefined;
  let chosen: ChosenSession | undefined;
  let models: ReturnType<typeof createModelSwitch> | undefined;
  const driver: SessionDriver = new SessionDriver({
    openSession: (approver, signal) =>
      wiring.openSession(settings, approver, chosen, async (warning) => warnings.push(warning), signal),
    get approvals() {
      const { palette, keepsApprovals } = renderSettings(settings, user);
      return askAtTerminal({ terminal, write: user.write, palette, keepsApprovals, interruptRun: () => driver.stop() });
    },
    async onSession(agent) {
      opened = agent;
    },
  });
  // Also for the choice of a model, because what is typed while that model is tried becomes a message of the chat.
  const terminal = await user.openTerminal({
    history: lateHistory(() => wiring.openHistory(settings)),
    complete: lateCompleter(async () => {
      // To open the session before its model and its name are chosen would keep the wrong ones.
      if (chosen === undefined) throw new AbortedError();
      return driver.agent();
    }),
  });
  const unsubscribe = user.onStop(() => {
    stopped = true;
    driver.abort();
    terminal.close();
  });
  try {
    const options = needsModel(first)
      ? await (await import('./choose-local-model.ts')).askForModel(given, first, wiring, user, terminal)
      : given;
    if (options === undefined) return EXIT_CODES.aborted;
    if (options !== given) settings = await wiring.loadSettings(options);
    const { config, dryRun, model, workspace } = settings;
    // The sandbox is checked while the rest of the start continues.
    const trying = settings.sandbox?.();
    // Even without styles, a row of the model must not look like a message of the user.
    const render = { ...renderSettings(settings, user), columns: user.columns, undo: '/undo' };
    const [prompts, instructions] = await Promise.all([
      model.embedded ? listPrompts(workspace) : [],
      wiring.findInstructions(settings),
    ]);
    const say: WriteText = (text) => user.write(markLines(text, render.palette));
    const permissionMode = config.safety.permission_mode;
    models = createModelSwitch(wiring, options, config.llm.provider);
    chosen =
      options.resume === ''
        ? await (await import('../terminal/chat/pick-session.ts')).pickSession(
            await wiring.openStore(settings),
            workspace,
            {
              terminal,
              say,
            },
          )
        : await wiring.chooseSession(options, settings);
    if (chosen === undefined) return EXIT_CODES.aborted;
    // A stored session is opened at once, because it may be in use or damaged.
    const restored = chosen.type === 'stored' ? await driver.agent() : undefined;
    const names = { model: model.name, workspace, session: chosen.name };
    const facts = {
      ...names,
      permissionMode: restored?.permissionMode ?? permissionMode,
      sandbox: await trying,
      dryRun,
      trust: trustNotice(settings.trust),
      instructions,
      prompts,
    };
    await say(banner(facts, render.palette, user.columns() - MARK_WIDTH));
    if (restored !== undefined) {
      const { describeRestored } = await import('../app/commands/session/session-commands.ts');
      await say(`${escapeForTerminal(describeRestored(restored))}\n`);
    }
    await user.write('\n');
    const title = `ybs: ${escapeLine(nameOf(workspace))}`;
    user.setTitle(title);
    const { bell, bell_seconds: bellSeconds } = config.ui;
    const notification = bell === 'notification' ? `${title} waits for you` : undefined;
    user.setBell(bellSeconds === 0 ? undefined : { afterMs: bellSeconds * 1000, notification });
    const begun = {
      model: model.name,
      permissionMode: facts.permissionMode,
      sandbox: facts.sandbox,
      inputTokens: 0,
      outputTokens: 0,
    };
    const row = createFactsRow(begun, (text) => user.showFacts(text, (shown) => render.palette('dim', shown)));
    if (restored !== undefined) row.read(restored);
    const exitCode = chat({
      terminal,
      write: user.write,
      showStatus: user.showStatus,
      copy: user.copy,
      settings: render,
      enterDuringRun: config.ui.enter_during_run,
      models,
      currentDirectory: workspace,
      driver,
      async agent() {
        const agent = await driver.agent();
        for (const warning of warnings.splice(0)) await say(`! ${escapeLine(warning)}\n`);
        return agent;
      },
      onEvent: row.note,
      onIdle: () => {
        driver.agent().then(row.read, () => undefined);
      },
    }).finally(row.close);
    // `chat` has drawn the prompt, so opening the session does not delay it. If that fails, the chat ends.
    let failure: { readonly error: unknown } | undefined;
    driver.agent().catch((error: unknown) => {
      failure = { error };
      terminal.close();
    });
    const code = await exitCode;
    if (failure !== undefined) throw failure.error;
    return stopped ? EXIT_CODES.aborted : code;
  } finally {
    unsubscribe();
    terminal.close();
    user.setTitle(undefined);
    await driver.close();
    if (opened !== undefined && models !== undefined && !stopped)
      await user.write(
        resumeHint(opened.record, models.options, user.columns(), user.palette(settings.config.ui.color), user.program),
      );
    await models?.close();
  }
}

function nameOf(directory: string): string {
  return directory.split(/[\\/]/).findLast((part) => part !== '') ?? directory;
}

/** A history that is opened when it is needed, so that the first prompt does not wait for it. */
function lateHistory(open: () => Promise<MessageHistory | undefined>): MessageHistory {
  let opened: Promise<MessageHistory | undefined> | undefined;
  const history = (): Promise<MessageHistory | undefined> => {
    opened ??= open();
    return opened;
  };
  return {
    load: async () => (await history())?.load() ?? [],
    add: async (message) => (await history())?.add(message),
  };
}

/** A completer that is loaded with the first key that asks for it. */
function lateCompleter(agent: () => Promise<Agent>): Completer {
  return async (...input) => (await import('../app/commands/completer.ts')).completerOf(agent)(...input);
}

interface BannerFacts {
  readonly model: string;
  readonly workspace: string;
  readonly permissionMode: PermissionMode;
  readonly sandbox: SandboxState | undefined;
  readonly dryRun: boolean;
  /** Name of the session; absent if it is not stored. */
  readonly session: string | undefined;
  /** Notice about a project that is not trusted. */
  readonly trust?: string | undefined;
  /** The instructions files of the project that the model gets. */
  readonly instructions: readonly string[];
  /** See `listPrompts` of `runChat`. */
  readonly prompts: readonly string[];
}

/** The lines above the first prompt, without their marks, which take no part of `columns`. */
export function banner(
  { model, workspace, permissionMode, sandbox, dryRun, session, trust, instructions, prompts }: BannerFacts,
  palette: Palette,
  columns = 80,
): string {
  const rows = [
    `${palette('bold', 'ybs')} ${escapeLine(model)}`,
    `workspace ${escapeLine(workspace)}`,
    `permissions ${permissionMode}${dryRun ? ', dry run' : ''}`,
    ...(sandbox === undefined ? [] : sandboxRows(sandbox, palette)),
    `session ${session ?? 'not stored; /save stores it'}`,
  ];
  if (trust !== undefined) rows.push(`project ${escapeLine(trust)}`);
  if (instructions.length > 0) {
    rows.push(`instructions from the project: ${instructions.map(escapeLine).join(', ')}`);
  }
  if (prompts.length > 0) rows.push('the mock model replays stories; it answers these prompts:');
  for (const line of fillLines(prompts.map(escapeLine), Math.min(MAX_LINE_WIDTH, columns - 2))) {
    rows.push(`  ${line.map((prompt) => palette('cyan', prompt)).join(SEPARATOR)}`);
  }
  rows.push(palette('dim', '/help for help'));
  return `${rows.join('\n')}\n`;
}

function sandboxRows(sandbox: SandboxState, palette: Palette): readonly string[] {
  if (sandbox.type === 'on') return [escapeLine(describeSandbox(sandbox))];
  const advice = sandbox.advice === undefined ? [] : [`  ${escapeLine(sandbox.advice)}`];
  return [palette('yellow', escapeLine(describeSandbox(sandbox))), ...advice];
}

const SEPARATOR = ' · ';
/** The columns of the mark before a line, and of the space after it. */
const MARK_WIDTH = 2;
const MAX_LINE_WIDTH = 76;

/** Distributes texts over lines of at most this width, in order, so that many prompts fit on a small screen. */
function fillLines(texts: readonly string[], maxWidth: number): readonly (readonly string[])[] {
  const lines: string[][] = [];
  let width = 0;
  for (const text of texts) {
    width += SEPARATOR.length + text.length;
    const line = lines.at(-1);
    if (line !== undefined && width <= maxWidth) line.push(text);
    else {
      lines.push([text]);
      width = text.length;
    }
  }
  return lines;
}

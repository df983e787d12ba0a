import type { OpenSession, Wiring } from '../app/wiring.ts';
import { UsageError } from '../core/errors.ts';
import type { PermissionMode } from '../ports/approver.ts';
import type { Palette } from '../ports/terminal.ts';
import { createTerminalApprover } from './approval.ts';
import type { CommandLineOptions } from './arguments.ts';
import { chat } from './chat.ts';
import { EXIT_CODES } from './exit.ts';
import { escapeLine, type UserConsole } from './output.ts';
import { renderSettings } from './render.ts';

/**
 * Opens the chat at a terminal and returns the exit code. The session is opened while the user types, after the first
 * prompt is drawn. `listPrompts` lists the prompts that the embedded mock model knows.
 */
export async function runChat(
  options: CommandLineOptions,
  { loadSettings, openSession }: Pick<Wiring, 'loadSettings' | 'openSession'>,
  user: UserConsole,
  listPrompts: () => Promise<readonly string[]>,
): Promise<number> {
  if (options.outputFormat === 'json') {
    throw new UsageError('--output-format json needs a prompt: ybs --output-format json "fix the test"');
  }
  const settings = await loadSettings(options);
  const { config, dryRun, model, workspace } = settings;
  const render = renderSettings(settings, user);
  const prompts = model.embedded ? await listPrompts() : [];
  const permissionMode = config.safety.permission_mode;
  await user.write(banner({ model: model.name, workspace, permissionMode, dryRun, prompts }, render.palette));

  const terminal = await user.openTerminal();
  let stop: AbortController | undefined;
  let stopped = false;
  const unsubscribe = user.onStop(() => {
    stopped = true;
    stop?.abort();
    terminal.close();
  });
  const approver = createTerminalApprover({
    terminal,
    write: user.write,
    palette: render.palette,
    interruptRun: () => stop?.abort(),
  });
  let session: Promise<OpenSession> | undefined;
  const open = async (): Promise<OpenSession> => {
    session ??= openSession(settings, approver);
    return session;
  };
  try {
    const exitCode = chat({
      terminal,
      write: user.write,
      showStatus: user.showStatus,
      settings: render,
      currentDirectory: workspace,
      agent: async () => (await open()).agent,
      onRun: (controller) => {
        stop = controller;
      },
    });
    // `chat` has drawn the prompt, so opening the session does not delay it. If that fails, the chat ends.
    let failed = false;
    open().catch(() => {
      failed = true;
      terminal.close();
    });
    const code = await exitCode;
    if (failed) await session;
    return stopped ? EXIT_CODES.aborted : code;
  } finally {
    unsubscribe();
    terminal.close();
    const opened = await session?.catch(() => undefined);
    await opened?.close();
  }
}

/** Facts that the banner shows. */
interface BannerFacts {
  readonly model: string;
  readonly workspace: string;
  readonly permissionMode: PermissionMode;
  readonly dryRun: boolean;
  /** The prompts that the embedded mock model knows. */
  readonly prompts: readonly string[];
}

/** The lines above the first prompt. */
export function banner({ model, workspace, permissionMode, dryRun, prompts }: BannerFacts, palette: Palette): string {
  const rows = [
    `${palette('bold', 'ybs')} ${escapeLine(model)}`,
    `workspace ${escapeLine(workspace)}`,
    `permissions ${permissionMode}${dryRun ? ', dry run' : ''}; commands run unsandboxed`,
  ];
  if (prompts.length > 0) rows.push('the mock model replays stories; it answers these prompts:');
  for (const prompt of prompts) rows.push(`  ${palette('cyan', escapeLine(prompt))}`);
  rows.push(palette('dim', '/help for help'), '');
  return `${rows.join('\n')}\n`;
}

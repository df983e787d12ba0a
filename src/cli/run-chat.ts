import type { Agent } from '../app/session.ts';
import { listStoryPrompts } from '../stories/story-prompts.ts';
import { escapeForTerminal } from '../text/escape.ts';
import { createTerminalApprover } from './approval.ts';
import type { CommandLineOptions } from './arguments.ts';
import { chat } from './chat.ts';
import { chooseModel, isEmbedded } from './choose-model.ts';
import { EXIT_CODES } from './exit.ts';
import type { Session } from './open-session.ts';
import type { Palette } from './output.ts';
import { loadSettings } from './settings.ts';
import type { World } from './world.ts';

/**
 * Opens the chat; returns the exit code. What the first prompt does not need is loaded behind it, while the user
 * types.
 */
export async function runChat(options: CommandLineOptions, world: World): Promise<number> {
  const settings = await loadSettings(options, world);
  const { config, workspace, dryRun, render } = settings;
  const permissionMode = config.safety.permission_mode;
  const model = await chooseModel(config, world);
  if (world.interactive) {
    const { shippedStories } = world.mockModel;
    const prompts = isEmbedded(config) ? await listStoryPrompts(shippedStories, world.storyFiles) : [];
    const facts = { model: model.name, workspace, permissionMode, dryRun, prompts };
    await world.stdout(banner(facts, render.palette));
  }

  const terminal = await world.openTerminal();
  let stop: AbortController | undefined;
  let stopped = false;
  const unsubscribe = world.onStop(() => {
    stopped = true;
    stop?.abort();
    terminal.close();
  });
  const approver = createTerminalApprover({
    terminal,
    write: world.stdout,
    palette: render.palette,
    interruptRun: () => stop?.abort(),
  });
  let session: Promise<Session> | undefined;
  const open = async (): Promise<Session> => {
    const [{ openSession }, ready] = await Promise.all([import('./open-session.ts'), model.ready()]);
    return openSession({ ...settings, approver, model: ready, modelName: model.name }, world);
  };
  const agent = async (): Promise<Agent> => {
    session ??= open();
    return (await session).agent;
  };
  try {
    const talk = chat({
      terminal,
      write: world.stdout,
      settings: render,
      currentDirectory: workspace,
      agent,
      onRun: (controller) => {
        stop = controller;
      },
    });
    // The prompt is drawn. A chat without an agent is over.
    let failed = false;
    agent().catch(() => {
      failed = true;
      terminal.close();
    });
    const code = await talk;
    if (failed) await session;
    return stopped ? EXIT_CODES.aborted : code;
  } finally {
    unsubscribe();
    terminal.close();
    await closeQuietly(session);
    await model.close();
  }
}

async function closeQuietly(session: Promise<Session> | undefined): Promise<void> {
  const opened = await session?.catch(() => undefined);
  await opened?.close();
}

/** What the user should know before the first message. `prompts` are those the embedded mock model knows. */
export interface BannerFacts {
  readonly model: string;
  readonly workspace: string;
  readonly permissionMode: string;
  readonly dryRun: boolean;
  readonly prompts: readonly string[];
}

/** The lines above the first prompt. */
export function banner(facts: BannerFacts, palette: Palette): string {
  const line = (text: string) => escapeForTerminal(text, { keepNewlines: false });
  const dryRun = facts.dryRun ? ', dry run' : '';
  const rows = [
    `${palette('bold', 'ybs')} ${line(facts.model)}`,
    `workspace ${line(facts.workspace)}`,
    `permissions ${facts.permissionMode}${dryRun}; commands run unsandboxed`,
  ];
  if (facts.prompts.length > 0) rows.push('the mock model replays stories, it knows these prompts:');
  for (const prompt of facts.prompts) rows.push(`  ${palette('cyan', line(prompt))}`);
  rows.push(palette('dim', '/help for help'), '');
  return `${rows.join('\n')}\n`;
}

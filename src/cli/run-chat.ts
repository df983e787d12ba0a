import type { Agent } from '../app/agent.ts';
import { createTerminalApprover } from './approval-prompt.ts';
import type { CommandLineOptions } from './arguments.ts';
import { banner } from './banner.ts';
import { chooseModel, isEmbedded } from './choose-model.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { readStory } from './load-stories.ts';
import type { Session } from './open-session.ts';
import { chat } from './repl.ts';
import { loadSettings } from './settings.ts';
import type { NamedScenarioFile, World } from './world.ts';

/**
 * Opens the chat; returns the exit code. What the first prompt does not need is loaded behind it, while the user
 * types.
 */
export async function runChat(options: CommandLineOptions, world: World): Promise<number> {
  const settings = await loadSettings(options, world);
  const { config, workspace, dryRun, render } = settings;
  const permissionMode = config.safety.permission_mode;
  const files = isEmbedded(config) ? await world.mockModel.load([world.mockModel.shippedStories]) : [];
  const model = chooseModel(config, files, world);
  const facts = { model: model.name, workspace, permissionMode, dryRun, prompts: await promptsOf(files, world) };
  if (world.interactive) await world.stdout(banner(facts, render.palette));

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
    // The prompt is drawn. Whoever needs the agent and cannot have it is told then.
    agent().catch(() => {});
    const code = await talk;
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

/** The first prompt of every story, in the order of the files. */
async function promptsOf(files: readonly NamedScenarioFile[], world: World): Promise<readonly string[]> {
  const stories = await Promise.all(files.map(({ file, content }) => readStory(file, content, world.storyFiles)));
  return stories.flatMap(({ story }) => story.prompts.slice(0, 1));
}

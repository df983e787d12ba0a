import { UsageError } from '../agent/errors.ts';
import { SessionDriver } from '../app/driver/session-driver.ts';
import { EXIT_CODES } from '../app/exit.ts';
import type { Settings } from '../app/settings.ts';
import type { Terminal } from '../app/terminal.ts';
import type { Wiring } from '../app/wiring.ts';
import { needsModel } from '../config/agent-settings.ts';
import { isUndecided, runNotice } from '../config/trust/describe-trust.ts';
import { createLineWriter } from '../hosts/write-lines.ts';
import { showAnswer, showAsText } from '../terminal/chat/follow-run.ts';
import { renderSettings } from '../terminal/chat/render.ts';
import type { UserConsole } from '../terminal/output.ts';
import { askAtTerminal } from '../terminal/question/ask-at-terminal.ts';
import { readTypedPrompt } from '../tools/triggers/typed-prompt.ts';
import type { CommandLineOptions } from './command-line/options.ts';

/**
 * The parts of the wiring that a run uses. Without `findServers`, it looks for no model, and without `openProject`, it does
 * not ask about the project.
 */
type RunWiring = Pick<Wiring, 'loadSettings' | 'setConfig' | 'chooseSession' | 'openSession'> &
  Partial<Pick<Wiring, 'findServers' | 'openProject'>>;

/**
 * Runs one prompt and returns the exit code: `words` of the command line with piped input as its context, or the input
 * alone. With text output at a terminal the user is asked for approval; JSON is for programs, so nothing is asked.
 */
export async function runPrompt(
  words: string | undefined,
  given: CommandLineOptions,
  wiring: RunWiring,
  user: UserConsole,
): Promise<number> {
  const { loadSettings, chooseSession, openSession, findServers, openProject } = wiring;
  const asText = given.outputFormat === 'text';
  if (given.resume === '') {
    throw new UsageError('--resume needs the id of a session here. In a chat, it shows a list: ybs --resume');
  }
  const loaded = await loadSettings(given);
  const first =
    openProject !== undefined && asksUser(given, user) && isUndecided(loaded.trust)
      ? await (await import('./ask-for-trust.ts')).askForTrust(given, loaded, { loadSettings, openProject }, user)
      : loaded;
  if (first === undefined) return EXIT_CODES.aborted;
  const options =
    findServers !== undefined && needsModel(first)
      ? await chooseModel(given, first, { ...wiring, findServers }, user)
      : given;
  if (options === undefined) return EXIT_CODES.aborted;
  const settings = options === given ? first : await loadSettings(options);
  // The sandbox is tried while the session is opened.
  void settings.sandbox?.();
  const notice = runNotice(settings.trust);
  if (notice !== undefined) await user.warn(notice);
  const render = renderSettings(settings, user);
  let terminal: Terminal | undefined;
  const { write } = user;
  const driver = new SessionDriver({
    openSession: async (approver, signal) =>
      openSession(settings, approver, await chooseSession(options, settings), undefined, signal),
    get approvals() {
      return terminal && askAtTerminal({ ...render, terminal, write, interruptRun: () => driver.abort() });
    },
    async onSession(agent) {
      if (agent.record.restored === undefined) return;
      const { restoredNotes } = await import('../session/log/restored-notes.ts');
      for (const note of restoredNotes(agent)) await user.warn(note);
    },
  });
  const unsubscribe = user.onStop(() => driver.abort());
  try {
    const prompt = await readPrompt(words, user, driver.signal);
    if (prompt === undefined) return EXIT_CODES.aborted;
    terminal = asText && user.interactive ? await user.openTerminal() : undefined;
    terminal?.onInterrupt(() => driver.abort());
    const end = await driver.submit(async ({ run, signal }) => {
      const agent = await driver.agent();
      const stored = agent.record.file === undefined ? {} : { undo: 'ybs undo', goOn: 'ybs --continue "go on"' };
      const showText = () =>
        options.quiet ? showAnswer(user) : showAsText(user, { ...render, ...stored }, user.writeAside);
      // Only the words of the command line were typed; the input of another program has no triggers.
      const { prompt: typed } = await readTypedPrompt(words ?? '', agent, signal);
      return run({ ...typed, text: prompt }, asText ? showText() : createLineWriter(write));
    });
    return EXIT_CODES[end?.outcome ?? 'aborted'];
  } finally {
    unsubscribe();
    await driver.close().finally(() => terminal?.close());
  }
}

function asksUser({ outputFormat, quiet }: CommandLineOptions, { interactive }: UserConsole): boolean {
  return interactive && outputFormat === 'text' && quiet !== true;
}

async function chooseModel(
  options: CommandLineOptions,
  settings: Settings,
  wiring: Pick<Wiring, 'loadSettings' | 'findServers' | 'setConfig'>,
  user: UserConsole,
): Promise<CommandLineOptions | undefined> {
  const { askForModel, withLocalModel } = await import('./choose-local-model.ts');
  if (!asksUser(options, user)) return withLocalModel(options, settings, wiring, user.onStop);
  const terminal = await user.openTerminal();
  return askForModel(options, settings, wiring, user, terminal).finally(terminal.close);
}

/** The prompt, or `undefined` when the user stops the reading of the input. Throws `UsageError` when it is empty. */
async function readPrompt(
  words: string | undefined,
  user: UserConsole,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (words !== undefined && user.typesInput) return words;
  let input: string;
  try {
    input = await user.readInput(signal);
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
  const isEmpty = input.trim() === '';
  if (words !== undefined) return isEmpty ? words : `${words}\n\n<stdin>\n${input.replace(/\n?$/, '\n')}</stdin>`;
  // `echo prompt | ybs` means what `ybs prompt` does.
  if (!isEmpty) return input.replace(/\r?\n$/, '');
  throw new UsageError('There is no prompt: standard input is empty and not a terminal. Give one: ybs "fix the test"');
}

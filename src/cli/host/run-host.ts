import { messageOf, UsageError } from '../../agent/errors.ts';
import { createModelSwitch } from '../../app/commands/model/model-switch.ts';
import { untilStopped } from '../../app/driver/until-stopped.ts';
import { EXIT_CODES } from '../../app/exit.ts';
import type { Prompt } from '../../app/session.ts';
import type { Machine, SessionOptions, Settings } from '../../app/settings.ts';
import type { Wiring } from '../../app/wiring.ts';
import { DEFAULT } from '../../config/layers/merge-layers.ts';
import { runNotice } from '../../config/trust/describe-trust.ts';
import { drive, type HostFormat } from '../../hosts/drive.ts';
import { createStreamJson, type StreamJson } from '../../hosts/stream-json/stream-json.ts';
import { createLineWriter } from '../../hosts/write-lines.ts';
import { createYumeJson } from '../../hosts/yume/yume-json.ts';
import { KeyError } from '../../providers/target/chosen-model.ts';
import type { UserConsole } from '../../terminal/output.ts';
import type { HostArguments } from './host-arguments.ts';

export interface HostRunPorts {
  readonly wiring: Pick<Wiring, 'loadSettings' | 'readConfig' | 'listModels' | 'chooseSession' | 'openSession'>;
  readonly machine: Pick<Machine, 'environment' | 'newId' | 'clock' | 'fileSystem' | 'resolvePath'>;
  readonly user: Pick<UserConsole, 'write' | 'warn' | 'onStop' | 'readInput'>;
  /** Standard input as bytes. */
  readonly openInput: (signal: AbortSignal) => AsyncIterable<Uint8Array>;
  readonly version: string;
  /** See `keepMemorySmall` of the adapters; called after each turn of a process that stays. */
  readonly keepMemorySmall: () => Promise<void>;
}

/** The variables of the environment that choose the provider of a host that has configured none. */
const ANTHROPIC_VARIABLES = ['ANTHROPIC_BASE_URL', 'ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'];

/**
 * Lets the program that started ybs drive it, and returns the exit code: 0 unless the last result is an error and the
 * host has not interrupted its run.
 */
export async function runHost(host: HostArguments, ports: HostRunPorts): Promise<number> {
  const { wiring, user } = ports;
  const stream = createConversation(host, ports);
  const { options, settings, sandboxed, prompts, addHistory } = await prepare(host, ports).catch(
    async (error: unknown) => {
      // The host reads why on standard output, like failures of an open session.
      const code = error instanceof KeyError ? 'auth' : undefined;
      for (const line of stream.format.fail(messageOf(error), code)) await stream.writeLine(line);
      throw error;
    },
  );
  const models = createModelSwitch(wiring, options, settings.config.llm.provider);
  try {
    const outcome = await drive(withPrompts(stream.format, addHistory), {
      writeLine: stream.writeLine,
      requests: stream.requests,
      prompts,
      openInput: host.persistent ? ports.openInput : undefined,
      hooks: stream.hooks,
      approvals: stream.approvals,
      async openSession(approver, signal) {
        const chosen = await wiring.chooseSession(options, settings);
        const { tools, hooks, systemPrompt, appendSystemPrompt, answerSchema } = await stream.begin(signal);
        const given = {
          ...(systemPrompt !== undefined && { systemPrompt }),
          ...(appendSystemPrompt !== undefined && { appendSystemPrompt }),
          ...(answerSchema !== undefined && { answerSchema }),
        };
        const isChanged = Object.keys(given).length > 0;
        const complete = isChanged ? await wiring.loadSettings({ ...sandboxed, ...given }) : settings;
        return wiring.openSession(
          { ...complete, ...(tools.length > 0 && { tools }), ...(hooks !== undefined && { hooks }) },
          approver,
          chosen,
          undefined,
          signal,
        );
      },
      async setModel(agent, model, signal) {
        const note = await models.use(agent, { provider: settings.config.llm.provider, model }, signal);
        if (note !== undefined) await user.warn(note);
      },
      afterTurn: host.persistent ? ports.keepMemorySmall : undefined,
      onStop: user.onStop,
    });
    return outcome === undefined || outcome === 'denied' ? EXIT_CODES.done : EXIT_CODES[outcome];
  } finally {
    await models.close();
  }
}

/** The settings of the session, and the prompts of the command line. */
async function prepare(host: HostArguments, ports: HostRunPorts) {
  const { wiring, machine, user } = ports;
  if (host.problem !== undefined) throw host.problem;
  if (host.unknown.length > 0) await user.warn(`ignoring flags that ybs does not have: ${host.unknown.join(' ')}`);
  const options = await withProvider(host.options, ports);
  const { settings, options: sandboxed } = await loadSettings(options, host, wiring);
  // The sandbox is tried while the session is opened.
  void settings.sandbox?.();
  for (const directory of host.options.addDirectories ?? []) {
    const found = await machine.fileSystem.stat(machine.resolvePath(directory)).catch(() => undefined);
    if (found?.kind !== 'directory') await user.warn(`--add-dir ${directory}: there is no such directory.`);
  }
  const notice = runNotice(settings.trust);
  if (notice !== undefined) await user.warn(notice);
  const given = await readPrompts(host, user);
  const addHistory =
    host.historyFile === undefined
      ? (prompt: Prompt) => prompt
      : await (await import('./history-file.ts')).readHistory(host, machine);
  return { options, settings, sandboxed, prompts: given.map(addHistory), addHistory };
}

/** The format, with the prompts of the host changed. */
function withPrompts(format: HostFormat, change: (prompt: Prompt) => Prompt): HostFormat {
  return {
    ...format,
    async decode(frame) {
      const command = await format.decode(frame);
      return command.type === 'prompt' ? { type: 'prompt', ...change(command) } : command;
    },
  };
}

function createConversation(
  { format, partial, asksHost, options, asks }: HostArguments,
  { machine, user: { write, warn }, version }: HostRunPorts,
): StreamJson {
  const shared = { writeLine: createLineWriter(write), now: () => machine.clock.now() };
  const sessionId = options.sessionId ?? options.resume;
  if (format === 'yume-json') return createYumeJson({ asksHost, sessionId, asks }, shared);
  const { newId, clock } = machine;
  const wait = (seconds: number, signal: AbortSignal) => clock.sleep(seconds * 1000, signal).catch(() => {});
  return createStreamJson({ partial, asksHost, sessionId }, { ...shared, newId, version, warn, wait });
}

/** The options with the provider that the environment chooses, if none is configured. */
async function withProvider(options: SessionOptions, { wiring, machine }: HostRunPorts): Promise<SessionOptions> {
  if (options.provider !== undefined || !ANTHROPIC_VARIABLES.some((name) => machine.environment[name])) return options;
  const { origins } = await wiring.readConfig(options);
  return origins.get('llm.provider') === DEFAULT ? { ...options, provider: 'anthropic' } : options;
}

/** The settings; a host that has turned off all questions does without a sandbox that this machine does not have. */
async function loadSettings(
  options: SessionOptions,
  { skipsPermissions }: HostArguments,
  wiring: HostRunPorts['wiring'],
): Promise<{ readonly settings: Settings; readonly options: SessionOptions }> {
  const settings = await wiring.loadSettings(options);
  const mayBeWithout = skipsPermissions && options.noSandbox !== true;
  const sandbox = mayBeWithout ? await settings.sandbox?.() : undefined;
  if (sandbox?.type !== 'off') return { settings, options };
  const without = { ...options, noSandbox: true };
  return { settings: await wiring.loadSettings(without), options: without };
}

async function readPrompts(
  { prompt, persistent }: HostArguments,
  user: HostRunPorts['user'],
): Promise<readonly Prompt[]> {
  // Standard input is not read when there is a prompt, because a host may leave it open and silent.
  if (prompt !== undefined) return [{ text: prompt }];
  if (persistent) return [];
  const text = await untilStopped(user.onStop, ({ signal }) => user.readInput(signal));
  if (text.trim() !== '') return [{ text }];
  throw new UsageError('There is no prompt: give one as an argument or on standard input.');
}

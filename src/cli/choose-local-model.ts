import { UsageError } from '../agent/errors.ts';
import type { Settings } from '../app/settings.ts';
import type { Terminal, WriteText } from '../app/terminal.ts';
import type { Wiring } from '../app/wiring.ts';
import { modelRows } from '../providers/limits/describe-model.ts';
import { askedAddresses, type FoundServer } from '../providers/target/find-servers.ts';
import { PROVIDERS } from '../providers/target/presets.ts';
import { type ToolTrial, tryToolCall } from '../providers/try-tool-call.ts';
import { markLines, type UserConsole } from '../terminal/output.ts';
import { escapeLine } from '../text/escape.ts';
import { fillRows } from '../text/fill-rows.ts';
import type { CommandLineOptions } from './command-line/options.ts';
import { writeConnection } from './write-connection.ts';

/** One model that answers on this machine. */
interface Offer {
  readonly server: FoundServer;
  readonly model: FoundServer['models'][number];
}

type Ports = Pick<Wiring, 'findServers' | 'loadSettings' | 'setConfig'>;

/** The maximum number of models that are listed. */
const MAX_LISTED = 30;

/**
 * The options with a model that was found on this machine, for a run that asks nobody. Without a choice, these are the
 * given ones: where Ollama has the default model, and where nothing answers; `undefined` if the user stops it. Throws
 * `UsageError` if there is a choice.
 */
export async function withLocalModel(
  options: CommandLineOptions,
  settings: Settings,
  wiring: Pick<Ports, 'findServers'>,
  onStop: UserConsole['onStop'],
): Promise<CommandLineOptions | undefined> {
  const stop = new AbortController();
  const unsubscribe = onStop(() => stop.abort());
  const servers = await wiring
    .findServers(settings, stop.signal)
    .catch((error: unknown) => {
      if (stop.signal.aborted) return undefined;
      throw error;
    })
    .finally(unsubscribe);
  if (servers === undefined) return undefined;
  const offers = offersOf(servers);
  const isDefault = ({ server, model }: Offer): boolean =>
    server.provider === 'ollama' && model.name === PROVIDERS.get('ollama')?.model;
  const [first] = offers;
  const loading = servers.find(({ isLoading }) => isLoading);
  if (first === undefined && loading !== undefined) throw new UsageError(withoutModels(loading));
  if (first === undefined || offers.some(isDefault)) return options;
  const names = offers.map(({ model, server }) => `${model.name} (${server.label})`);
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  throw new UsageError(
    `No model is configured. This machine has ${names.slice(0, MAX_NAMED).join(', ')}${more}. Choose one: ${commandFor(first.server, first.model.name)}, or run ybs at a terminal, which asks.`,
  );
}

const MAX_NAMED = 5;

export function commandFor({ provider, endpoint }: FoundServer, model: string): string {
  const address = endpoint === undefined || provider === 'ollama' ? '' : ` --endpoint ${endpoint}`;
  return `ybs --provider ${provider}${address} --model ${model}`;
}

/**
 * Lists the models of this machine, asks at the terminal which one to use, and tries a call with it. Returns the options
 * with that model; the given ones if nothing answers; `undefined` if the user leaves.
 */
export async function askForModel(
  options: CommandLineOptions,
  settings: Settings,
  wiring: Ports,
  user: UserConsole,
  terminal: Terminal,
): Promise<CommandLineOptions | undefined> {
  const say: WriteText = (text) => user.write(markLines(text, user.palette(settings.config.ui.color)));
  const stop = new AbortController();
  const unsubscribe = user.onStop(() => {
    stop.abort();
    terminal.close();
  });
  const end = terminal.onInterrupt(() => stop.abort());
  const tell = (text: string): Promise<unknown> => say(`${fillRows(escapeLine(text), user.columns() - 2, '')}\n`);
  try {
    user.showStatus({ label: 'looking for model servers on this machine' });
    const servers = await wiring.findServers(settings, stop.signal).finally(() => user.showStatus(undefined));
    const offers = offersOf(servers);
    if (offers.length === 0) {
      for (const line of nothingFound(servers, settings)) await tell(line);
      return options;
    }
    await say('No model is configured. This machine has:\n');
    await say(
      listing(offers)
        .map((row) => `${escapeLine(row)}\n`)
        .join(''),
    );
    await tell('A number, or Enter for 1, uses that model now; "1 save" also writes it to your configuration.');
    for (;;) {
      const input = await terminal.readLine({ prompt: 'model> ', fresh: true });
      if (input.type !== 'line') return undefined;
      const answer = readAnswer(input.text, offers);
      if (typeof answer === 'string') {
        await tell(answer);
        continue;
      }
      const { offer, saves } = answer;
      const { tool_protocol: toolProtocol } = settings.config.llm;
      // The options that a command would name, so that /model and the hint to continue keep the server.
      const { provider, endpoint } = offer.server;
      const at = provider === 'ollama' ? options.endpoint : endpoint;
      const chosen = { ...options, toolProtocol, provider, endpoint: at, model: offer.model.name };
      const trial = await tryModel(chosen, offer, wiring, user, terminal);
      await tell(describeTrial(offer, trial));
      if (trial?.type === 'failed' && !saves) continue;
      if (saves) {
        const files = await writeConnection(connectionOf(offer), options, wiring);
        await tell(`Wrote ${files.join(' and ')}. ybs init changes it.`);
      }
      return chosen;
    }
  } catch (error) {
    if (stop.signal.aborted) return undefined;
    throw error;
  } finally {
    end();
    unsubscribe();
  }
}

function offersOf(servers: readonly FoundServer[]): readonly Offer[] {
  return servers.flatMap((server) => server.models.map((model) => ({ server, model }))).slice(0, MAX_LISTED);
}

function listing(offers: readonly Offer[]): readonly string[] {
  const rows = modelRows(offers.map(({ model }) => model));
  return offers.map(({ server: { label, endpoint, address } }, index) => {
    const place = endpoint === undefined ? label : `${label} at ${address}`;
    return `${`${index + 1}`.padStart(3)}  ${rows[index]}  on ${place}`;
  });
}

function nothingFound(servers: readonly FoundServer[], { config }: Settings): readonly string[] {
  const empty = servers.map(withoutModels);
  const asked = `No model is configured, and no model server with a model answers on this machine: asked ${askedAddresses(config.llm.endpoint)}.`;
  return [
    ...empty,
    `${asked} For one at another address: ybs --provider openai-compatible --endpoint http://127.0.0.1:PORT/v1. ybs init configures a provider; ybs --provider mock replays stories.`,
  ];
}

/** A sentence about a server that has no models, or none yet. */
export function withoutModels({ label, address, isLoading }: FoundServer): string {
  const state = isLoading ? 'is still loading its model. Start ybs again when it is ready.' : 'has no models.';
  return `${label} at ${address} ${state}`;
}

/** The answer of the user, or the reason why it is invalid. */
function readAnswer(
  text: string,
  offers: readonly Offer[],
): { readonly offer: Offer; readonly saves: boolean } | string {
  const [, wanted = '', save] = /^\s*(.*?)(?:\s+(s|save))?\s*$/iu.exec(text) ?? [];
  const isSave = /^(?:s|save)$/iu.test(wanted);
  const index = wanted === '' || isSave ? 0 : Number(wanted) - 1;
  const offer = offers[index] ?? offers.find(({ model }) => model.name === wanted);
  if (offer === undefined) return `Type a number from 1 to ${offers.length}, or Ctrl-D to leave.`;
  return { offer, saves: save !== undefined || isSave };
}

/** The values of the connection to a model; the others have their defaults, except the protocol of its tool calls. */
function connectionOf({ server, model }: Offer): Readonly<Record<string, string | undefined>> {
  const endpoint = server.provider === 'ollama' ? undefined : server.endpoint;
  return { 'llm.provider': server.provider, 'llm.endpoint': endpoint, 'llm.model': model.name };
}

async function tryModel(
  options: CommandLineOptions,
  { model }: Offer,
  wiring: Ports,
  user: UserConsole,
  terminal: Terminal,
): Promise<ToolTrial | undefined> {
  const stop = new AbortController();
  const end = terminal.onInterrupt(() => stop.abort());
  user.showStatus({ label: `trying a tool call with ${escapeLine(model.name)}` });
  let chosen: Settings['model'] | undefined;
  try {
    chosen = (await wiring.loadSettings(options)).model;
    return await tryToolCall(await chosen.open(), stop.signal);
  } catch (error) {
    if (stop.signal.aborted) return undefined;
    throw error;
  } finally {
    user.showStatus(undefined);
    end();
    await chosen?.close();
  }
}

function describeTrial({ model: { name }, server }: Offer, trial: ToolTrial | undefined): string {
  const without = 'It can answer, but hardly read or change files. Another model may; ybs init chooses one.';
  switch (trial?.type) {
    case undefined:
      return 'The tool call was not tried.';
    case 'calls':
      return `${name} calls tools.`;
    case 'text':
      return `${name} answers, but with text where a tool call was asked for. ${without}`;
    case 'broken':
      return `${name} calls tools, but its call cannot be read. ${without}`;
    case 'refused':
      return `${server.label} answers, but does not accept tools for ${name}. ${trial.message}`;
    case 'failed':
      return `${name} did not answer, so nothing is known about its tool calls: ${trial.message}`;
  }
}

import { ModelError, UsageError } from '../../../agent/errors.ts';
import { EXIT_CODES } from '../../../app/exit.ts';
import type { Terminal } from '../../../app/terminal.ts';
import { DEFAULT } from '../../../config/layers/merge-layers.ts';
import { CONNECTION_KEYS } from '../../../config/profiles.ts';
import { withScheme } from '../../../providers/target/endpoint.ts';
import { PROVIDERS, type ProviderPreset } from '../../../providers/target/presets.ts';
import { escapeLine, rowWidth, type UserConsole } from '../../../terminal/output.ts';
import { askChoice } from '../../../terminal/question/ask-choice.ts';
import { fillRows } from '../../../text/fill-rows.ts';
import { didYouMean } from '../../../text/suggest.ts';
import { writeConnection } from '../../write-connection.ts';
import type { RunSubcommand, SubcommandPorts, SubcommandRequest } from '../subcommand.ts';
import { doctorCommand } from './doctor-command.ts';

interface Answers {
  readonly provider: string;
  /** The values of all keys of a connection; `undefined` where the default of the provider applies. */
  readonly connection: Readonly<Record<string, string | undefined>>;
}

/** Asks at the terminal. `undefined`: the user stops. */
interface Ask {
  /** Asks until `problem` accepts the answer; an empty one is the default. */
  readonly text: (
    question: string,
    standard: string | undefined,
    problem?: (answer: string) => string | undefined,
  ) => Promise<string | undefined>;
  /** Asks for one of several names, the default first, or for another one that `problem` accepts. */
  readonly name: (
    question: string,
    names: readonly string[],
    problem: (answer: string) => string | undefined,
  ) => Promise<string | undefined>;
}

/**
 * `ybs init`: reads the configuration, which must be valid, asks for the provider, its model and the variable with the
 * key, tries the connection, writes the user's configuration, and ends with `ybs doctor`, whose exit code it returns.
 */
export const initCommand: RunSubcommand = async (request, ports) => {
  const { wiring, user } = ports;
  if (!user.interactive) {
    throw new UsageError(
      'ybs init asks questions, so it needs a terminal. Without one, set the keys: ybs config set llm.provider openai',
    );
  }
  // Reports an invalid configuration before the first question, and not after the last one.
  const { config, origins } = await wiring.readConfig(request.options);
  const current = origins.get('llm.provider') === DEFAULT ? undefined : config.llm;
  const stop = new AbortController();
  const terminal = await user.openTerminal();
  const unsubscribe = user.onStop(() => {
    stop.abort();
    terminal.close();
  });
  try {
    const offeredModels = (provider: string, endpoint: string | undefined) =>
      listNames({ 'llm.provider': provider, 'llm.endpoint': endpoint }, request, ports, stop.signal);
    const answers = await askAll(askAt(terminal, ports), ports, offeredModels, current);
    if (answers === undefined || !(await mayWrite(answers, request, ports, terminal, stop.signal))) {
      await say(user, 'Nothing was written.');
      return EXIT_CODES.aborted;
    }
    await writeAnswers(answers, request, ports);
  } finally {
    unsubscribe();
    terminal.close();
  }
  return doctorCommand({ options: request.options, ownOptions: new Map() }, ports);
};

function say(user: UserConsole, text: string): Promise<unknown> {
  return user.write(`${fillRows(escapeLine(text), rowWidth(user))}\n`);
}

function askAt(terminal: Terminal, { user }: Pick<SubcommandPorts, 'user'>): Ask {
  const until = async (
    read: () => Promise<string | undefined>,
    problem: (answer: string) => string | undefined,
  ): Promise<string | undefined> => {
    for (;;) {
      const answer = await read();
      if (answer === undefined) return undefined;
      const objection = answer === '' ? 'Type an answer, or Ctrl-D to stop.' : problem(answer);
      if (objection === undefined) return answer;
      await say(user, objection);
    }
  };
  return {
    text: (question, standard = '', problem = () => undefined) =>
      until(async () => {
        await say(user, `${question}${standard === '' ? '' : ` [${standard}]`}`);
        const input = await terminal.readLine({ prompt: '> ', fresh: true });
        return input.type === 'line' ? input.text.trim() || standard : undefined;
      }, problem),
    name: (question, names, problem) => {
      const choices = names.map((name) => ({ value: name, label: name }));
      const ports = { terminal, say: user.write };
      return until(() => askChoice(ports, { title: question, prompt: '> ', choices }), problem);
    },
  };
}

/** The models that a server lists without a key; empty if it requires one or does not answer. */
async function listNames(
  asked: Answers['connection'],
  { options }: Pick<SubcommandRequest, 'options'>,
  { wiring }: Pick<SubcommandPorts, 'wiring'>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const connection = { ...Object.fromEntries(CONNECTION_KEYS.map((name) => [name, undefined])), ...asked };
  try {
    return (await wiring.listModels({ ...options, connection }, signal)).models.map(({ name }) => name);
  } catch (error) {
    if (!(error instanceof ModelError || error instanceof UsageError)) throw error;
    return [];
  }
}

/** The answer for a server that needs no key. No variable that ybs accepts has this name. */
const NO_KEY = 'none';

/** `current` is the configured connection, if there is one. */
async function askAll(
  ask: Ask,
  { machine }: Pick<SubcommandPorts, 'machine'>,
  offeredModels: (provider: string, endpoint: string | undefined) => Promise<readonly string[]>,
  current: { readonly provider: string; readonly model?: string | undefined } | undefined,
): Promise<Answers | undefined> {
  const { environment } = machine;
  const hasKey = ([, { keyVariables = [] }]: readonly [string, ProviderPreset]): boolean =>
    keyVariables.some((name) => (environment[name] ?? '') !== '');
  const [proposed = 'ollama'] = current === undefined ? ([...PROVIDERS].find(hasKey) ?? []) : [current.provider];
  const names = [...PROVIDERS.keys()];
  const provider = await ask.name('Which provider?', withFirst(proposed, names), (answer) =>
    unknownProvider(answer, names),
  );
  const preset = provider === undefined ? undefined : PROVIDERS.get(provider);
  if (provider === undefined || preset === undefined) return undefined;
  let endpoint: string | undefined;
  if (preset.endpoint === undefined && provider !== 'mock') {
    endpoint = await ask.text('Which base URL?', undefined, (answer) =>
      /^https?:\/\//u.test(withScheme(answer)) && URL.canParse(withScheme(answer))
        ? undefined
        : 'Type a URL, such as http://127.0.0.1:8000/v1',
    );
    if (endpoint === undefined) return undefined;
  }
  const { keyVariables = [] } = preset;
  const isOpen = endpoint !== undefined || (keyVariables.length === 0 && provider !== 'mock');
  const offered = isOpen ? await offeredModels(provider, endpoint) : [];
  const usual = offered.find((name) => name === preset.model) ?? offered[0] ?? preset.model;
  const likely = (provider === current?.provider ? current.model : undefined) ?? usual;
  const model =
    offered.length === 0
      ? await ask.text('Which model?', likely)
      : await ask.name('Which model?', withFirst(likely, offered), () => undefined);
  if (model === undefined) return undefined;
  const found = keyVariables.find((name) => (environment[name] ?? '') !== '');
  const mayBeNone = endpoint !== undefined;
  const standard = found ?? (mayBeNone ? NO_KEY : keyVariables.at(-1));
  // If no variable is configured, the provider's own address gets the key in this one, and other addresses get none.
  const implied = mayBeNone ? NO_KEY : standard;
  let keyVariable = standard;
  if (standard !== undefined) {
    keyVariable = await ask.text(
      `Which environment variable has the key${mayBeNone ? ', or none' : ''}?`,
      standard,
      (answer) => (mayBeNone && answer === NO_KEY ? undefined : keyVariableProblem(answer)),
    );
    if (keyVariable === undefined) return undefined;
  }
  const connection: Answers['connection'] = {
    // First, because the configuration must be valid after each key that is written.
    'llm.provider': provider,
    ...Object.fromEntries(CONNECTION_KEYS.map((name) => [name, undefined])),
    'llm.endpoint': endpoint,
    'llm.model': model === preset.model ? undefined : model,
    'llm.api_key_variable': keyVariable === implied ? undefined : keyVariable,
  };
  return { provider, connection };
}

/** Names with the most likely one at the start. */
function withFirst(first: string | undefined, names: readonly string[]): readonly string[] {
  return first === undefined ? names : [first, ...names.filter((name) => name !== first)];
}

function unknownProvider(answer: string, names: readonly string[]): string | undefined {
  if (names.includes(answer)) return undefined;
  return `There is no provider ${answer}.${didYouMean(answer, names, ' Type one of the names above.')}`;
}

/** The configuration has the name of the variable; the key itself must not get into a file. */
function keyVariableProblem(answer: string): string | undefined {
  return /^[A-Z_][A-Z0-9_]{0,63}$/u.test(answer)
    ? undefined
    : 'Type the name of a variable, such as OPENAI_API_KEY, and not the key itself.';
}

/**
 * Tries the connection, and reports the attempt. If it fails, the user decides whether to write the configuration all
 * the same.
 */
async function mayWrite(
  { provider, connection }: Answers,
  { options }: Pick<SubcommandRequest, 'options'>,
  { wiring, user }: Pick<SubcommandPorts, 'wiring' | 'user'>,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<boolean> {
  // There is no server to connect to.
  if (provider === 'mock') return true;
  try {
    const used = await wiring.listModels({ ...options, connection }, signal);
    await say(user, `${provider} answers at ${used.endpoint}, ${used.key}.`);
    return true;
  } catch (error) {
    if (!(error instanceof ModelError || error instanceof UsageError)) throw error;
    await say(user, `${provider} cannot be used yet: ${error.message}`);
    const { 'llm.endpoint': endpoint, 'llm.api_key_variable': variable } = connection;
    if (error instanceof UsageError && endpoint !== undefined && variable !== undefined) {
      await say(user, 'If the server needs no key, start again and type none for the variable.');
    }
  }
  await say(user, 'Write the configuration all the same? y or n');
  const input = await terminal.readLine({ prompt: '> ', fresh: true });
  return input.type === 'line' && /^y(?:es)?$/iu.test(input.text.trim());
}

async function writeAnswers(
  { connection }: Answers,
  { options }: Pick<SubcommandRequest, 'options'>,
  { wiring, user }: Pick<SubcommandPorts, 'wiring' | 'user'>,
): Promise<void> {
  const files = await writeConnection(connection, options, wiring);
  await say(user, files.length === 0 ? 'The configuration was not changed.' : `Wrote ${files.join(' and ')}`);
}

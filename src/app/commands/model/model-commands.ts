import { ModelError, UsageError } from '../../../agent/errors.ts';
import type { DescribedModel } from '../../../providers/limits/describe-model.ts';
import { PROVIDERS } from '../../../providers/target/presets.ts';
import { escapeLine } from '../../../text/escape.ts';
import { countOf, withSeparators } from '../../../text/quantities.ts';
import { instructionsIn } from '../../prompt/instructions.ts';
import type { Agent } from '../../session.ts';
import { type ChatCommand, type CommandContext, type CommandResult, refused, shown } from '../chat-command.ts';
import type { WantedModel } from './model-switch.ts';

/** The commands of the chat that concern the model and its context window. */
export const MODEL_COMMANDS: readonly ChatCommand[] = [
  {
    name: 'model',
    argument: '[name]',
    description: 'Use another model of the same provider, or choose it from a list',
    async run(agent, model, context) {
      const current = await agent();
      if (model === '') return modelChoices(current, context);
      return switchModel(current, { provider: providerOf(current), model }, context);
    },
  },
  {
    name: 'provider',
    argument: '[name] [model]',
    description: 'List the providers, or use another one and one of its models; also /provider current',
    complete: (_agent, { length }) => (length === 0 ? [...PROVIDERS.keys()] : []),
    async run(agent, argument, context) {
      const current = await agent();
      if (argument === '' || argument === 'list') return shown(providerList(current.model));
      if (argument === 'current') return shown(`The model is ${current.model}.`);
      const [provider = '', ...model] = argument.split(/\s+/);
      return switchModel(current, { provider, model: model.length === 0 ? undefined : model.join(' ') }, context);
    },
  },
  {
    name: 'context',
    description: 'Show what fills the context window',
    run: async (agent, _argument, { signal }) => shown(await describeContext(await agent(), signal)),
  },
];

/** A model has the name `provider/model`. */
function providerOf({ model }: Agent): string {
  return model.split('/', 1).join('');
}

/** The current model, and those to choose from. */
async function modelChoices(agent: Agent, { models, signal }: CommandContext): Promise<CommandResult> {
  const current = `The model is ${agent.model}.`;
  try {
    const offered = await models.list(providerOf(agent), signal);
    if (offered.length === 0)
      return shown(`${current} The provider lists no models; /model NAME uses one by its name.`);
    const isOpen = ({ name }: DescribedModel): boolean => agent.model === `${providerOf(agent)}/${name}`;
    const sorted = [...offered.filter(isOpen), ...offered.filter((model) => !isOpen(model))];
    // Loaded here, because a chat does not need the table of known models.
    const { modelRows } = await import('../../../providers/limits/describe-model.ts');
    const labels = modelRows(sorted);
    const answers = sorted.map(({ name }, index) => ({ value: name, label: labels[index] ?? name }));
    const text = `${current} The provider lists ${countOf(offered.length, 'model')}; /model NAME uses one.`;
    return { type: 'text', text, choices: { prompt: 'model> ', answers } };
  } catch (error) {
    if (signal.aborted) return shown(current);
    if (!(error instanceof ModelError || error instanceof UsageError)) throw error;
    return shown(`${current} The models of the provider cannot be listed: ${escapeLine(error.message)}`);
  }
}

async function switchModel(agent: Agent, wanted: WantedModel, { models, signal }: CommandContext) {
  try {
    const note = await models.use(agent, wanted, signal);
    const lines = [`The model is ${agent.model} from the next request on. The conversation stays.`];
    if (note !== undefined) lines.push(`! ${escapeLine(note)}`);
    const { tokens, limit, window } = await agent.measureContext(signal);
    if (tokens > limit) {
      lines.push(
        `! The conversation has about ${withSeparators(tokens)} tokens, too many for the context window of this model (${withSeparators(window)} tokens). It is shortened before the next request.`,
      );
    }
    return shown(lines.join('\n'));
  } catch (error) {
    if (signal.aborted) return shown(`Stopped. The model is ${agent.model}.`);
    if (!(error instanceof UsageError)) throw error;
    return refused(`${escapeLine(error.message)}\nThe model stays ${agent.model}.`);
  }
}

/** Text of `/provider list`: names with labels, default models and key variables; `*` marks the one in use, with its model. */
function providerList(current: string): string {
  const inUse = current.slice(0, current.indexOf('/'));
  const rows = [...PROVIDERS].map(([name, { label, model, keyVariables, keyOptional }]) => {
    const key = keyVariables?.at(-1);
    const needs = key === undefined || keyOptional === true ? '' : `, needs ${key}`;
    const used = name === inUse;
    const shownModel = used ? current.slice(inUse.length + 1) : (model ?? 'no default model');
    return [`${used ? '*' : ' '} ${name}`, `${label}, ${shownModel}${needs}`] as const;
  });
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `${left.padEnd(width)}  ${right}`).join('\n');
}

async function describeContext(agent: Agent, signal: AbortSignal): Promise<string> {
  const { parts, tokens, window, limit } = await agent.measureContext(signal);
  const rows = [...parts, { name: 'all', tokens }].map(({ name, tokens }) => [name, withSeparators(tokens)] as const);
  const [left, right] = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const files = instructionsIn(agent.promptParts.find(({ name }) => name === 'instructions')?.text ?? '');
  return [
    // One space, so that a terminal of 20 columns breaks no row.
    ...rows.map(([name, size]) => `${name.padEnd(left ?? 0)} ${size.padStart(right ?? 0)}`),
    ...(files.length === 0 ? [] : ['Instructions, the nearest last:']),
    ...files.map((file) => `  ${file.path}  ${withSeparators(file.tokens)}`),
    `About ${Math.round((tokens / window) * 100)} % of ${withSeparators(window)} tokens, the context window for ${agent.model}.`,
    `Beyond ${withSeparators(limit)} tokens, the conversation is shortened. These are estimates.`,
  ].join('\n');
}

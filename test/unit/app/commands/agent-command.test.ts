import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../../src/agent/errors.ts';
import type { Agent } from '../../../../src/app/agent.ts';
import { COMMANDS, readChatInput } from '../../../../src/app/commands/commands.ts';
import type { WantedModel } from '../../../../src/app/commands/model/model-switch.ts';
import { readTypedMessage } from '../../../../src/app/commands/typed-message.ts';
import type { AgentDefinition } from '../../../../src/app/extensions/agent-file.ts';
import { configSchema } from '../../../../src/config/schema.ts';
import { commandText } from '../../../support/commands/command-text.ts';
import { createFakeAgent } from '../../../support/fakes/fake-agent.ts';

const DEFINITIONS: readonly AgentDefinition[] = [
  { name: 'coder', prompt: 'Code.', path: '.ybs/agents/coder.md' },
  { name: 'reviewer', description: 'Looks', tools: ['Read'], model: 'large', prompt: 'Look.', path: '~/r.md' },
  { name: 'local', model: 'home', prompt: 'Stay.', path: '~/l.md' },
];
const COMMAND = { name: 'dev:plan', body: 'Plan $1 with @file:b.md.', path: '.ybs/commands/dev/plan.md' };

const UNUSED = new Map([['dev:do', '.ybs/commands/dev/do.md: it has changed.']]);

/** A chat with agents, in which messages are typed. */
function talk({
  problems = [],
  failing = false,
}: {
  readonly problems?: readonly string[];
  readonly failing?: boolean;
} = {}) {
  const wanted: WantedModel[] = [];
  let model = 'openai/small';
  let chosen: AgentDefinition | undefined;
  const agent: Agent = {
    ...createFakeAgent([]),
    configuration: {
      config: configSchema([]).parse({ models: { profiles: [{ name: 'home', model: 'qwen' }] } }),
      origins: new Map(),
    },
    get model() {
      return model;
    },
    get chosen() {
      return chosen;
    },
    async choose(definition) {
      chosen = definition;
    },
    extensions: async () => ({ agents: DEFINITIONS, commands: [COMMAND], unusedCommands: UNUSED, problems }),
  };
  const models = {
    async use(_agent: Agent, next: WantedModel) {
      wanted.push(next);
      if (failing) throw new UsageError('There is no such model.');
      model = 'profile' in next ? `profile/${next.profile}` : `${next.provider}/${next.model}`;
      return next === wanted[0] ? 'It is new.' : undefined;
    },
    list: async () => [],
  };
  const context = { models, signal: new AbortController().signal };
  const type = async (message: string) => {
    const input = readChatInput(message);
    if (input.type === 'command') return commandText(input.command, agent, input.argument, context);
    if (input.type !== 'prompt' && input.type !== 'other_command') throw new Error(`not a prompt: ${message}`);
    return readTypedMessage(input, agent, context);
  };
  return { type, wanted, chosen: () => chosen?.name };
}

describe('/agent', () => {
  it('lists the agents and marks the chosen one', async () => {
    const { type } = talk({ problems: ['x.md: it has no text for the model'] });
    const rows = ['coder     [.ybs/agents/coder.md]', 'reviewer  Looks [~/r.md]', 'local     [~/l.md]'];
    const problem = '! x.md: it has no text for the model';
    expect(await type('/agent')).toBe(['No agent is chosen.', ...rows.map((row) => `  ${row}`), problem].join('\n'));
    await type('/agent coder');
    expect(await type('/agent')).toBe(
      ['The agent is coder. Its tools are read_file.', `* ${rows[0]}`, `  ${rows[1]}`, `  ${rows[2]}`, problem].join(
        '\n',
      ),
    );
  });

  it('reports that there are no agents', async () => {
    const command = COMMANDS.find(({ name }) => name === 'agent');
    expect(await commandText(command, createFakeAgent([]))).toBe(
      'No agent is chosen.\nThere are no agents. docs/triggers.md describes their files.',
    );
  });

  it('chooses an agent with its model, and returns to the previous model', async () => {
    const { type, wanted, chosen } = talk();
    expect(await type('/agent reviewer')).toBe(
      'The agent is reviewer from the next request on. Its tools are read_file.\nThe model is openai/large.\n! It is new.',
    );
    expect(await type('/agent local')).toBe('The agent is local from the next request on.\nThe model is profile/home.');
    expect(await type('/agent coder')).toBe('The agent is coder from the next request on.\nThe model is openai/small.');
    expect(chosen()).toBe('coder');
    expect(await type('/agent none')).toBe('No agent is chosen from the next request on.');
    expect(await type('/agent none')).toBe('No agent is chosen.');
    expect(wanted).toEqual([
      { provider: 'openai', model: 'large' },
      { profile: 'home' },
      { provider: 'openai', model: 'small' },
    ]);
  });

  it('changes nothing when the agent is unknown, or its model cannot be used', async () => {
    const { type, chosen } = talk({ failing: true, problems: ['x.md: broken'] });
    expect(await type('/agent coda')).toBe('There is no agent coda. Did you mean coder?\n! x.md: broken');
    expect(await type('/agent xyz')).toBe('There is no agent xyz. /agent lists them.\n! x.md: broken');
    expect(await type('/agent reviewer')).toBe('There is no such model.');
    expect(chosen()).toBeUndefined();
  });

  it('rethrows other errors', async () => {
    const agent = { ...createFakeAgent([]), extensions: () => Promise.reject(new RangeError('broken')) };
    const command = COMMANDS.find(({ name }) => name === 'agent');
    await expect(commandText(command, agent)).rejects.toThrow(RangeError);
  });
});

describe('a typed message', () => {
  it('may choose an agent, name files, or both', async () => {
    const { type, chosen } = talk();
    expect(await type('@agent:coder')).toEqual({
      prompt: { text: '' },
      notes: ['The agent is coder from the next request on.'],
    });
    expect(await type('fix @file:a.md @agent:coder')).toMatchObject({
      prompt: { text: 'fix @file:a.md', files: [{ file: 'a.md' }] },
    });
    expect(chosen()).toBe('coder');
  });

  it('changes nothing when a part of it cannot be used', async () => {
    const { type, chosen } = talk();
    await expect(type('@agent:coder @file:')).rejects.toThrow('Type a path after @file:');
    await expect(type('@agent:coda look')).rejects.toThrow('There is no agent coda.');
    expect(chosen()).toBeUndefined();
  });

  it('expands a command in a Markdown file, whose text has no triggers', async () => {
    const { type } = talk();
    expect(await type('/dev:plan @file:a.md now')).toEqual({
      prompt: {
        text: 'Plan @file:a.md with @file:b.md.',
        files: [{ file: 'a.md', text: '@file:a.md\ncontent' }],
      },
      notes: ['@file:a.md (1 line, 7 bytes)'],
    });
    await expect(type('/dev:pla')).rejects.toThrow('Unknown command /dev:pla. Did you mean /dev:plan?');
    await expect(type('/')).rejects.toThrow('Unknown command /. See /help.');
    await expect(type('/dev:do')).rejects.toThrow('/dev:do is not used. .ybs/commands/dev/do.md: it has changed.');
  });
});

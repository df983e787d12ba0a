import { expect, it } from 'vitest';
import { type AgentEvent, applyEvent, createAgent, EMPTY_SESSION, type LoopOptions } from '../../../src/agent/index.ts';
import { computeDigest } from '../../../src/node/system.ts';
import { createManualClock } from '../../support/fakes/manual-clock.ts';
import { createScriptedModel, type ScriptedAnswer, scriptedCall } from '../../support/fakes/scripted-model.ts';
import { scriptedTools } from '../../support/fakes/scripted-tools.ts';

function openAgent(answers: readonly ScriptedAnswer[], options: Partial<LoopOptions> = {}) {
  const tools = scriptedTools({ note: { effect: 'write' } });
  const model = createScriptedModel(...answers);
  const note = tools.find('note');
  const agent = createAgent({
    ...{ model, tools: note === undefined ? [] : [note], system: 'You are under test.' },
    decide: () => ({ type: 'allow', rule: 'test' }),
    ...{ clock: createManualClock(), digest: computeDigest },
    ...options,
  });
  return { agent, model, ran: tools.ran };
}

async function eventsOf(run: AsyncIterable<AgentEvent>): Promise<readonly AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of run) events.push(event);
  return events;
}

const noteCall = { calls: [scriptedCall('1', 'note', {})] };

it('an agent runs calls with the given tools, and keeps the history between runs', async () => {
  const { agent, model } = openAgent([noteCall, { text: 'Noted.' }, { text: 'Bye.' }]);
  const events = await eventsOf(agent.run('Note it.'));
  expect(events[0]).toEqual({ type: 'user_message', text: 'Note it.' });
  expect(events.at(-1)).toMatchObject({ type: 'run_end', outcome: 'done' });
  await eventsOf(agent.run({ prompt: 'Bye.', files: [{ file: 'a.txt', text: 'A' }] }));
  expect(agent.history.map(({ content }) => content)).toEqual([
    ...['Note it.', '', 'result of a call', 'Noted.'],
    ...['A', 'Bye.', 'Bye.'],
  ]);
  expect(model.requests.map(({ system, tools }) => [system, tools.map(({ name }) => name)])).toEqual(
    [1, 2, 3].map(() => ['You are under test.', ['note']]),
  );
});

it('an agent without an approver denies a call that needs approval', async () => {
  const ask = { type: 'ask', rule: 'test', reason: 'It writes.' } as const;
  const { agent, ran } = openAgent([noteCall, { text: 'Well.' }], { decide: () => ask });
  const events = await eventsOf(agent.run('Note it.'));
  expect(events.find(({ type }) => type === 'tool_result')).toMatchObject({ outcome: 'denied' });
  expect(ran).toEqual([]);
});

it('an agent asks its approver about a call that needs approval', async () => {
  const ask = { type: 'ask', rule: 'test', reason: 'It writes.' } as const;
  const approver = { decide: async () => ({ type: 'deny', feedback: 'Not now.' }) as const };
  const { agent } = openAgent([noteCall, { text: 'Well.' }], { decide: () => ask, approver });
  const events = await eventsOf(agent.run('Note it.'));
  expect(events.find(({ type }) => type === 'tool_result')).toMatchObject({ summary: 'denied: Not now.' });
});

it('an agent passes on its settings: dry runs, the limit of requests and the start of the session', async () => {
  const session = { sessionId: 's', model: 'm', workspace: '/w', permissionMode: 'ask' };
  const { agent } = openAgent([noteCall], { dryRun: true, maxIterations: 1, session });
  const events = await eventsOf(agent.run('Note it.'));
  expect(events[0]).toEqual({ type: 'session_start', ...session, time: expect.any(String) });
  expect(events.find(({ type }) => type === 'tool_result')).toMatchObject({ code: 'dry_run' });
  expect(events.at(-1)).toMatchObject({ type: 'run_end', outcome: 'limit' });
});

it('an agent stops at 25 requests and when its signal aborts', async () => {
  const calls = Array.from({ length: 25 }, (_, index) => ({
    calls: [scriptedCall('1', 'note', { label: `${index}` })],
  }));
  const { agent } = openAgent(calls);
  expect((await eventsOf(agent.run('Note it.'))).at(-1)).toMatchObject({ outcome: 'limit' });
  expect((await eventsOf(agent.run('Again.', AbortSignal.abort()))).at(-1)).toMatchObject({ outcome: 'aborted' });
});

it('an agent reports a call of an unknown tool, without a suggestion', async () => {
  const { agent } = openAgent([{ calls: [scriptedCall('1', 'notes', {})] }, { text: 'Well.' }]);
  const events = await eventsOf(agent.run('Note it.'));
  const content = expect.stringMatching(/^There is no tool "notes"\. The tools are: note\./);
  expect(events.find(({ type }) => type === 'tool_result')).toMatchObject({ content });
});

it('an agent continues from a state that was set, even during a run', async () => {
  const { agent, model } = openAgent([noteCall, { text: 'Noted.' }, { text: 'Hello.' }]);
  const log: AgentEvent[] = [];
  for await (const event of agent.run('Note it.')) {
    log.push(event);
    if (event.type === 'tool_result') agent.state = applyEvent(agent.state, { type: 'user_message', text: 'Hurry.' });
  }
  expect(model.requests[1]?.messages.at(-1)).toEqual({ role: 'user', content: 'Hurry.' });
  agent.state = log.reduce(applyEvent, EMPTY_SESSION);
  await eventsOf(agent.run('Hello.'));
  expect(model.requests[2]?.messages.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
    'user',
  ]);
});

it('an agent refuses a second run at the same time, and allows one after the end of the first', async () => {
  const { agent } = openAgent([{ text: 'One.' }, { text: 'Two.' }]);
  const first = agent.run('One.');
  await first.next();
  await expect(agent.run('Two.').next()).rejects.toThrow('The agent is running.');
  await first.return();
  expect((await eventsOf(agent.run('Two.'))).at(-1)).toMatchObject({ outcome: 'done' });
});

it('an agent refuses to be created without a function that decides', () => {
  const options = { ...{ model: createScriptedModel(), tools: [], system: '' }, clock: createManualClock() };
  expect(() => Reflect.apply(createAgent, undefined, [{ ...options, digest: computeDigest }])).toThrow(
    'createAgent needs decide, a function that decides on each call.',
  );
});

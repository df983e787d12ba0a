import { expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/agent/ports/events.ts';
import type { PageEvent } from '../../../src/web/session/page-event.ts';
import { SessionFeed } from '../../../src/web/session/session-feed.ts';
import { shownEvent } from '../../../src/web/session/shown-event.ts';
import { createTestStore } from '../../support/agent/session-store.ts';
import { createMemoryFileSystem } from '../../support/fakes/memory-file-system.ts';

const prompt = (text: string): AgentEvent => ({ type: 'user_message', text });
const compaction: AgentEvent = { type: 'compaction', tokensBefore: 2, tokensAfter: 1, messages: [] };
const rewind: AgentEvent = { ...compaction, rewind: { prompt: 0 } };

/** The types of the events that a new tab gets, after these were stored before the start, and these since. */
async function typesFor(stored: readonly AgentEvent[], since: readonly AgentEvent[]): Promise<readonly string[]> {
  const record = await createTestStore(createMemoryFileSystem().fileSystem).create('one');
  const state: PageEvent = { type: 'state', queue: [] };
  const feed = new SessionFeed(100, () => state);
  for (const event of stored) await record.append(event, '');
  await feed.show(record, undefined);
  for (const event of since) {
    await record.append(event, '');
    const shown = shownEvent(event, '/work');
    if (shown !== undefined) feed.add(shown);
  }
  const types: string[] = [];
  for await (const step of feed.follow(0, new AbortController().signal)) {
    if (step.type === 'event' && step.event.type !== 'state') types.push(step.event.type);
    if (step.type === 'event' && step.number === feed.last) return types;
  }
  return types;
}

it.each<[string, readonly AgentEvent[], readonly AgentEvent[], readonly string[]]>([
  ['a run', [prompt('one')], [prompt('two')], ['user_message', 'user_message']],
  ['a compaction', [prompt('one')], [compaction], ['user_message', 'compaction']],
  ['a step back', [prompt('one')], [rewind], ['user_message', 'rewind']],
  [
    'each of several',
    [prompt('one'), compaction, rewind],
    [compaction, prompt('two'), rewind],
    ['user_message', 'compaction', 'rewind', 'compaction', 'user_message', 'rewind'],
  ],
])('a new tab receives %s once, from the log or from the server', async (_name, stored, since, types) => {
  expect(await typesFor(stored, since)).toEqual(types);
});

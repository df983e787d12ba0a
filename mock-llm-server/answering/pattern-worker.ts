import { parentPort } from 'node:worker_threads';
import { groupsOf, type PatternSearch, type SearchOutcome } from '../scenario/trigger/pattern.ts';

// The entry point of the worker thread, which can be terminated at any time without affecting the server.
const port = parentPort;
port?.on('message', (searches: readonly PatternSearch[]) => {
  for (const { source, flags, text } of searches) {
    const outcome: SearchOutcome = { groups: groupsOf(new RegExp(source, flags).exec(text)) };
    port.postMessage(outcome);
    if (outcome.groups !== undefined) break;
  }
});

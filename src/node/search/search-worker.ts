import { parentPort } from 'node:worker_threads';
import { messageOf } from '../../agent/errors.ts';
import { createTreeServer, type TreeOutcome, type TreeRequest } from '../../tools/search/search-tree.ts';
import type { LineFinding } from '../../tools/search/text-search.ts';
import { createTreeFiles } from './node-tree-files.ts';

// The entry point of the worker thread, which can be terminated at any time without affecting the program.
const port = parentPort;
if (port !== null) {
  const answer = createTreeServer(createTreeFiles());
  const post = (message: LineFinding | TreeOutcome): void => port.postMessage(message);
  port.on('message', (request: TreeRequest) => {
    try {
      const answers = answer(request);
      let step = answers.next();
      while (step.done !== true) {
        post(step.value);
        step = answers.next();
      }
      post(step.value);
    } catch (error) {
      post({ type: 'failed', reason: messageOf(error) });
    }
  });
}

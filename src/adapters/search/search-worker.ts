import { parentPort } from 'node:worker_threads';
import { createSearchServer } from './search-server.ts';

// Entry of the worker thread, which can be terminated at any time without affecting the rest of the program.
const port = parentPort;
port?.on(
  'message',
  createSearchServer((answer) => port.postMessage(answer)),
);

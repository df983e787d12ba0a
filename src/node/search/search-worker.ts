import { parentPort } from 'node:worker_threads';
import { createSearchServer } from './search-server.ts';

// The entry point of the worker thread, which can be terminated at any time without affecting the program.
const port = parentPort;
port?.on(
  'message',
  createSearchServer((response) => port.postMessage(response)),
);

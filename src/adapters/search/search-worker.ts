import { parentPort } from 'node:worker_threads';
import { createSearchServer } from './search-server.ts';

// The whole of a search worker: what is stuck here can be ended from outside without harm to anything else.
const port = parentPort;
port?.on(
  'message',
  createSearchServer((answer) => port.postMessage(answer)),
);

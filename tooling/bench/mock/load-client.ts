import { Agent, request } from 'node:http';
import type { Running } from './servers.ts';
import type { Request } from './workloads.ts';

/** A number of requests that differ in their prompt, of which `concurrency` run at a time. */
export interface Burst {
  readonly request: Request;
  readonly requests: number;
  readonly concurrency: number;
  /** The expected status of every answer, 200 by default. */
  readonly status?: number;
}

/** Time per request of a burst in microseconds: CPU time of all threads of the server, and wall time. */
export interface Cost {
  /** Undefined on systems without /proc. */
  readonly cpu: number | undefined;
  readonly wall: number;
}

const HEADERS = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' };
/** Number of the last prompt. All numbers have as many digits, so that all bodies have the same length. */
let promptNumber = 10_000_000;

/** Sends a burst over persistent connections. Rejects at the first answer with an unexpected status. */
export async function sendBurst(server: Running, burst: Burst): Promise<Cost> {
  const { requests, concurrency, status = 200 } = burst;
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const send = () => sendRequest(server.port, burst.request, status, agent);
  try {
    // Connections open before the measurement starts.
    await Promise.all(Array.from({ length: concurrency }, send));
    let left = requests;
    const cpuBefore = server.cpuTime();
    const started = performance.now();
    const worker = async () => {
      while (left > 0) {
        left -= 1;
        await send();
      }
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
    const wall = ((performance.now() - started) * 1000) / requests;
    const cpuAfter = server.cpuTime();
    const cpu = cpuBefore === undefined || cpuAfter === undefined ? undefined : (cpuAfter - cpuBefore) / requests;
    return { cpu, wall };
  } finally {
    agent.destroy();
  }
}

/** Sends one request with a new prompt and reads the whole answer. */
export function sendRequest(port: number, { path, body }: Request, status = 200, agent?: Agent): Promise<void> {
  promptNumber += 1;
  const text = body.join(String(promptNumber));
  const headers = { ...HEADERS, 'content-length': Buffer.byteLength(text) };
  const options = { host: '127.0.0.1', port, path, method: 'POST', headers };
  return new Promise((resolve, reject) => {
    const outgoing = request(agent === undefined ? options : { ...options, agent }, (response) => {
      response.resume();
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === status) resolve();
        else reject(new Error(`port ${port} answered ${response.statusCode} to ${path}`));
      });
    });
    outgoing.on('error', reject);
    outgoing.end(text);
  });
}

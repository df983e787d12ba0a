import { Agent, request } from 'node:http';
import type { Running } from './servers.ts';
import type { Request } from './workloads.ts';

/** A burst of requests that differ in their prompt: how many, and how many of them at a time. */
export interface Burst {
  readonly request: Request;
  readonly requests: number;
  readonly concurrency: number;
  /** The status of every answer, 200 if left out. */
  readonly status?: number;
}

/** Time per request of a burst, in microseconds: CPU of the server in all its threads, and wall time. */
export interface Cost {
  /** Undefined where the system does not tell the CPU time of a process. */
  readonly cpu: number | undefined;
  readonly wall: number;
}

const HEADERS = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' };
/** Every prompt of this process gets the next number. All have as many digits, so all bodies have the same length. */
let prompts = 10_000_000;

/** Sends a burst over kept connections. Rejects at the first answer with another status than expected. */
export async function sendBurst(server: Running, burst: Burst): Promise<Cost> {
  const { requests, concurrency, status = 200 } = burst;
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const send = () => ask(server.port, burst.request, status, agent);
  try {
    // Connections are opened before the clock runs.
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

/** Sends one request with a prompt of its own and reads the answer to its end. */
export function ask(port: number, { path, body }: Request, status = 200, agent?: Agent): Promise<void> {
  prompts += 1;
  const text = body.join(String(prompts));
  const headers = { ...HEADERS, 'content-length': Buffer.byteLength(text) };
  const options = { host: '127.0.0.1', port, path, method: 'POST', headers };
  return new Promise((resolve, reject) => {
    const asked = request(agent === undefined ? options : { ...options, agent }, (response) => {
      response.resume();
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === status) resolve();
        else reject(new Error(`port ${port} answered ${response.statusCode} to ${path}`));
      });
    });
    asked.on('error', reject);
    asked.end(text);
  });
}

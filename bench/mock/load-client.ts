import { Agent, request } from 'node:http';

/** A burst of equal requests: how many, and how many of them at a time. */
export interface Burst {
  readonly body: string;
  readonly requests: number;
  readonly concurrency: number;
  /** Whether each request has a user of its own, so that no two are equal. */
  readonly varied?: boolean;
}

/** Sends a burst over kept connections and returns requests a second. Rejects at the first answer that is not 200. */
export async function sendBurst(port: number, { body, requests, concurrency, varied = false }: Burst): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  let user = 0;
  // As many digits each time, so that all bodies have one length.
  const next = () => (varied ? body.replace('{', `{"user":"${base}-${1_000_000 + user++}",`) : body);
  const base = performance.now().toFixed(3).padStart(16, '0');
  try {
    // Connections are opened before the clock runs.
    await Promise.all(Array.from({ length: concurrency }, () => ask(port, body, agent)));
    let left = requests;
    const started = performance.now();
    await Promise.all(
      Array.from({ length: concurrency }, async () => {
        while (left > 0) {
          left -= 1;
          await ask(port, next(), agent);
        }
      }),
    );
    return requests / ((performance.now() - started) / 1000);
  } finally {
    agent.destroy();
  }
}

/** One request; resolves with the length of its answer. */
export function ask(port: number, body: string, agent?: Agent): Promise<number> {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const options = { host: '127.0.0.1', port, path: '/v1/chat/completions', method: 'POST', headers };
  return new Promise((resolve, reject) => {
    const asked = request(agent === undefined ? options : { ...options, agent }, (response) => {
      let bytes = 0;
      response.on('data', (piece: Buffer) => {
        bytes += piece.length;
      });
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) resolve(bytes);
        else reject(new Error(`port ${port} answered ${response.statusCode}`));
      });
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

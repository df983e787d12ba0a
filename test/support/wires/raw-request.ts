import { request } from 'node:http';

/**
 * The status of the response to a GET with headers that `fetch` does not send, like `host` and `upgrade`. A switch of
 * protocols is a 101. Rejects when the connection breaks.
 */
export function requestWith(url: string, headers: Readonly<Record<string, string>>): Promise<{ status: number }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, agent: false });
    sent.on('error', reject);
    sent.on('response', (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0 });
    });
    sent.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0 });
    });
    sent.end();
  });
}

// The measure of the bench: node:http that reads and parses a body and answers a constant. Prints its URL when ready.
import { createServer } from 'node:http';
import { ANSWER, FRAMES } from './workload.ts';

const plain = JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: ANSWER } }] });

const server = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    const body: unknown = JSON.parse(Buffer.concat(pieces).toString('utf8'));
    if (typeof body === 'object' && body !== null && 'stream' in body && body.stream === true) {
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      for (const frame of FRAMES) response.write(frame);
      response.end();
    } else {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(plain);
    }
  });
});
server.listen(Number(process.argv[2] ?? 0), '127.0.0.1');

// The baseline of the bench: node:http reads a body, parses it and answers with a constant. It is plain JavaScript, so
// that only Node itself adds to its start. Arguments: port, JSON file of answers by path (see captured-answers.ts).
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const answers = JSON.parse(readFileSync(process.argv[3], 'utf8'));

const server = createServer((request, response) => {
  const pieces = [];
  request.on('data', (piece) => pieces.push(piece));
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(pieces).toString('utf8'));
    const { plain, stream } = answers[request.url];
    const { type, writes } = body.stream === true || plain === undefined ? stream : plain;
    response.writeHead(200, { 'content-type': type });
    for (const write of writes.slice(0, -1)) response.write(write);
    response.end(writes.at(-1));
  });
});
server.listen(Number(process.argv[2]), '127.0.0.1');

import http from 'node:http';
import { greeting } from './greeting.js';

const port = Number(process.env.PORT ?? 8080);

http
  .createServer((request, response) => {
    if (request.url === '/healthz') return response.end('ok\n');
    response.end(`${greeting(new URL(request.url, 'http://localhost').searchParams.get('name') ?? 'you')}\n`);
  })
  .listen(port, '127.0.0.1');

import { createServer } from 'node:http';
import { route } from './routes.js';

const server = createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  const { status, body } = route(request.method, request.url, text === '' ? {} : JSON.parse(text));
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
});
server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');

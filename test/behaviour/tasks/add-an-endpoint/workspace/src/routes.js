import { add, all } from './store.js';

export function route(method, path, body) {
  if (method === 'GET' && path === '/todos') return { status: 200, body: all() };
  if (method === 'POST' && path === '/todos') return { status: 201, body: add(body.title) };
  return { status: 404, body: { error: 'not found' } };
}

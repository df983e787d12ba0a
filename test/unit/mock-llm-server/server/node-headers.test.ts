import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { nodeHeaders } from '../../../../mock-llm-server/server/read-request.ts';

it('gives the headers of a request of Node', () => {
  const incoming = new IncomingMessage(new Socket());
  incoming.headers = { 'x-test-id': 'a', 'set-cookie': ['b', 'c'], host: undefined };
  expect(nodeHeaders({ incoming })).toEqual({ 'x-test-id': 'a', 'set-cookie': 'b, c' });
});

it.each([[undefined], [null], ['env'], [{}], [{ incoming: { headers: { a: 'b' } } }]])(
  'gives nothing for %j',
  (env) => {
    expect(nodeHeaders(env)).toBeUndefined();
  },
);

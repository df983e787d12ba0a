import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { nodeHeaders } from '../../../../mock-llm-server/server/read-request.ts';

it('nodeHeaders returns the headers of a request of Node unless one of them is a list', () => {
  const incoming = new IncomingMessage(new Socket());
  incoming.headers = { 'x-test-id': 'a' };
  expect(nodeHeaders({ incoming })).toEqual({ 'x-test-id': 'a' });
  incoming.headers = { 'set-cookie': ['b', 'c'] };
  expect(nodeHeaders({ incoming })).toBeUndefined();
});

it.each([[undefined], [null], ['env'], [{}], [{ incoming: { headers: { a: 'b' } } }]])(
  'nodeHeaders returns undefined for %j',
  (env) => {
    expect(nodeHeaders(env)).toBeUndefined();
  },
);

import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { answerUpgrades, UPGRADE_OPTIONS } from '../../../../mock-llm-server/server/answer-upgrade.ts';

const offer = ['Host', 'localhost', 'connection', 'Upgrade, HTTP2-Settings, close', 'Upgrade', 'h2c', 'X-A', 'ü'];
const request = { method: 'POST', url: '/v1/responses?a=1', headers: { upgrade: 'h2c' }, rawHeaders: offer };

// Older Node.js hands every upgrade to the listener.
it('gives a connection back with the request, less its offer of another protocol', () => {
  const server = new EventEmitter();
  const socket = new PassThrough();
  const accepted: unknown[] = [];
  server.on('connection', (connection) => accepted.push(connection));
  answerUpgrades(server);
  server.emit('upgrade', request, socket, Buffer.from('body'));
  expect(accepted).toEqual([socket]);
  expect(socket.read().toString('latin1').split('\r\n')).toEqual([
    'POST /v1/responses?a=1 HTTP/1.1',
    'Host: localhost',
    'connection:  HTTP2-Settings, close',
    'Upgrade: h2c',
    'X-A: ü',
    '',
    'body',
  ]);
});

it.each([
  ['websocket', true],
  ['WebSocket', true],
  ['h2c', false],
  [undefined, false],
])('lets newer Node.js tell whether %s is for the listener', (upgrade, expected) => {
  const headers = upgrade === undefined ? {} : { upgrade };
  expect(UPGRADE_OPTIONS.shouldUpgradeCallback({ headers })).toBe(expected);
});

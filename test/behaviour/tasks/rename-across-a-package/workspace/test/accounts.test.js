import assert from 'node:assert/strict';
import test from 'node:test';
import { fetchUser, greet } from '../src/index.js';
import { report } from '../src/report.js';

test('finds an account', async () => {
  assert.equal((await fetchUser('1')).name, 'Ada');
});

test('greets', async () => {
  assert.equal(await greet('2'), 'Hello, Grace!');
});

test('reports', async () => {
  assert.deepEqual(await report(['1', '3']), ['Ada', 'nobody']);
});

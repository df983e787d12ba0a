import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cache } from '../src/index.js';

test('keeps a value', () => {
  const cache = new Cache('tmp/cache', 1000);
  cache.set('a', 1);
  assert.equal(cache.get('a'), 1);
});

test('forgets a value after its lifetime', async () => {
  const cache = new Cache('tmp/cache', 5);
  cache.set('b', 2);
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal(cache.get('b'), undefined);
});

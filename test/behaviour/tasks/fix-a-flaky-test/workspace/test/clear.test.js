import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cache } from '../src/index.js';

test('clears all values', () => {
  const cache = new Cache('tmp/cache', 1000);
  cache.set('c', 3);
  cache.clear();
  assert.equal(cache.get('c'), undefined);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { count } from '../src/count.js';
import { format } from '../src/format.js';

test('counts words', () => {
  assert.equal(format(count('a b\nc\n'), {}), '3');
});

test('counts lines', () => {
  assert.equal(format(count('a b\nc\n'), { lines: true }), '2');
});

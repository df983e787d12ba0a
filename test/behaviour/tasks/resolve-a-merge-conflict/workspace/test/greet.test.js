import assert from 'node:assert';
import { test } from 'node:test';
import { greet } from '../src/greet.js';

test('greets by name', () => {
  assert.match(greet('Ada'), /Ada/);
});

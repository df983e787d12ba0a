import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ledger } from '../src/index.js';

test('adds up and prints', () => {
  const ledger = new Ledger();
  ledger.add('tea', 250);
  ledger.add('cake', 425);
  assert.equal(ledger.total(), 675);
  assert.equal(ledger.print(), 'tea: 2.50\ncake: 4.25');
});

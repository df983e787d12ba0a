import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatPrice, percentOf } from '../src/money.js';

test('prices have two decimals', () => {
  assert.equal(formatPrice(1999), '19.99');
  assert.equal(formatPrice(5), '0.05');
  assert.equal(formatPrice(-490), '-4.90');
});

test('percentages round half up', () => {
  assert.equal(percentOf(1250, 10), 125);
  assert.equal(percentOf(333, 50), 167);
});

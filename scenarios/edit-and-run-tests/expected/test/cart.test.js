import assert from 'node:assert/strict';
import { test } from 'node:test';
import { receipt, shipping, subtotal, total } from '../src/cart.js';

const mug = { name: 'mug', price: 1250, quantity: 2 };
const lamp = { name: 'lamp', price: 2500, quantity: 1 };

test('the subtotal counts quantities', () => {
  assert.equal(subtotal([mug, lamp]), 5000);
});

test('small orders pay for shipping', () => {
  assert.equal(shipping(4999), 490);
});

test('shipping is free from 50.00 on', () => {
  assert.equal(shipping(5000), 0);
});

test('the discount comes before shipping', () => {
  assert.equal(total([mug, lamp], 10), 4990);
});

test('the receipt lists items, shipping and total', () => {
  assert.equal(receipt([mug]), '2 x mug: 25.00\nshipping: 4.90\ntotal: 29.90');
});

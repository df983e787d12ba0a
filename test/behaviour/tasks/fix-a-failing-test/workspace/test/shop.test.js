import assert from 'node:assert/strict';
import test from 'node:test';
import { shipping, subtotal } from '../src/cart.js';
import { format } from '../src/money.js';
import { receipt } from '../src/receipt.js';

test('cents have no fractions', () => assert.equal(subtotal([{ price: 19.99, count: 3 }]), 5997));
test('shipping is free from 50.00 on', () => assert.equal(shipping(5000), 0));
test('prices have two decimals', () => assert.equal(format(1999), '19.99'));
test('the total has the shipping', () =>
  assert.deepEqual(receipt([{ name: 'mug', price: 10, count: 1 }]), ['1 mug', 'Shipping 4.95', 'Total 14.95']));

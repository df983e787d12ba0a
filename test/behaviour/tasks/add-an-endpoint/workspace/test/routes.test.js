import assert from 'node:assert';
import { test } from 'node:test';
import { route } from '../src/routes.js';

test('a todo is added and listed', () => {
  assert.equal(route('POST', '/todos', { title: 'milk' }).status, 201);
  assert.equal(route('GET', '/todos', {}).body.length, 1);
});

import assert from 'node:assert/strict';
import test from 'node:test';
import { run } from '../src/cli.js';
import { createStore } from '../src/store.js';

test('adds a note', () => assert.deepEqual(run(createStore(), ['add', 'buy', 'milk']), ['1 buy milk']));

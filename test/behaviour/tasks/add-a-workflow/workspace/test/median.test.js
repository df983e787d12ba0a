import assert from 'node:assert/strict';
import test from 'node:test';
import { median } from '../src/median.js';

test('the middle', () => assert.equal(median([3, 1, 2]), 2));

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { area } from '../src/area.js';
import { scale } from '../src/scale.js';

test('the area of a scaled rectangle', () => {
  assert.equal(area(scale({ kind: 'rectangle', width: 2, height: 3 }, 2)), 24);
});

import assert from 'node:assert/strict';
import test from 'node:test';
import { due } from '../src/due.js';
import { title } from '../src/title.js';
import { week } from '../src/week.js';

const date = new Date('2026-02-01');
test('a week', () => assert.equal(week(date).at(-1), '2026-02-07'));
test('due', () => assert.equal(due(date), '2026-03-03'));
test('title', () => assert.equal(title(date), 'Calendar of 2026-02-01'));

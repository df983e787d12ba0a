import assert from 'node:assert/strict';
import test from 'node:test';
import { slug } from '../src/slug.js';

test('replaces spaces', () => assert.equal(slug(' Hello World '), 'hello-world'));

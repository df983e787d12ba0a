import assert from 'node:assert/strict';
import { test } from 'node:test';
import { t } from '../src/i18n.js';

test('fills in values', () => assert.equal(t('en', 'items', { count: 2 }), '2 items'));

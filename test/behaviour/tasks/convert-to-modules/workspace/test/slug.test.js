const assert = require('node:assert');
const path = require('node:path');
const { test } = require('node:test');
const { slug, words } = require('../src');

test('a title becomes a slug', () => {
  assert.equal(slug('Hello, World!'), 'hello-world');
});

test('words keep letters of other alphabets', () => {
  assert.deepEqual(words('Größe 12'), ['Größe', '12']);
  assert.equal(path.basename(__filename), 'slug.test.js');
});

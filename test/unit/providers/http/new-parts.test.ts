import { expect, it } from 'vitest';
import type { ModelEvent } from '../../../../src/agent/ports/language-model.ts';
import { createNewParts } from '../../../../src/providers/http/new-parts.ts';

const CALL: ModelEvent = { type: 'tool_call_delta', index: 0, id: 'a', name: 'read_file', arguments: '{}' };
const END: ModelEvent = { type: 'finish', reason: 'stop' };
const text = (piece: string): ModelEvent => ({ type: 'text_delta', text: piece });
const shown = (events: readonly ModelEvent[]): string =>
  events.flatMap(createNewParts()).reduce((all, event) => all + (event.type === 'text_delta' ? event.text : ''), '');

it.each([
  ['a long first piece', ['Hello', 'Hello, they', 'Hello, they say'], 'Hello, they say'],
  ['a first piece of one letter', ['I', 'I will', 'I will read it.', 'I will read it.'], 'I will read it.'],
  ['a first piece of one sign', ['你', '你好', '你好，我来看', '你好，我来看看'], '你好，我来看看'],
  ['a number of a list ahead', ['1.', '1. Read', '1. Read it.'], '1. Read it.'],
  ['marks ahead', ['```', '```js', '```js\nlet a;', '```js\nlet a;\n```'], '```js\nlet a;\n```'],
  ['a piece a letter', ['H', 'He', 'Hel', 'Hell', 'Hello'], 'Hello'],
  ['nothing ahead', ['', 'Hi', 'Hi there', 'Hi there.'], 'Hi there.'],
])('shows once a text whose pieces have all of the text so far, with %s', (_name, pieces, whole) => {
  expect(shown([...pieces.map(text), END])).toBe(whole);
});

it.each([
  ['two pieces, of which the second begins with the short first', ['Ha', 'Haha']],
  ['a third piece that begins otherwise', ['I', 'It', 's here']],
  ['digits', ['1', '10', '100']],
  ['marks', ['=', '==', '===', '====']],
  ['equal pieces', ['Hello', 'Hello', 'Hello again']],
  ['a later piece that begins with the one before', ['So', ' Hello', ' Hello there']],
])('shows all pieces of a text with %s', (_name, pieces) => {
  expect(shown([...pieces.map(text), END])).toBe(pieces.join(''));
});

it('keeps the order of a text and the call behind it', () => {
  expect([text('I'), text('It'), CALL, text('Its'), END].flatMap(createNewParts())).toEqual([
    ...[text('I'), text('It'), CALL, text('Its'), END],
  ]);
});

it('compares the reasoning and the text each with itself', () => {
  const reasoning: ModelEvent = { type: 'reasoning_delta', text: 'Read' };
  const longer: ModelEvent = { type: 'reasoning_delta', text: 'Read it' };
  expect([text('I'), reasoning, text('It'), longer, END].flatMap(createNewParts())).toEqual([
    ...[text('I'), reasoning, text('It'), { type: 'reasoning_delta', text: ' it' }, END],
  ]);
});

import { expect, it } from 'vitest';
import { classifySdkError } from '../../../src/providers/openai-failure.ts';

const plain = (text: string) => text;

it('names the innermost cause, with its code', () => {
  const inner = Object.assign(new Error('getaddrinfo ENOTFOUND llm.test'), { code: 'ENOTFOUND' });
  const error = new Error('Connection error.', { cause: new TypeError('fetch failed', { cause: inner }) });
  expect(classifySdkError(error, plain)).toEqual({
    type: 'connection',
    detail: 'ENOTFOUND getaddrinfo ENOTFOUND llm.test',
  });
});

it('understands what is no error at all', () => {
  expect(classifySdkError('gone', plain)).toEqual({ type: 'connection', detail: 'gone' });
  expect(classifySdkError(new Error(''), plain)).toEqual({ type: 'connection', detail: '' });
});

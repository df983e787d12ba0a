import { expect, it } from 'vitest';
import { classifyError } from '../../../../src/providers/http/classify-failure.ts';

const plain = (text: string) => text;

it('classifies a port that fetch blocks', () => {
  const error = new Error('Connection error.', {
    cause: new TypeError('fetch failed', { cause: new Error('bad port') }),
  });
  expect(classifyError(error, plain)).toEqual({ type: 'blocked_port' });
});

it('adds a code that the innermost message does not contain', () => {
  const inner = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
  const error = new TypeError('fetch failed', { cause: inner });
  expect(classifyError(error, plain)).toEqual({ type: 'connection', detail: 'UND_ERR_SOCKET other side closed' });
});

it('reports the innermost cause, with its code once', () => {
  const inner = Object.assign(new Error('getaddrinfo ENOTFOUND llm.test'), { code: 'ENOTFOUND' });
  const error = new Error('Connection error.', { cause: new TypeError('fetch failed', { cause: inner }) });
  expect(classifyError(error, plain)).toEqual({
    type: 'connection',
    detail: 'getaddrinfo ENOTFOUND llm.test',
  });
});

it('classifies a thrown value that is not an error', () => {
  expect(classifyError('gone', plain)).toEqual({ type: 'connection', detail: 'gone' });
  expect(classifyError(new Error(''), plain)).toEqual({ type: 'connection', detail: '' });
});

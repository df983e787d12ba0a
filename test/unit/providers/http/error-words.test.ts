import { expect, it } from 'vitest';
import { ModelError } from '../../../../src/agent/errors.ts';
import type { ModelRequest } from '../../../../src/agent/ports/language-model.ts';
import { classifyError, classifyInStream } from '../../../../src/providers/http/classify-failure.ts';
import { failureCode, failureMessage } from '../../../../src/providers/http/failure.ts';
import { HttpFailure } from '../../../../src/providers/http/fetch-stream.ts';
import { readServerError } from '../../../../src/providers/http/server-error.ts';
import { nextForm } from '../../../../src/providers/service/next-form.ts';
import { WIRE_RULES } from '../../../../src/providers/service/service-rules.ts';
import { reportedErrors } from '../../../support/recorded/reported-errors.ts';

/** A request in which each second form has something to change. */
const request: ModelRequest = {
  system: 'You help.',
  messages: [
    { role: 'user', content: 'a file', file: 'a.txt' },
    { role: 'user', content: 'go' },
    {
      role: 'assistant',
      content: '',
      toolCalls: ['call_1', 'call_2'].map((id) => ({ id, name: 'read_file', arguments: '{}' })),
      providerState: { model: 'some-model', items: [] },
    },
    ...['call_1', 'call_2'].map((id) => ({ role: 'tool', toolCallId: id, content: 'x', isError: false }) as const),
    { role: 'user', content: 'go on' },
    { role: 'user', content: 'please' },
  ],
  tools: [
    {
      name: 'read_file',
      description: '',
      effect: 'read',
      parameters: { type: 'object', properties: { path: { type: 'string', minLength: 1 } } },
    },
  ],
};

const SERVER = { label: 'The server', endpoint: 'https://llm.test/v1', model: 'some-model', keyVariable: 'KEY' };

/** The outcome of an error: a code, the kind of a failure, or the form in which the request is sent again. */
function outcomeOf(status: number, body: string, asked: number): string {
  const failure =
    status === 200
      ? classifyInStream(readServerError(body))
      : classifyError(new HttpFailure(status, new Headers(), 'application/json', body), (text) => text);
  const message = failureMessage(failure, SERVER);
  const code = failureCode(failure, {});
  const knows = /max_completion_tokens/.test(body) && !/use 'max_completion_tokens/.test(body);
  const limitName = knows ? 'max_completion_tokens' : 'max_tokens';
  const form = { rules: { ...WIRE_RULES['openai-chat'], limitName } as const, maxTokens: asked };
  const next = nextForm(new ModelError(code, message), form, request, new Set());
  if (next !== undefined) return next.how;
  if (message.includes('llm.tool_protocol')) return 'no tools';
  return failure.type === 'status' || failure.type === 'in_stream' ? code : failure.type;
}

it.each(reportedErrors())('$source: $status $outcome', ({ status, body, asked, outcome }) => {
  expect(outcomeOf(status, body, asked)).toBe(outcome);
});

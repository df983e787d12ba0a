import { describe, expect, it } from 'vitest';
import { FaultSchema } from '../../../../mock-llm-server/scenario/format/faults/fault-format.ts';
import { TimingSchema } from '../../../../mock-llm-server/scenario/format/timing-format.ts';

const problemOf = (schema: typeof FaultSchema | typeof TimingSchema, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ message }) => message.split('\n', 1)[0]);

describe('FaultSchema', () => {
  it.each([
    { status: 429, message: 'Slow down.', retry_after: 1.5, times: 2 },
    { reset: true, times: 1, content_type: 'text/html', drip: 1 },
    { stall: 'pings', ping_every_ms: 100 },
    { open_think_tag: true, tool_call_as_text: true },
    { status: 400, code: 'context_length_exceeded', type: 'invalid_request_error' },
    { status: 529, message: 'x', code: 'c', type: 't', retry_after: 1, times: 1, at: { pieces: 0 } },
    { reset: true, at: 'before_headers' },
    { stall: 'forever', at: 'before_headers' },
    { cut: true, at: { characters: 3 } },
    { stall: 'pings', at: 'after_finish' },
    { context_overflow: true, times: 1, at: 'middle' },
    { status: 429, retry_after: 2, headers: { 'Retry-After': '{{retry_date}}' }, times: 1 },
    { status: 302, headers: { location: '/login' }, body: '' },
    { status: 200, body: '<html>{{any}}</html>' },
    { headers: { 'x-ratelimit-remaining-tokens': '0' }, times: 2 },
    { stall: 'forever', headers: { a: 'b' } },
  ])('accepts %j', (fault) => {
    expect(problemOf(FaultSchema, fault)).toBeUndefined();
  });

  it.each<[object, string | RegExp]>([
    [{}, 'names no fault'],
    [{ times: 2 }, 'names no fault'],
    [{ status: 429, reset: true }, 'reset cannot be combined with status, which replaces the answer'],
    [{ reset: true, message: 'x' }, 'message needs a status'],
    [{ reset: true, retry_after: 1 }, 'retry_after needs a status'],
    [{ stall: 'forever', ping_every_ms: 5 }, 'ping_every_ms needs "stall": "pings"'],
    [{ cut: 'before_finish', stall: 'forever' }, 'cut and stall exclude each other'],
    [{ missing_index: true, colliding_index: true }, 'missing_index and colliding_index exclude each other'],
    [{ empty_answer: true, tool_call_as_text: true }, 'empty_answer and tool_call_as_text exclude each other'],
    [{ empty_answer: true, open_think_tag: true }, 'empty_answer and open_think_tag exclude each other'],
    [{ code: 'x' }, 'names no fault'],
    [
      { context_overflow: true, status: 413 },
      'status cannot be combined with context_overflow, the error of a service',
    ],
    [{ context_overflow: true, cut: true }, 'cut cannot be combined with context_overflow, the error of a service'],
    [{ context_overflow: true, at: 'before_headers' }, 'before_headers needs reset or "stall": "forever"'],
    [{ at: 'end' }, 'names no fault'],
    [{ reset: true, code: 'x' }, 'code needs a status'],
    [{ reset: true, type: 'x' }, 'type needs a status'],
    [{ drip: 1, at: 'end' }, 'at needs a status, "cut": true, reset or stall'],
    [{ cut: 'before_finish', at: 'end' }, 'at needs a status, "cut": true, reset or stall'],
    [{ status: 500, at: 'before_headers' }, 'before_headers needs reset or "stall": "forever"'],
    [{ stall: 'pings', at: 'before_headers' }, 'before_headers needs reset or "stall": "forever"'],
    [{ reset: true, at: {} }, 'needs either pieces or characters'],
    [{ reset: true, at: { pieces: 1, characters: 1 } }, 'needs either pieces or characters'],
    [{ status: 200 }, 'a status of 200 needs a body'],
    [{ status: 199 }, /^Too small: expected number to be >=200/],
    [{ status: 204, body: '' }, 'a status of 204 has no body'],
    [{ body: 'x' }, 'names no fault'],
    [{ body: 'x', headers: { a: 'b' } }, 'body needs a status'],
    [{ status: 500, body: 'x', message: 'y' }, 'message cannot be combined with body, which is sent as it is'],
    [{ status: 500, body: 'x', at: 'end' }, 'at cannot be combined with body, which is sent as it is'],
    [{ body: 'x', cut: true }, 'cut cannot be combined with body, which is sent as it is'],
    [{ reset: true, at: 'before_headers', headers: { a: 'b' } }, 'no headers are sent with "at": "before_headers"'],
    [{ status: 500, headers: { 'retry after': '1' } }, 'is no header that a fault can set'],
    [{ status: 500, headers: { 'Content-Length': '1' } }, 'is no header that a fault can set'],
    [{ status: 429, headers: { 'retry-after': '{{retry_date}}' } }, 'has a template without a value'],
    [{ status: 429, retry_after: 1, headers: { 'retry-after': '{{date}}' } }, 'has a template without a value'],
    [{ status: 500, headers: { a: 'b\nc: d' } }, 'must be one line of ASCII'],
    [{ drip: 0 }, /^Too small/],
    [{ drip: 2 ** 31 }, /^Too big/],
    [{ stall: 'pings', ping_every_ms: 1e12 }, /^Too big/],
  ])('refuses %j', (fault, message) => {
    expect(problemOf(FaultSchema, fault)).toEqual([
      typeof message === 'string' ? message : expect.stringMatching(message),
    ]);
  });
});

const REPLACES = 'replaces time_to_first_token_ms, tokens_per_second and piece_delay_ms';

describe('TimingSchema', () => {
  it.each<[object, string[] | undefined]>([
    [{ chunk: { by: 'tokens', size: 2 }, time_to_first_token_ms: 1, tokens_per_second: 9, jitter: 0.5 }, undefined],
    [{ recorded_ms: [1, 2], speed: 2, jitter: 0 }, undefined],
    [{}, undefined],
    [{ speed: 2 }, ['needs recorded_ms']],
    [{ time_to_first_token_ms: 2 ** 31 - 1 }, undefined],
    [{ time_to_first_token_ms: 1e12 }, ['Too big: expected number to be <=2147483647']],
    [{ recorded_ms: [1, 1e12] }, ['Too big: expected number to be <=2147483647']],
    [{ recorded_ms: [1], tokens_per_second: 1 }, [REPLACES]],
    [{ recorded_ms: [1], time_to_first_token_ms: 1 }, [REPLACES]],
    [{ recorded_ms: [1], piece_delay_ms: 1 }, [REPLACES]],
    [{ piece_delay_ms: 5, time_to_first_token_ms: 1, jitter: 0.1 }, undefined],
    [{ piece_delay_ms: 5, tokens_per_second: 1 }, ['piece_delay_ms and tokens_per_second exclude each other']],
  ])('checks %j', (timing, problems) => {
    expect(problemOf(TimingSchema, timing)).toEqual(problems);
  });
});

import { expect, it } from 'vitest';
import { redact } from '../../../mock-llm-server/redact.ts';

// Put together here, so that no scanner takes them for real ones.
const tail = 'abcDEF0123456789abcDEF0123456789abcdef';

it.each([
  [`my key is sk-${tail}.`, 'my key is [redacted].'],
  [`sk-ant-api03-${tail}`, '[redacted]'],
  [`{"key":"AIza${tail}"}`, '{"key":"[redacted]"}'],
  [`ghp_${tail} and AKIA${'A1'.repeat(8)}`, '[redacted] and [redacted]'],
  [`eyJ${tail}.eyJ${tail}.${tail}`, '[redacted]'],
  [`Authorization: Bearer ${tail}`, 'Authorization: Bearer [redacted]'],
  [`/v1beta/models?alt=sse&key=${tail}&x=1`, '/v1beta/models?alt=sse&key=[redacted]&x=1'],
  [`x-api-key: ${tail}`, 'x-api-key: [redacted]'],
  [`{"api_key": "${tail}"}`, '{"api_key": "[redacted]"}'],
  [`"{\\"api_key\\":\\"${tail}\\"}"`, '"{\\"api_key\\":\\"[redacted]\\"}"'],
  ['a risk-free task, the keyboard and sk-1', 'a risk-free task, the keyboard and sk-1'],
  ['fix the test', 'fix the test'],
])('%s', (text, expected) => {
  expect(redact(text)).toBe(expected);
});

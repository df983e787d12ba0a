import { describe, expect, it } from 'vitest';
import { readAnswer } from '../../../../src/tools/external-tool/answer.ts';

describe('the output of a tool', () => {
  it.each([
    ['{"success": true, "result": "Found 10 results"}', 'Found 10 results'],
    ['{"result": "text", "error": null}', 'text'],
    ['{"success": true, "results": [{"title": "A"}]}', '[\n {\n  "title": "A"\n }\n]'],
    ['{"success": true, "result": {"a": 1}}', '{\n "a": 1\n}'],
    [
      '{"success": true, "result": "text", "warnings": ["old"]}',
      '{\n "result": "text",\n "warnings": [\n  "old"\n ]\n}',
    ],
    ['{"title": "A", "url": "B"}', '{\n "title": "A",\n "url": "B"\n}'],
    ['{"success": true}', '(no result)'],
    ['{"success": true, "result": ""}', ''],
    ['{"success": true, "result": null}', '(no result)'],
    ['{"success": true, "result": 0}', '0'],
    ['{"success": true, "result": false}', 'false'],
    ['{"success": true, "error": "only noted"}', 'only noted'],
    ['"text"', 'text'],
    ['[1, 2]', '[\n 1,\n 2\n]'],
    [' 7 \n', '7'],
    [
      '{"__proto__": {"success": false}, "result": "kept"}',
      '{\n "__proto__": {\n  "success": false\n },\n "result": "kept"\n}',
    ],
  ])('is a result: %s', (stdout, text) => {
    expect(readAnswer(stdout)).toEqual({ isFailure: false, text });
  });

  it.each([
    ['{"success": false, "error": "no network"}', 'no network'],
    ['{"error": "no network"}', 'no network'],
    ['{"success": false, "result": "partly"}', 'partly'],
    ['{"success": false}', '(no result)'],
    ['{"success": false, "error": "bad", "code": 7}', '{\n "error": "bad",\n "code": 7\n}'],
    ['', 'It printed nothing; a tool prints its result as JSON.'],
    [' \n', 'It printed nothing; a tool prints its result as JSON.'],
  ])('is a failure: %s', (stdout, text) => {
    expect(readAnswer(stdout)).toEqual({ isFailure: true, text });
  });

  it.each(['{"success": true, "result": "cut', 'hello', '{"a": 1}\n{"b": 2}'])(
    'is a failure if it is not JSON: %s',
    (stdout) => {
      const { isFailure, text } = readAnswer(stdout);
      expect(isFailure).toBe(true);
      expect(text).toMatch(/^Its output is not valid JSON \(.+\):\n/s);
      expect(text).toContain(stdout);
    },
  );
});

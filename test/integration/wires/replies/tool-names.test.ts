import path from 'node:path';
import { expect, it } from 'vitest';
import type { Wire } from '../../../../src/providers/wires.ts';
import { runMain } from '../../../support/processes/run-main.ts';
import { temporaryDirectory, writeFiles } from '../../../support/processes/temporary-directory.ts';
import { FRAMES, streamOf, textReply } from '../../../support/replies/frames.ts';
import { pieceReply, startRawServer } from '../../../support/replies/raw-server.ts';

/** An error of a public report about the name of a tool, with TOOL and INDEX in place of its name and its number. */
interface NameRow {
  readonly source: string;
  readonly wire: Wire;
  readonly error: unknown;
}

const reserved = '<400> InternalError.Algo.InvalidParameter: Tool names are not allowed to be [TOOL]';
const google = (message: string) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } });
const openAi = (param: string, problem: string) => ({
  error: { message: `Invalid '${param}': ${problem}`, param, code: 'invalid_value', type: 'invalid_request_error' },
});

const ROWS: readonly NameRow[] = [
  {
    source: 'tailcallhq/forgecode#1580',
    wire: 'openai-chat',
    error: {
      error: {
        message: 'Provider returned error',
        code: 400,
        metadata: {
          raw: JSON.stringify({ error: { code: 'invalid_parameter_error', param: null, message: reserved } }),
          provider_name: 'Alibaba',
        },
      },
    },
  },
  {
    source: 'QwenLM/qwen-code#384',
    wire: 'openai-chat',
    error: { error: { message: reserved, code: 'invalid_parameter_error', type: 'invalid_request_error' } },
  },
  {
    source: 'can1357/oh-my-pi#7970',
    wire: 'openai-responses',
    error: {
      error: {
        message: 'invalid request: invalid tools in request: custom function name "TOOL" is reserved',
        type: 'invalid_request_error',
      },
    },
  },
  {
    source: 'openai/codex#8174',
    wire: 'openai-responses',
    error: openAi(
      'tools[INDEX].name',
      "string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
    ),
  },
  {
    source: 'danishjsheikh/swagger-mcp#13',
    wire: 'openai-chat',
    error: openAi(
      'tools[INDEX].function.name',
      "string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_\\.-]+$'.",
    ),
  },
  {
    source: 'nanbingxyz/5ire#403',
    wire: 'openai-chat',
    error: openAi(
      'tools[INDEX].function.name',
      'string too long. Expected a string with maximum length 64, but got a string with length 66 instead.',
    ),
  },
  {
    source: 'MariaDB/mcp#36',
    wire: 'anthropic-messages',
    error: {
      message: "tools.INDEX.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
      code: 'invalid_request_body',
    },
  },
  {
    source: 'microsoft/vscode-copilot-release#7928',
    wire: 'gemini',
    error: [
      google(
        '* GenerateContentRequest.tools[0].function_declarations[INDEX].name: Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.) or dashes (-), with a maximum length of 64.\n',
      ),
    ],
  },
  {
    source: 'decolua/9router#369',
    wire: 'gemini',
    error: google(
      'The GenerateContentRequest proto is invalid:\n  * tools[0].function_declarations[INDEX].name: [FIELD_INVALID] Invalid function name. Must start with a letter or an underscore. Must be a-z, A-Z, 0-9, or contain underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.',
    ),
  },
];

const OWN = 'read_file';
const toolNames = (body: string): readonly string[] =>
  [...body.matchAll(/"name":"(\w+)","description":/g)].flatMap(([, name]) => name ?? []);

it.each(ROWS)('a service refuses the name of a tool over $wire ($source), which gets another one', async (row) => {
  const { wire, error } = row;
  const { call, end, reasons } = FRAMES[wire];
  const refused: number[] = [];
  const server = await startRawServer(({ body }) => {
    const names = toolNames(body);
    const own = names.indexOf(OWN);
    if (own !== -1) {
      refused.push(own);
      const text = JSON.stringify(error).replaceAll('TOOL', OWN).replaceAll('INDEX', String(own));
      return pieceReply([text], { status: 400, type: 'application/json' });
    }
    if (body.includes('The notes say seven.')) return textReply(wire, 'They say seven.');
    const other = names[refused.at(-1) ?? -1] ?? 'none';
    return streamOf(wire, [...call(other, { path: 'notes.txt' }), ...end(reasons.calls)]);
  });
  const directory = temporaryDirectory();
  const place = temporaryDirectory();
  const llm = { provider: 'openai-compatible', api_kind: wire, endpoint: server.url, model: 'some-model' };
  writeFiles(directory, { 'notes.txt': 'The notes say seven.\n' });
  writeFiles(place, { 'config.json': JSON.stringify({ llm, agent: { retry_backoff_base_ms: 1 } }) });
  const { code, stdout, stderr } = await runMain(
    ['--config', path.join(place, 'config.json'), 'Read notes.txt and say what it says.'],
    { directory },
  );
  const shown = stdout + stderr;
  expect({ code, requests: server.requests.length }, shown).toEqual({ code: 0, requests: 3 });
  expect(shown).toContain('with other names for read_file');
  expect(shown).toContain('→ read_file: lines 1–1 of 1');
  expect(shown).toContain('They say seven.');
});

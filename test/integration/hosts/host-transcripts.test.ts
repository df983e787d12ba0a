import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startMockLlm } from '../../../mock-llm-server/testing.ts';
import { TOOL_NAMES } from '../../../src/tools/tools.ts';
import { HOST_SCENARIOS } from '../../../tooling/agents/host/scenarios.ts';
import { createFakeHost, type FakeHost } from '../../support/hosts/fake-host.ts';
import {
  joinPieces,
  keyFields,
  readTranscript,
  type Transcript,
  transcriptText,
} from '../../support/hosts/host-transcript.ts';
import { startHosted } from '../../support/hosts/hosted-run.ts';
import { StreamJsonLineSchema } from '../../support/hosts/stream-json-schema.ts';

// Each file is a conversation of the Claude Agent SDK 0.3.329 with the built command, written by
// `npm run test:agents -- claude-agent-sdk --record`: all that the SDK has written, and the key fields of all that it has
// read.
const DIRECTORY = path.join(import.meta.dirname, 'fixtures/hosts');

type Line = FakeHost['lines'][number];

/** True for a line for which a host may have waited before it wrote the next one. */
function isAwaited({ type, block }: Line): boolean {
  return AWAITED.has(String(type)) || (type === 'assistant' && isCall(block));
}

const AWAITED = new Set(['result', 'control_request', 'control_response']);

function isCall(block: unknown): boolean {
  return typeof block === 'object' && block !== null && 'type' in block && block.type === 'tool_use';
}

/**
 * Writes each line of the host as soon as the lines that preceded it in the recording were read. Returns all that it
 * has read.
 */
async function play({ args, lines }: Transcript, endpoint: string) {
  const host = createFakeHost();
  const ended = startHosted(args, host, { ANTHROPIC_BASE_URL: endpoint, ANTHROPIC_API_KEY: 'sk-test' });
  const questions: string[] = [];
  for (const line of lines) {
    if ('out' in line) {
      if (!isAwaited(line.out)) continue;
      const read = await host.waitFor((printed) => isAwaited(keyFields(printed)));
      if (read['type'] === 'control_request') questions.push(String(read['request_id']));
    } else if ('end' in line) {
      host.end();
    } else {
      host.send(JSON.stringify(line.in).replace(/"agent_(\d+)"/, (_id, n) => JSON.stringify(questions[Number(n) - 1])));
    }
  }
  return { exitCode: await ended, printed: host.lines };
}

/** A line without tools that have no Claude name, which ybs got after the recording. */
function withoutNewTools(line: Line): Line {
  const { tools } = line;
  return Array.isArray(tools) ? { ...line, tools: tools.filter((name) => !OWN_NAMES.has(name)) } : line;
}

const OWN_NAMES: ReadonlySet<unknown> = new Set(TOOL_NAMES);

describe('the conversations of the Claude Agent SDK', () => {
  const files = readdirSync(DIRECTORY);

  it.for(files)('%s proceeds as it was recorded', async (file) => {
    await using server = await startMockLlm({ scenarios: HOST_SCENARIOS });
    const transcript = readTranscript(path.join(DIRECTORY, file));
    const { printed, exitCode } = await play(transcript, server.url);
    for (const line of printed) expect(StreamJsonLineSchema.safeParse(line)).toMatchObject({ success: true });
    const expected = transcript.lines.flatMap((line) => ('out' in line ? [line.out] : []));
    expect(joinPieces(printed.map(keyFields).map(withoutNewTools))).toEqual(expected);
    expect(exitCode).toBe(0);
  });

  it('a huge result of a tool of the host is truncated, and saved completely to a file', async () => {
    await using server = await startMockLlm({ scenarios: HOST_SCENARIOS });
    const { args, lines } = readTranscript(path.join(DIRECTORY, 'in-process-mcp.jsonl'));
    const huge = JSON.stringify(lines).replaceAll('sunny, 21 °C', `first ${'x'.repeat(1_000_000)} last`);
    const { printed } = await play({ args, lines: JSON.parse(huge) }, server.url);
    const [result = ''] = printed.filter(({ type }) => type === 'user').map((line) => JSON.stringify(line));
    expect(result.length).toBeLessThan(40_000);
    expect(result).toMatch(/"first x.*\[part of line 1 of 1 omitted.*x last"/);
    const [, file = ''] = /read_file from ([^\]]+)\.\]/.exec(result) ?? [];
    expect(readFileSync(file, 'utf8')).toMatch(/^first x{1000000} last$/);
  });
});

it('the ids of a run are numbered in a transcript, and the pieces of a text are joined', () => {
  const piece = (text: string) => ({
    out: { type: 'stream_event', uuid: text, event: { type: 'content_block_delta', index: 0, delta: textDelta(text) } },
  });
  const textDelta = (text: string) => ({ type: 'text_delta', text });
  const initialize = { type: 'control_request', request_id: 'a-1', request: { subtype: 'initialize' } };
  const question = { type: 'control_request', request_id: 'b-2', request: { subtype: 'can_use_tool', input: {} } };
  const call = { type: 'tool_use', id: 'c-3', name: 'Read', input: {} };
  const lines = [
    { in: initialize },
    piece('one '),
    piece('two'),
    { out: { type: 'assistant', message: { content: [call] } } },
    { out: question },
    { in: { type: 'control_response', response: { request_id: 'b-2', response: { toolUseID: 'c-3' } } } },
    { end: true } as const,
  ];
  const text = transcriptText({ args: ['--verbose'], lines });
  const written = text
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  expect(written).toEqual([
    { args: ['--verbose'] },
    { in: { ...initialize, request_id: 'host_1' } },
    { out: { type: 'stream_event', event: 'content_block_delta', index: 0, delta: textDelta('one two') } },
    { out: { type: 'assistant', block: { type: 'tool_use', name: 'Read', input: {} } } },
    { out: { type: 'control_request', subtype: 'can_use_tool', input: {} } },
    { in: { type: 'control_response', response: { request_id: 'agent_1', response: { toolUseID: 'toolu_1' } } } },
    { end: true },
  ]);
});

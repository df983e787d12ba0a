import path from 'node:path';
import { expect, it } from 'vitest';
import type { Wire } from '../../../src/providers/wires.ts';
import { runMain } from '../../support/processes/run-main.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';
import { FRAMES, sse, streamOf, textReply } from '../../support/replies/frames.ts';
import { event } from '../../support/replies/piece-row.ts';
import { jsonReply, type RawReply, startRawServer } from '../../support/replies/raw-server.ts';

/** Stands for what only the server of the model understands. */
const SECRET = 'U3RhdGU=';
const PATH = { path: 'notes.txt' };

const delta = (fields: object): string => sse({ choices: [{ index: 0, delta: fields, finish_reason: null }] });
const chatCall = (fields: object): string =>
  delta({
    tool_calls: [
      {
        index: 0,
        id: 'call_1',
        type: 'function',
        function: { name: 'read_file', arguments: JSON.stringify(PATH) },
        ...fields,
      },
    ],
  });
const callOf = (wire: Wire): readonly string[] => FRAMES[wire].call('read_file', PATH);
const item = (index: number, fields: object): string =>
  event('response.output_item.done', { output_index: index, item: fields });

/** Answers with a call and with state, the report of a service that refuses the next request without it, and its form there. */
const ROWS: readonly (readonly [name: string, source: string, wire: Wire, frames: readonly string[], sent: object])[] =
  [
    [
      'reasoning_content',
      'earendil-works/pi#3636',
      'openai-chat',
      [delta({ reasoning_content: SECRET }), ...callOf('openai-chat')],
      { reasoning_content: SECRET },
    ],
    [
      'reasoning_details',
      'openai/openai-agents-python#2155',
      'openai-chat',
      [
        delta({ reasoning_details: [{ type: 'reasoning.encrypted', data: SECRET, index: 0 }] }),
        ...callOf('openai-chat'),
      ],
      { reasoning_details: [{ type: 'reasoning.encrypted', data: SECRET, index: 0 }] },
    ],
    [
      'reasoning_opaque',
      'anomalyco/opencode, its GitHub Copilot provider',
      'openai-chat',
      [delta({ reasoning_text: 'I look.', reasoning_opaque: SECRET }), ...callOf('openai-chat')],
      { reasoning_opaque: SECRET },
    ],
    [
      'thinking_blocks',
      'BerriAI/litellm, docs/my-website/docs/reasoning_content.md',
      'openai-chat',
      [
        delta({ thinking_blocks: [{ type: 'thinking', thinking: 'I look.', signature: SECRET }] }),
        ...callOf('openai-chat'),
      ],
      { thinking_blocks: [{ type: 'thinking', thinking: 'I look.', signature: SECRET }] },
    ],
    [
      'extra_content of a call',
      'https://ai.google.dev/gemini-api/docs/thought-signatures',
      'openai-chat',
      [chatCall({ extra_content: { google: { thought_signature: SECRET } } })],
      { extra_content: { google: { thought_signature: SECRET } } },
    ],
    [
      'provider_specific_fields of a call',
      'BerriAI/litellm, docs/my-website/blog/gemini_3',
      'openai-chat',
      [chatCall({ provider_specific_fields: { thought_signature: SECRET } })],
      { provider_specific_fields: { thought_signature: SECRET } },
    ],
    [
      'encrypted reasoning',
      'openai/codex#8119',
      'openai-responses',
      [
        item(0, { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: SECRET }),
        ...callOf('openai-responses'),
      ],
      { encrypted_content: SECRET },
    ],
    [
      'the phase of a text',
      'https://platform.openai.com/docs/guides/latest-model',
      'openai-responses',
      [
        item(0, {
          ...{ type: 'message', id: 'msg_1', role: 'assistant', phase: 'commentary', status: 'completed' },
          content: [{ type: 'output_text', text: 'I look.', annotations: [] }],
        }),
        ...callOf('openai-responses'),
      ],
      { phase: 'commentary' },
    ],
    [
      'a signature',
      'https://platform.claude.com/docs/en/build-with-claude/extended-thinking',
      'anthropic-messages',
      [
        event('message_start', { message: { usage: { input_tokens: 7, output_tokens: 1 } } }),
        event('content_block_start', { index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } }),
        event('content_block_delta', { index: 0, delta: { type: 'thinking_delta', thinking: 'I look.' } }),
        event('content_block_delta', { index: 0, delta: { type: 'signature_delta', signature: SECRET } }),
        event('content_block_stop', { index: 0 }),
        ...callOf('anthropic-messages'),
      ],
      { signature: SECRET },
    ],
    [
      'redacted thinking',
      'https://platform.claude.com/docs/en/build-with-claude/extended-thinking',
      'anthropic-messages',
      [
        event('message_start', { message: { usage: { input_tokens: 7, output_tokens: 1 } } }),
        event('content_block_start', { index: 0, content_block: { type: 'redacted_thinking', data: SECRET } }),
        event('content_block_stop', { index: 0 }),
        ...callOf('anthropic-messages'),
      ],
      { type: 'redacted_thinking', data: SECRET },
    ],
    [
      'a thought signature',
      'https://ai.google.dev/gemini-api/docs/thought-signatures',
      'gemini',
      [
        sse({
          candidates: [
            {
              content: {
                role: 'model',
                parts: [{ functionCall: { name: 'read_file', args: PATH }, thoughtSignature: SECRET }],
              },
            },
          ],
        }),
      ],
      { thoughtSignature: SECRET },
    ],
  ];

const TOO_LONG = jsonReply({ error: { message: 'prompt is too long' } }, { status: 400 });

it.each(ROWS)(
  '%s goes back to its model alone, over a change of model and a compaction',
  async (_name, _source, wire, frames, sent) => {
    const called = streamOf(wire, [...frames, ...FRAMES[wire].end(FRAMES[wire].reasons.calls)]);
    let next: readonly RawReply[] = [called];
    const server = await startRawServer(() => {
      const [reply = textReply(wire, 'Fine.'), ...others] = next;
      next = others;
      return reply;
    });
    const directory = temporaryDirectory();
    const home = temporaryDirectory();
    const llm = { provider: 'openai-compatible', api_kind: wire, endpoint: server.url };
    writeFiles(directory, { 'notes.txt': 'seven' });
    writeFiles(home, { 'config.json': JSON.stringify({ llm, agent: { retry_backoff_base_ms: 1 } }) });
    /** The body of the last request of a run, which ends well. */
    const run = async (model: string, ...args: readonly string[]): Promise<string> => {
      const command = ['--config', path.join(home, 'config.json'), '--model', model, ...args];
      const { code, stderr } = await runMain(command, { directory, environment: { HOME: home } });
      expect(code, stderr).toBe(0);
      return server.requests.at(-1)?.body ?? '';
    };
    const state = JSON.stringify(sent).slice(1, -1);

    const own = await run('model-a', 'Read it.');
    expect(own).toContain(state);
    const other = await run('model-b', '--continue', 'And you?');
    expect(other).toContain('seven');
    expect(other).not.toContain(state);
    const back = await run('model-a', '--continue', 'Go on.');
    expect(back.split(state)).toHaveLength(2);
    next = [called, TOO_LONG];
    const short = await run('model-a', '--continue', 'Read it again.');
    expect(short).toContain('Read it again.');
    expect(short).toContain(state);
    // Each result that is kept has its call, with the state.
    expect(short.split(state)).toHaveLength(short.split('seven').length);
  },
);

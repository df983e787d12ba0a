import { FRAMES, streamOf, textReply } from '../frames.ts';
import { AGAIN, type Expected, event, failing, PATH, type RawRow, rawRowsOf } from '../piece-row.ts';
import { jsonReply, pieceReply, type RawReply } from '../raw-server.ts';
import type { ReplyRow } from '../run-reply.ts';

const json = (status: number, value: unknown, options: object = {}) => jsonReply(value, { status, ...options });
const error = (status: number, fields: object): RawReply => json(status, { error: fields });
const page = (status: number, body: string) => pieceReply([body], { status, type: 'text/html; charset=UTF-8' });
/** A page is no refused key. */
const PAGE: Partial<Expected> = { hides: ['refused the key', 'requires a key'] };

const CHALLENGE =
  '<!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title><meta http-equiv="Content-Type" content="text/html; charset=UTF-8"><style>*{box-sizing:border-box}</style></head><body><div class="main-wrapper" role="main"><noscript><div class="h2"><span id="challenge-error-text">Enable JavaScript and cookies to continue</span></div></noscript></div><script>(function(){window._cf_chl_opt = {cRay: \'9d1\'};}());</script></body></html>';
const FRAGMENT =
  '\n  <div class="cf-section cf-highlight">\n<h2 data-translate="blocked_why_headline">Why have I been blocked?</h2>\n<p data-translate="blocked_why_detail">This website is using a security service to protect itself from online attacks. The action you just performed triggered the security solution.</p></div>';
const ZSCALER =
  '<!--# Id: copyright.html,v 1.2 -->\n<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN">\n<html><head><title>Internet Security by Zscaler</title><style>td.bh{padding-bottom:35px}</style></head><body><div class="pg red"><img src="https://login.zscloud.net:443/__zsig/x" /><div class="err_cd">Sorry, you don\'t have permission to visit this site. Not allowed to browse AI and ML Applications category</div></div></body></html>';

const REFUSALS: readonly RawRow[] = [
  [
    'a challenge in place of the API',
    'anthropics/claude-code#30437',
    page(403, CHALLENGE),
    { ...failing('Just a moment', '403'), ...PAGE },
  ],
  [
    'a part of a page in place of the API',
    'Kilo-Org/kilocode#162',
    page(403, FRAGMENT),
    { ...failing('Why have I been blocked?'), ...PAGE, hides: ['requires a key', '<div'] },
  ],
  [
    'a page of a proxy of the company',
    'microsoft/vscode-copilot-release#2258',
    page(403, ZSCALER),
    { ...failing('Not allowed to browse'), ...PAGE },
  ],
];

const MESSAGES: readonly RawRow[] = [
  [
    'a challenge in place of the API, over Messages',
    'anthropics/claude-code#30437',
    page(403, CHALLENGE),
    { ...failing('Just a moment'), ...PAGE },
  ],
];

const READ_CALL = FRAMES['openai-chat'].call('read_file', JSON.parse(PATH));
const CALLED = FRAMES['openai-chat'].end('tool_calls');
/** Refusals of the result of a call, which are met by another form of the request. */
const AFTER_CALLS: readonly (readonly [
  name: string,
  source: string,
  wire: ReplyRow['wire'],
  first: readonly string[],
  reply: RawReply,
])[] = [
  [
    'an id of another form',
    'zed-industries/zed#53034',
    'openai-chat',
    [...READ_CALL, ...CALLED],
    json(400, {
      object: 'error',
      message: 'Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.',
      type: 'invalid_function_call',
      param: null,
      code: '3280',
      raw_status_code: 400,
    }),
  ],
  [
    'a result beside a text',
    'quarkiverse/quarkus-langchain4j#1983',
    'openai-chat',
    [...READ_CALL, ...CALLED],
    json(400, {
      message: 'messages.7.content: Conversation blocks and tool use blocks cannot be provided in the same turn.',
    }),
  ],
  [
    'reasoning without what follows it',
    'continuedev/continue#9628',
    'openai-responses',
    [
      event('response.output_item.done', {
        output_index: 0,
        item: { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'e' },
      }),
      ...FRAMES['openai-responses'].call('read_file', JSON.parse(PATH)),
      ...FRAMES['openai-responses'].end('completed'),
    ],
    error(400, {
      message:
        "Item 'rs_05fcf8a672f793b100696ca4732bb08197ad3765d5cfa9c927' of type 'reasoning' was provided without its required following item.",
      type: 'invalid_request_error',
      param: 'input',
      code: null,
    }),
  ],
  [
    'a signature of another model',
    'openclaw/openclaw#107221',
    'anthropic-messages',
    [
      event('message_start', { message: { id: 'm', usage: { input_tokens: 5 } } }),
      event('content_block_start', { index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } }),
      event('content_block_delta', { index: 0, delta: { type: 'thinking_delta', thinking: 'Hm.' } }),
      event('content_block_delta', { index: 0, delta: { type: 'signature_delta', signature: 'c2ln' } }),
      ...FRAMES['anthropic-messages'].call('read_file', JSON.parse(PATH)),
      ...FRAMES['anthropic-messages'].end('tool_use'),
    ],
    json(400, {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'messages.1.content.0: Invalid `signature` in `thinking` block',
      },
    }),
  ],
  [
    'thinking that must go back',
    'farion1231/cc-switch#7226',
    'anthropic-messages',
    [
      ...FRAMES['anthropic-messages'].call('read_file', JSON.parse(PATH)),
      ...FRAMES['anthropic-messages'].end('tool_use'),
    ],
    error(400, {
      message: 'The `content[].thinking` in the thinking mode must be passed back to the API.',
      type: 'invalid_request_error',
      param: null,
      code: 'invalid_request_error',
    }),
  ],
];

/** Refused requests, from public reports of the autumn of 2026 and before. */
export const REFUSAL_REPORTS: readonly ReplyRow[] = [
  ...rawRowsOf('openai-chat', REFUSALS),
  ...rawRowsOf('anthropic-messages', MESSAGES),
  {
    name: 'another effort of Claude at Copilot',
    source: 'microsoft/vscode#312711',
    wire: 'anthropic-messages',
    settings: { reasoning_effort: 'high', model: 'claude-opus-4-7' },
    replies: [
      error(400, {
        message: 'output_config.effort "high" is not supported by model claude-opus-4.7; supported values: [medium]',
        code: 'invalid_reasoning_effort',
      }),
      textReply('anthropic-messages', 'They say seven.'),
    ],
    ...{ ...AGAIN, shows: ['sent again with the reasoning effort medium', 'They say seven.'] },
    sends: ['"effort":"medium"'],
  },
  ...AFTER_CALLS.map(
    ([name, source, wire, first, reply]): ReplyRow => ({
      name,
      source,
      wire,
      replies: [streamOf(wire, first), reply, textReply(wire, 'They say seven.')],
      code: 0,
      requests: 3,
      shows: ['sent again', 'They say seven.'],
      sends: ['The notes say seven.'],
    }),
  ),
];

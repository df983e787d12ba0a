import type { JsonObject } from '../../../conversation/conversation.ts';
import {
  findInBlocks,
  refuseBlockFields,
  refuseBlockRole,
  refuseForeignBlock,
  refuseLoneServerResult,
  refuseSystemPlace,
  refuseSystemRole,
  refuseWordlessError,
} from '../../checks/anthropic/blocks.ts';
import { limitPages, refuseDocument } from '../../checks/anthropic/documents.ts';
import {
  limitPicture,
  limitPictureBytes,
  limitPictures,
  refuseBrokenPicture,
  refuseOtherPicture,
  refusePictureType,
} from '../../checks/anthropic/pictures.ts';
import { objectsOf } from '../../raw.ts';
import type { Rule, Violation } from '../../service.ts';
import { rulesOver } from '../../share-rules.ts';

const MESSAGES = ['anthropic-messages'] as const;
/** The models before Claude 4.8, which take no system messages among the messages. */
const BEFORE_4_8 = /^(?:[a-z]+\.)*claude-(?:\d|[a-z]+-4(?:-[0-7])?(?!-?\d{1,2}(?!\d)))/;

const refuseMixedReferences = ({ content }: JsonObject): Violation | undefined =>
  new Set(objectsOf(content).map(({ type }) => type === 'tool_reference')).size > 1
    ? { message: 'Tool definitions/code execution functions cannot be mixed with other content' }
    : undefined;

export const ANTHROPIC_BLOCK_RULES: readonly Rule[] = rulesOver('anthropic', MESSAGES, {
  'picture-type': {
    refuses: 'a picture of another type than JPEG, PNG, GIF and WebP',
    accepts: '`image/png`',
    source: 'https://github.com/anthropics/claude-code/issues/8184',
    date: '2025-09-25',
    check: refusePictureType,
  },
  'other-picture': {
    models: /^(?:[a-z]+\.)*claude-(?!3)/,
    refuses: 'a picture whose bytes are of another type than its `media_type`, with Claude 4 and later',
    accepts: 'a PNG as `image/png`',
    source: 'https://github.com/home-assistant/core/issues/167208',
    date: '2026-04-02',
    check: refuseOtherPicture,
  },
  'broken-picture': {
    refuses: 'a picture whose bytes begin like no JPEG, PNG, GIF or WebP',
    accepts: 'a picture of one of these types',
    source: 'https://github.com/anthropics/claude-code/issues/12616',
    date: '2025-11-28',
    check: refuseBrokenPicture,
  },
  document: {
    refuses: 'a document in base64 of another type than PDF, and one whose bytes are not a PDF',
    accepts: 'a PDF; a text as `{"type":"text"}`',
    source: 'https://github.com/anthropics/claude-code/issues/5174',
    date: '2025-08-05',
    check: refuseDocument,
  },
  pages: {
    refuses: 'a PDF with more than 100 pages before Claude 4.6, and more than 600 since',
    accepts: '100 pages',
    source: 'https://github.com/anthropics/claude-code/issues/6231',
    date: '2025-08-21',
    check: limitPages,
  },
  'empty-error': {
    refuses: 'a result with `is_error: true` without content',
    accepts: 'one with a text',
    source: 'https://github.com/bytedance/trae-agent/pull/231',
    date: '2025-07-30',
    check: refuseWordlessError,
  },
  'block-role': {
    refuses: 'a call or thinking in a message of the user, or a result in one of the assistant',
    accepts: 'calls in answers, and results in messages of the user',
    source: 'https://github.com/microsoft/agent-framework/issues/4328',
    date: '2026-02-27',
    check: refuseBlockRole,
  },
  'picture-bytes': {
    refuses: 'a picture with more than 5,242,880 characters of base64',
    accepts: 'a smaller one',
    source: 'https://github.com/anthropics/claude-code/issues/10612',
    date: '2025-10-30',
    check: limitPictureBytes,
  },
  'picture-size': {
    refuses: 'a PNG with more than 8,000 pixels on a side',
    accepts: '8,000 pixels',
    source: 'https://github.com/can1357/oh-my-pi/pull/10633',
    date: '2026-09-03',
    check: limitPicture,
  },
  'pictures-size': {
    refuses: 'a PNG with more than 2,000 pixels on a side in a request with more than 20 pictures',
    accepts: 'the same with 20 pictures',
    source: 'https://github.com/anthropics/claude-code/issues/16173',
    date: '2026-01-03',
    check: limitPictures,
  },
  'block-fields': {
    refuses: 'a block with a field that it does not have, such as `text` in a call, or `cache_control` in thinking',
    accepts: 'their own fields',
    source: 'https://github.com/anthropics/claude-code/issues/4378',
    date: '2025-07-25',
    check: refuseBlockFields,
  },
  'block-type': {
    refuses: 'a block without `type`, or of a type of another API: `image_url`, `input_text`, `reasoning` …',
    accepts: '`text` and `image`',
    source: 'https://github.com/AstrBotDevs/AstrBot/pull/4444',
    date: '2026-01-13',
    check: refuseForeignBlock,
  },
  'mixed-references': {
    refuses: 'a `tool_reference` beside another block in the content of a result',
    accepts: 'references alone; a text in a result of its own',
    source: 'https://github.com/daseinlabs/parsec/issues/41',
    date: '2026-09-19',
    check: (request) => findInBlocks(request, refuseMixedReferences, 'tool_result')?.found,
  },
  'lone-server-result': {
    refuses:
      'the result of a tool of the server, such as `advisor_tool_result`, before which its turn has no call, and such a call without its result',
    accepts:
      'the result after its `server_tool_use`; a call of the last message, and one beside calls of the client, with its result after theirs',
    source: 'https://github.com/anthropics/claude-code/issues/64383',
    date: '2026-06-01',
    check: refuseLoneServerResult,
  },
  'system-role': {
    models: BEFORE_4_8,
    refuses: 'a message of the role `system`, before Claude 4.8',
    accepts: '`system` beside the messages; the role with Claude Opus 4.8 and later',
    source: 'https://github.com/biocypher/biochatter/pull/292',
    date: '2025-05-06',
    check: refuseSystemRole,
  },
  'system-place': {
    models: /^(?:[a-z]+\.)*claude-(?:[a-z]+-(?:4-[89]|[5-9]))/,
    refuses: 'a message of the role `system` at the start, before a message of the user, or without a word',
    accepts: 'one before an answer, and one at the end',
    source:
      'https://github.com/kangminlee-maker/local-OAuth-CLI-API-adapter/blob/main/test/anthropic-messages-validation-parity.test.mjs',
    date: '2026-08-31',
    check: refuseSystemPlace,
  },
});

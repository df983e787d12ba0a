import { refuseArguments, refuseEmptyAnswer, refuseMessage, requireUser } from '../checks/chat-messages.ts';
import { isSet, refuseIf } from '../checks/fields.ts';
import { limitAnswer } from '../checks/model-limits.ts';
import { ZAI_FAULT, ZAI_VALUES } from '../forms/open-models.ts';
import { formRules } from '../forms/stated-form.ts';
import { objectOf, objectsOf, textOf } from '../raw.ts';
import type { Service } from '../service.ts';
import { rulesOf } from '../share-rules.ts';
import { ZAI_FORM } from './answer-forms.ts';

/** The API of Z.AI, which is that of Zhipu. */
export const zai: Service = {
  name: 'zai',
  title: 'Z.AI',
  answers: ZAI_FORM,
  owns: /^glm-/,
  rules: [
    ...formRules('zai', ZAI_VALUES, {
      shape: {
        refuses:
          'a value of another type than the API reads: `temperature: "hot"`, `stream: "yes"`, `reasoning_effort: 5` …',
        accepts: '`temperature: 0.6`',
        source: 'https://docs.z.ai/api-reference/llm/chat-completion',
        date: '2026-11-30',
      },
      range: {
        refuses: 'a `temperature` or a `top_p` outside of 0 to 1, `max_tokens: 0`',
        accepts: '1',
        source: 'https://docs.z.ai/api-reference/llm/chat-completion',
        date: '2026-11-30',
      },
    }),
    ...rulesOf('zai', {
      'always-thinks': {
        models: /^glm-5\.[3-9]/,
        refuses: 'thinking turned off, and another effort than `low`, `high` and `max`, with GLM-5.3',
        accepts: '`thinking: {"type":"enabled"}`',
        source: 'https://docs.bigmodel.cn/cn/guide/capabilities/thinking',
        date: '2026-11-30',
        check: refuseIf(
          ({ thinking, reasoning_effort: effort }) =>
            objectOf(thinking)['type'] === 'disabled' ||
            (typeof effort === 'string' && !/^(?:low|high|max)$/.test(effort)),
          { message: '该模型始终思考，不支持关闭思考；请使用 low、high 或 max。', code: '1210' },
        ),
      },
      'tool-choice': {
        models: /^glm-(?:[5-9]|\d\d)/,
        refuses: 'another `tool_choice` than `auto`, with GLM-5 and later',
        accepts: '`auto`',
        source: 'https://github.com/vectorize-io/hindsight/issues/4246',
        date: '2026-09-09',
        check: refuseIf(({ tool_choice: choice }) => isSet(choice) && choice !== 'auto', {
          message: 'Tool choice must be auto',
          code: '1210',
        }),
      },
      'tool-type': {
        refuses: 'a tool without `type`',
        accepts: '`{"type":"function","function":{…}}`',
        source: 'https://github.com/musistudio/claude-code-router/issues/1004',
        date: '2025-11-15',
        check: ({ body }) => {
          const index = objectsOf(body['tools']).findIndex(({ type }) => !isSet(type));
          return index === -1 ? undefined : { message: `tools[${index}].type:type cannot be empty`, code: '1214' };
        },
      },
      'empty-text': {
        refuses: 'an empty text in a list of parts',
        accepts: 'a text with a word',
        source: 'https://github.com/agentscope-ai/QwenPaw/issues/287',
        date: '2026-03-02',
        check: ({ body }) => {
          for (const [index, { content }] of objectsOf(body['messages']).entries()) {
            const position = objectsOf(content).findIndex(({ type, text }) => type === 'text' && !text);
            if (position === -1) continue;
            return { message: `messages[${index}].content[${position}].text:text cannot be empty`, code: '1214' };
          }
          return undefined;
        },
      },
      'part-type': {
        models: /^glm-(?:[5-9]|4\.[5-9])(?!.*v)/,
        refuses: 'a part of another type than `text` to a text model: `tool_use`, `input_text` …',
        accepts: '`text`',
        source: 'https://github.com/block/buzz/issues/5701',
        date: '2026-08-12',
        check: refuseMessage(
          ({ content }) => objectsOf(content).some(({ type }) => textOf(type) !== 'text' && type !== 'image_url'),
          () => ({ message: "messages.content.type is invalid, allowed values: ['text']", code: '1210' }),
        ),
      },
      'output-limit': {
        refuses: 'a `max_tokens` above 131,072, or above 4,095 with GLM-3 and GLM-4',
        accepts: '131072; 4095 with GLM-4',
        source: 'https://github.com/mnfst/modelparams.dev/pull/327',
        date: '2026-08-22',
        check: limitAnswer('zai', ({ max }) =>
          max > 4095 ? ZAI_FAULT : { message: 'max_tokens参数非法。请检查文档。', code: '1214' },
        ),
      },
      'no-user': {
        refuses: 'a conversation without a message of the user',
        accepts: 'one message of the user',
        source: 'https://github.com/anomalyco/opencode/issues/2557',
        date: '2025-09-17',
        check: requireUser({
          message: 'The messages parameter is illegal. Please check the documentation.',
          code: '1214',
        }),
      },
      'empty-answer': {
        refuses: 'an answer without text and without calls',
        accepts: 'an answer with one of them',
        source: 'https://github.com/FoundationAgents/MetaGPT/issues/1309',
        date: '2024-05-29',
        check: refuseEmptyAnswer((index) => ({
          message: `messages[${index}]:content和tool_calls 字段不能同时为空`,
          code: '1214',
        })),
      },
      arguments: {
        refuses: 'arguments of a call that are not JSON',
        accepts: '`{}`',
        source: 'https://github.com/charmbracelet/crush/issues/1237',
        date: '2025-10-15',
        check: refuseArguments(() => ZAI_FAULT),
      },
    }),
  ],
  words: [[/^Invalid 'messages': empty array.*$/s, 'messages:输入不能为空']],
  // The codes of the API are numbers.
  encodeError: ({ message, code }) => ({
    error: { code: code?.startsWith('1') ? code : code === 'empty_array' ? '1214' : '1210', message },
  }),
};

import { refuseCallId, refuseRoleAfter } from '../checks/chat-messages.ts';
import type { Service } from '../service.ts';

/** Mistral's own API. */
export const mistral: Service = {
  name: 'mistral',
  title: 'Mistral',
  owns: /^(?:mistral|ministral|mixtral|magistral|devstral|codestral|pixtral|voxtral|open-mi[sx]tral|labs-(?:dev|mi|ma))/,
  rules: [
    {
      id: 'mistral/call-id',
      protocols: ['openai-chat'],
      refuses: 'the id of a call that is not nine letters and digits',
      accepts: 'an id of nine letters and digits',
      source: 'https://github.com/nearai/ironclaw/issues/1241',
      date: '2026-03-16',
      check: refuseCallId(/^[a-zA-Z0-9]{9}$/, (id) => ({
        message: `Tool call id was ${id} but must be a-z, A-Z, 0-9, with a length of 9.`,
        errorType: 'invalid_function_call',
        code: '3280',
      })),
    },
    {
      id: 'mistral/user-after-tool',
      protocols: ['openai-chat'],
      refuses: 'a message of the user right after the result of a call',
      accepts: 'an answer of the assistant between them',
      source: 'https://github.com/avante-corp/avante.nvim/pull/2695',
      date: '2025-09-07',
      check: refuseRoleAfter('user', 'tool', () => ({
        message: "Unexpected role 'user' after role 'tool'",
        errorType: 'invalid_request_message_order',
        code: '3230',
      })),
    },
  ],
  encodeError: ({ status, message, errorType = 'invalid_request_error', param = null, code }) => ({
    object: 'error',
    message,
    type: errorType,
    param,
    code,
    raw_status_code: status,
  }),
};

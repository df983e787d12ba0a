import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Conversation } from './conversation.ts';

/** Minimum length of a text that enters the digest as its length and checksum. */
const MIN_LARGE = 512;

export const MESSAGE_KINDS = ['user', 'tool results', 'assistant', 'assistant with calls'] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/**
 * The parts of a conversation, each as two numbers: a checksum and its length in characters. The first part is the whole
 * conversation without its messages, then come the system texts and the messages. Small enough to be kept for every
 * request.
 */
export interface Outline {
  /** Pairs of checksum and length. The length of a message is multiplied by 4, and the index of its kind is added. */
  readonly parts: Uint32Array;
  readonly systemTexts: number;
}

/** A digest and an outline of the same conversation. */
export interface DigestedConversation {
  readonly digest: string;
  readonly outline: Outline;
}

/**
 * Digest of a conversation, equal for equal conversations in any process, and its outline. Long texts, such as the files
 * that an agent has read, enter the digest by length and CRC-32, which takes a third of the time of a cryptographic
 * hash. Two conversations that differ only in such texts have the same digest with a probability of 2^-32; then only
 * their generated ids are equal.
 */
export function digestConversation(conversation: Conversation): DigestedConversation {
  const { system, messages } = conversation;
  const parts = new Uint32Array(2 * (1 + system.length + messages.length));
  let summary = JSON.stringify({ ...conversation, messages: undefined });
  parts[0] = crc32(summary);
  parts[1] = summary.length;
  let next = 2;
  for (const text of system) {
    parts[next++] = checksumOf(text);
    parts[next++] = text.length;
  }
  let checksum = 0;
  let size = 0;
  // The length before each text keeps different conversations from giving the same summary.
  const add = (text: string) => {
    const { length } = text;
    const sum = checksumOf(text);
    checksum = Math.imul(checksum ^ sum, FNV_PRIME) ^ length;
    size += length;
    summary += length < MIN_LARGE ? `,${length}:${text}` : `,${length}#${sum}`;
  };
  for (const message of messages) {
    const { role, index } = message;
    checksum = 0;
    size = 0;
    let kind = role === 'user' ? USER : ASSISTANT;
    summary += `;${role}${index}`;
    for (const part of message.parts) {
      summary += `.${part.type}`;
      switch (part.type) {
        case 'text':
          add(part.text);
          break;
        case 'tool_call':
          kind = CALLS;
          add(part.id);
          add(part.name);
          add(part.arguments);
          summary += part.input ?? '';
          if (part.position !== undefined) summary += JSON.stringify(part.position);
          break;
        case 'tool_result':
          kind = RESULTS;
          add(part.callId);
          add(part.content);
          summary += String(part.isError);
          break;
        default:
          part satisfies never;
      }
    }
    parts[next++] = checksum;
    parts[next++] = MESSAGE_KINDS.length * size + kind;
  }
  return { digest: hash('sha256', summary, 'hex'), outline: { parts, systemTexts: system.length } };
}

const USER = MESSAGE_KINDS.indexOf('user');
const RESULTS = MESSAGE_KINDS.indexOf('tool results');
const ASSISTANT = MESSAGE_KINDS.indexOf('assistant');
const CALLS = MESSAGE_KINDS.indexOf('assistant with calls');

const FNV_PRIME = 0x01000193;

/** CRC-32 of a long text. For a short one, FNV-1a takes half the time of a call into the library. */
function checksumOf(text: string): number {
  if (text.length >= MIN_LARGE) return crc32(text);
  let checksum = text.length;
  for (let index = 0; index < text.length; index++) {
    checksum = Math.imul(checksum ^ text.charCodeAt(index), FNV_PRIME);
  }
  return checksum;
}

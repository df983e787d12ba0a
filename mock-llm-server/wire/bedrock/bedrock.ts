import type { UnpairedResults } from '../../matching/pair-results.ts';
import { anthropicMessages } from '../anthropic/messages.ts';
import { badRequest } from '../body.ts';
import { describeUnpaired } from '../pairing.ts';
import type { Wire, WireError } from '../wire.ts';
import { awsParts, pathsOf } from './aws.ts';

/** Reports whether a path is one of the service. */
function owns(path: string): boolean {
  return path.startsWith('/model/');
}

/** Reports whether a client of Amazon has signed a request. */
function recognizes(headers: Readonly<Record<string, unknown>>): boolean {
  return headers['x-amz-date'] !== undefined;
}

/** The Converse API of Amazon Bedrock, and the count of tokens. */
export const bedrockConverse: Wire = {
  ...awsParts,
  protocol: 'bedrock-converse',
  paths: ['converse', 'converse-stream'].flatMap(pathsOf),
  routes: pathsOf('count-tokens').map((path) => ({
    method: 'POST',
    path,
    answer: async (request) => (await import('./invoke.ts')).countBedrock(request),
  })),
  callIdPrefix: 'tooluse_',
  owns,
  recognizes,
  read: async (request) => (await import('./converse.ts')).readConverse(request),
  pairing: 'right_after',
  unpaired,
};

/** The models of Amazon Bedrock in the protocols of their makers. */
export const bedrockInvoke: Wire = {
  ...awsParts,
  protocol: 'anthropic-messages',
  paths: ['invoke', 'invoke-with-response-stream'].flatMap(pathsOf),
  routes: [
    {
      method: 'POST',
      path: '/model/:model{[^/]*embed[^/]*}/invoke',
      answer: async (request) => (await import('./embeddings.ts')).answerBedrockEmbedding(request),
    },
  ],
  callIdPrefix: 'toolu_bdrk_',
  owns,
  recognizes,
  read: async (request) => (await import('./invoke.ts')).readInvoke(request),
  pairing: anthropicMessages.pairing,
  unpaired: anthropicMessages.unpaired,
};

function unpaired(results: UnpairedResults): WireError {
  const { index } = results;
  const path = (offset: number) => `messages.${index + offset}.content`;
  const sentences = describeUnpaired(results, {
    missing: (ids) => `Expected toolResult blocks at ${path(1)} for the following Ids: ${ids}`,
    orphans: (ids) =>
      `The number of toolResult blocks at ${path(0)} exceeds the number of toolUse blocks of previous turn. ` +
      `toolResult blocks without a toolUse block: ${ids}`,
  });
  return badRequest(sentences.join('. '), `messages.${index}`);
}

import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { onTestFinished } from 'vitest';
import * as z from 'zod';
import { ScenarioFileSchema } from '../../../mock-llm-server/scenario/format.ts';
import { createScenarioSet } from '../../../mock-llm-server/scenario/prepare.ts';
import { createMockServer } from '../../../mock-llm-server/server/app.ts';

/** A mock model in this process that records its requests. */
export interface RecordingServer {
  readonly url: string;
  /** The requests so far. */
  requests(): readonly { readonly headers: Readonly<Record<string, string>>; readonly body: string }[];
  /** The texts of all tool results in the last request, in order. */
  resultsInLastRequest(): readonly string[];
  /** The texts of all user messages in the last request, in order. */
  userTexts(): readonly string[];
  /** The text of the last user message in the last request. */
  lastUserText(): string | undefined;
}

const RequestSchema = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown().optional() })),
});

/**
 * Starts a server with the content of a scenario file; it is closed after the test. A request for which `answers` is
 * false, given its number from 1, gets no answer; one may wait for a promise.
 */
export async function startRecordingServer(
  content: unknown,
  answers: (request: number) => boolean | Promise<boolean> = () => true,
): Promise<RecordingServer> {
  const scenarios = createScenarioSet([{ file: 'test.json', content: ScenarioFileSchema.parse(content) }]);
  const app = createMockServer({ scenarios });
  const bodies: string[] = [];
  const allHeaders: Readonly<Record<string, string>>[] = [];
  const server = createAdaptorServer({
    overrideGlobalObjects: false,
    async fetch(request: Request) {
      allHeaders.push(Object.fromEntries(request.headers));
      bodies.push(await request.clone().text());
      if (!(await answers(bodies.length))) await new Promise<never>(() => {});
      return app.fetch(request);
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  );
  const textsOf = (wanted: string) => {
    const { messages } = RequestSchema.parse(JSON.parse(bodies.at(-1) ?? '{}'));
    return messages.filter(({ role }) => role === wanted).map(({ content: text }) => String(text));
  };
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    requests: () => bodies.map((body, index) => ({ body, headers: allHeaders[index] ?? {} })),
    resultsInLastRequest: () => textsOf('tool'),
    userTexts: () => textsOf('user'),
    lastUserText: () => textsOf('user').at(-1),
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error(`the server listens on ${address}`);
  return address.port;
}

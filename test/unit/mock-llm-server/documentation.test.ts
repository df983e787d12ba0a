import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { answerConversation } from '../../../mock-llm-server/answering/choose-reply.ts';
import { scenarioJsonSchema } from '../../../mock-llm-server/scenario/format.ts';
import { parseScenarioFile } from '../../../mock-llm-server/scenario/loading/parse.ts';
import { readYamlScenarioFile } from '../../../mock-llm-server/scenario/loading/read-file.ts';
import { createScenarioSet } from '../../../mock-llm-server/scenario/prepare.ts';
import { createMockServer } from '../../../mock-llm-server/server/app.ts';
import type { MockLlmFetchOptions, MockLlmOptions } from '../../../mock-llm-server/testing.ts';
import { gemini } from '../../../mock-llm-server/wire/gemini/gemini.ts';
import { NATIVE_STATUSES } from '../../../mock-llm-server/wire/status-error.ts';
import { WIRES } from '../../../mock-llm-server/wire/wires.ts';
import { fieldRows } from '../../../tooling/docs/field-rows.ts';
import { assistant, call, conversation, ok, user } from '../../support/stories/builders.ts';

const read = (name: string) => readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');
const examplesOf = (text: string) => [...text.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, json = '']) => json);
const page = read('scenario-reference.md');
const examples = examplesOf(page);

it.each(examplesOf(read('scenarios.md')))('docs/scenarios.md has an example that loads: %s', (text) => {
  expect(parseScenarioFile(text, 'docs/scenarios.md').scenarios.length).toBeGreaterThan(0);
});

describe('docs/scenario-reference.md', () => {
  it.each(examples.map((text, index) => [index, text] as const))('example %i loads', (_index, text) => {
    expect(parseScenarioFile(text, 'docs/scenario-reference.md').scenarios.length).toBeGreaterThan(0);
  });

  it('shows every field of the format in an example', () => {
    const shown = examples.join('\n');
    const names = fieldRows(scenarioJsonSchema()).map((row) => /`(?:.*\.)?([^.`]+)`/.exec(row)?.[1]);
    expect(names.filter((name) => !shown.includes(`"${name}":`))).toEqual([]);
  });

  it('shows the first example as YAML with the same content', async () => {
    const [, yaml = ''] = /^```yaml\n([\s\S]*?)^```$/m.exec(page) ?? [];
    const { $schema, ...same } = parseScenarioFile(examples[0] ?? '', 'greeting.json');
    expect(await readYamlScenarioFile(yaml, 'greeting.yaml')).toEqual(same);
    expect(yaml).toContain(`# yaml-language-server: $schema=${$schema}\n`);
  });

  it('has a first example that writes a file and then answers', () => {
    const content = parseScenarioFile(examples[0] ?? '', 'greeting.json');
    const set = createScenarioSet([{ file: 'greeting.json', content }]);
    const prompt = user('Please write a greeting.');
    const first = answerConversation(conversation(prompt), set, 'call_');
    const id = first.type === 'reply' ? (first.reply.toolCalls[0]?.id ?? '') : '';
    const second = answerConversation(conversation(prompt, [call(id)], ok(id)), set, 'call_');
    expect([first, second]).toMatchObject([
      { reply: { toolCalls: [{ name: 'write_file' }], source: { step: 0 } } },
      { reply: { content: 'hello.txt contains a greeting.', source: { step: 1 } } },
    ]);
  });

  it('has an example of a text protocol that answers both forms of a result block', () => {
    const content = parseScenarioFile(examples.find((text) => text.includes('tools-in-text')) ?? '', 'text.json');
    const set = createScenarioSet([{ file: 'text.json', content }]);
    const asked = [user('Which version is it?'), assistant('<tool_call id="a">cat package.json</tool_call>')];
    const blocks = ['<tool_resp id="a">\n1.2.3\n</tool_resp>', '<tool_resp id="a" #x>\n1.2.3\n</#x>'];
    for (const block of blocks) {
      const answer = answerConversation(conversation(...asked, block), set, 'call_');
      expect(answer).toMatchObject({ reply: { content: 'It says: 1.2.3' } });
    }
  });

  it.each([
    ['/v1/chat/completions', 'The model `nope` does not exist'],
    ['/v1/messages', 'model: nope'],
    ['/v1beta/models/nope:generateContent', 'models/nope is not found'],
    ['/api/chat', "model 'nope' not found"],
  ])('has an example that refuses unknown models with the message of the provider: %s', async (path, message) => {
    const content = parseScenarioFile(examples.find((text) => text.includes('no-such-model')) ?? '', 'models.json');
    const app = createMockServer({ scenarios: createScenarioSet([{ file: 'models.json', content }]) });
    const prompt = path.startsWith('/v1beta/')
      ? { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }
      : { messages: [{ role: 'user', content: 'hi' }] };
    const ask = async (model: string) => {
      const headers = { 'anthropic-version': '2023-06-01' };
      const limit = path === '/v1/messages' ? { max_tokens: 9 } : {};
      const body = JSON.stringify({ model, ...limit, ...prompt });
      const answer = await app.request(path.replace('nope', model), { method: 'POST', headers, body });
      return `${answer.status} ${await answer.text()}`;
    };
    expect(await ask('nope')).toMatch(/^404 /);
    expect(await ask('nope')).toContain(message);
    expect(await ask('gpt-5')).toMatch(/^400 .*matches/);
  });

  it('shows the message for a misspelled field', () => {
    const broken = (examples[0] ?? '').replace('"arguments"', '"argments"');
    const [, message = 'none'] = /^mock-llm-server: (.*\n {2}fix: .*)$/m.exec(page) ?? [];
    expect(() => parseScenarioFile(broken, 'greeting.json')).toThrow(expect.objectContaining({ message }));
  });
});

/** The start of a path below a base of another service, in a route. */
const OTHER_BASE =
  / \/(?:openai\/deployments\/[^/]+|openai\/v1|openai|v1beta\/openai|api\/v1|backend-api\/codex|beta|inference\/v1|compatible-mode\/v1|api\/paas\/v4|api\/coding\/paas\/v4|coding\/v1|(?:api\/|apps\/)?anthropic\/v1|v1\/projects\/:project\/locations\/:location\/endpoints\/:endpoint)\//;
/** The start of a path of Vertex AI, with a version of its own. */
const VERTEX_BASE = /\/v1(?:beta1)?\/(?:projects\/:project\/locations\/:location\/)?publishers\/:publisher\//;

/** The start of a path of Amazon Bedrock. */
const AT_BEDROCK = / \/model\/(?::model(?:\{[^}]*\})?|:arn\/:profile)\//;

const ANTHROPIC_AT_VERTEX = '/publishers/anthropic/';

describe('docs/mock-llm-server.md', () => {
  const manual = read('mock-llm-server.md');

  it('names every option of the functions, and those of only one of them', () => {
    const table = manual.slice(manual.indexOf('| Option |'), manual.indexOf('An invalid scenario'));
    const rows = [...table.matchAll(/^\| `(\w+)` \| (`startMockLlm` only: )?/gm)];
    const named = rows.map(([, name = '', only]) => [name, only === undefined]);
    expect(Object.fromEntries(named)).toEqual(OPTIONS);
  });

  it('names every route of every protocol', () => {
    const table = manual.slice(manual.indexOf('| Route |'), manual.indexOf('No key is needed'));
    const named = [...table.matchAll(/`((?:GET|HEAD|POST) [^`]+)`/g)].map(([, route = '']) => route);
    const served = WIRES.flatMap((wire) =>
      [...wire.paths.map((path) => `POST ${path}`), ...wire.routes.map(({ method, path }) => `${method} ${path}`)]
        // docs/protocols.md names those of Anthropic, of interactions, of embeddings and of the list of models at Vertex AI.
        .filter((route) => !route.includes(ANTHROPIC_AT_VERTEX) && !route.includes('/:location/interactions'))
        .filter((route) => !route.includes('/publishers/google/models') && !route.includes(':predict'))
        // One row stands for the names and the ARNs of models, and for those of embeddings.
        .map((route) => route.replace(AT_BEDROCK, ' /model/{model}/'))
        .map((route) =>
          route.replace(/:(\w+)(?:\{\.\+(.*)\})?$/, (_all, name, rest = '') => `{${nameOf(name, route)}}${rest}`),
        )
        // The page has one row for the three versions, and none for the bases of other services.
        .map((route) => route.replace(VERTEX_BASE, '/v1beta/'))
        .map((route) => (wire.protocol.startsWith('gemini') ? route.replace(/\/v1(?:alpha)?\//, '/v1beta/') : route))
        .map((route) => route.replace(OTHER_BASE, ' /v1/')),
    );
    const own = ['GET /health', 'GET /__mock', 'GET /__mock/journal', 'GET /__mock/verify', 'GET /__mock/scenarios'];
    expect(named.toSorted()).toEqual([...new Set([...served, ...own])].toSorted());
  });
});

describe('docs/protocols.md', () => {
  it('names every path below which services have a protocol', () => {
    const [, bases = ''] = read('protocols.md').split(/^## (?:Base URLs|Absent)\n/m);
    const named = [...bases.matchAll(/^\| `([^`?]*)/gm)].map(([, base]) => base);
    const served = WIRES.flatMap(({ protocol, paths }) => {
      const [, end] = /(\/[a-z]+(?:\/completions)?)$/.exec(paths[0] ?? '') ?? [];
      if (
        end === undefined ||
        protocol === 'bedrock-converse' ||
        protocol.startsWith('gemini') ||
        protocol === 'ollama'
      )
        return [];
      const own = paths.filter((path) => !path.includes(ANTHROPIC_AT_VERTEX) && !path.startsWith('/model/'));
      return own.map((path) =>
        path
          .slice(0, -end.length)
          .replace(':deployment', '{name}')
          .replaceAll(/:(\w+)/g, '{$1}'),
      );
    });
    expect(named.toSorted()).toEqual([...new Set(served)].filter((base) => base !== '').toSorted());
  });

  const [, section = ''] = read('protocols.md').split('\n## Gemini\n');
  const errors = (/^- \*\*Errors\*\*[\s\S]*?(?=^- |^$)/m.exec(section)?.[0] ?? '').replaceAll(/\s+/g, ' ');
  it('names the status of every error for which providers have words of their own, and no other', () => {
    const named = [...errors.matchAll(/`([A-Z_]+)`\s\((\d{3}(?:, \d{3})*)/g)].flatMap(([, name, codes = '']) =>
      codes.split(', ').map((code) => [Number(code), name]),
    );
    // Only Anthropic has the status 529.
    const sent = NATIVE_STATUSES.flatMap((status) => {
      if (status === 529) return [];
      const body = gemini.encodeError({ type: 'error', status, code: null, message: 'm' });
      return [[status, z.object({ error: z.object({ status: z.string() }) }).parse(body).error.status]];
    });
    expect(named.toSorted()).toEqual(sent.toSorted());
  });
});

/** Every option; true if both functions take it. */
const OPTIONS: Readonly<Record<keyof MockLlmOptions, boolean>> & Readonly<Record<keyof MockLlmFetchOptions, true>> = {
  scenarios: true,
  default_response: true,
  lint: true,
  as: true,
  allow: true,
  limits: true,
  drift: true,
  chaos: true,
  log: true,
  clock: true,
  port: false,
  host: false,
  token: false,
  allowHosts: false,
};

function nameOf(name: string, route: string): string {
  return route.includes('/models/') ? 'model' : name;
}

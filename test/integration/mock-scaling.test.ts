import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import * as z from 'zod';
import { parseArguments } from '../../mock-llm-server/arguments.ts';
import { loadScenarioFiles } from '../../mock-llm-server/load.ts';
import { nodeScenarioFiles } from '../../mock-llm-server/node-scenario-files.ts';
import { readStory } from '../../src/cli/load-stories.ts';

const root = path.join(import.meta.dirname, '../..');
const main = path.join(root, 'mock-llm-server/main.ts');
const stories = path.join(root, 'scenarios');

async function start() {
  const args = [main, '--port', '0', '--scenarios', stories, '--no-watch'];
  const child = execa(process.execPath, args, { reject: false, stdin: 'ignore', stderr: 'ignore' });
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (line) => resolve(JSON.parse(line).url));
    child.then(({ exitCode }) => reject(new Error(`ended with ${exitCode}`)), reject);
  });
  const stop = async () => {
    child.kill();
    await child;
  };
  return { url, stop };
}

let servers: readonly Awaited<ReturnType<typeof start>>[] = [];
beforeAll(async () => {
  servers = await Promise.all([start(), start()]);
});
afterAll(() => Promise.all(servers.map(({ stop }) => stop())));

const MessageSchema = z.object({
  content: z.string().nullable(),
  tool_calls: z.array(z.looseObject({ id: z.string() })).optional(),
});
const CompletionSchema = z.object({ choices: z.tuple([z.object({ message: z.looseObject(MessageSchema.shape) })]) });

/** Status, headers and body of one answer, without what HTTP itself adds. */
async function ask(url: string, pathname: string, body: unknown): Promise<string> {
  const headers = { 'anthropic-version': '2023-06-01', 'x-api-key': 'unused' };
  const response = await fetch(url + pathname, { method: 'POST', body: JSON.stringify(body), headers });
  const ownHeaders = [...response.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name));
  return JSON.stringify([response.status, ownHeaders, await response.text()]);
}

/** Asks both processes and wants the same bytes; gives them. */
async function askBoth(pathname: string, body: unknown): Promise<string> {
  const [first = '', second] = await Promise.all(servers.map(({ url }) => ask(url, pathname, body)));
  expect(first).toBe(second);
  return first;
}

// For steps that say what they want instead of a tool.
const tools = ['read_file', 'write_file', 'edit_file', 'run_shell', 'list_files', 'search_files'].map((name) => {
  const properties = Object.fromEntries(
    ['path', 'content', 'command', 'old_text', 'new_text', 'pattern'].map((key) => [key, { type: 'string' }]),
  );
  return { type: 'function', function: { name, parameters: { type: 'object', properties } } };
});

/** Plays a story to its end; every second turn is answered by the other process. Returns the number of answers. */
async function play(prompt: string): Promise<number> {
  const messages: unknown[] = [{ role: 'user', content: prompt }];
  for (let turn = 1; turn < 50; turn += 1) {
    await askBoth('/v1/chat/completions', { model: 'm', tools, messages, stream: true });
    const bytes = await askBoth('/v1/chat/completions', { model: 'm', tools, messages });
    const [status, , body]: unknown[] = JSON.parse(bytes);
    expect(status, `${prompt}, turn ${turn}: ${bytes}`).toBe(200);
    const { message } = CompletionSchema.parse(JSON.parse(String(body))).choices[0];
    if (message.tool_calls === undefined) return turn;
    messages.push(message);
    for (const { id } of message.tool_calls) messages.push({ role: 'tool', tool_call_id: id, content: 'ok' });
  }
  throw new Error(`${prompt} does not end`);
}

describe('two processes', () => {
  it('answer every turn of every story byte for byte alike, streamed and not', async () => {
    const files = await loadScenarioFiles([stories], nodeScenarioFiles);
    const disk = { ...nodeScenarioFiles, resolve: path.resolve };
    const played = await Promise.all(files.map(({ file, content }) => readStory(file, content, disk)));
    const prompts = played.flatMap(({ story }) => story.prompts);
    expect(prompts.length).toBeGreaterThanOrEqual(files.length);
    const turns = await Promise.all(prompts.map(play));
    expect(turns.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(2 * prompts.length);
  });

  it.each([
    ['/v1/chat/completions', { messages: [{ role: 'user', content: '' }] }],
    ['/v1/chat/completions', { messages: [{ role: 'tool', tool_call_id: 'x', content: '' }] }],
    ['/v1/chat/completions', 'nothing'],
    ['/v1/messages', { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hello world' }] }],
    ['/v1/responses', { model: 'm', input: 'hello world' }],
    ['/v1beta/models/m:generateContent', { contents: [{ role: 'user', parts: [{ text: 'hello world' }] }] }],
    ['/api/chat', { model: 'm', messages: [{ role: 'user', content: 'hello world' }] }],
    ['/nope', {}],
  ])('answer alike at %s to %j', async (pathname, body) => {
    await askBoth(pathname, body);
  });
});

describe('docs/scaling.md', () => {
  const page = readFileSync(path.join(root, 'docs/scaling.md'), 'utf8');
  const block = (language: string) =>
    new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page)?.[1] ?? '';
  const ProbeSchema = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) });
  const ContainerSchema = z.object({
    command: z.array(z.string()),
    args: z.array(z.string()),
    env: z.array(z.looseObject({ name: z.string() })),
    ports: z.array(z.object({ name: z.string(), containerPort: z.number() })),
    readinessProbe: ProbeSchema,
    livenessProbe: ProbeSchema,
    volumeMounts: z.array(z.looseObject({ name: z.string(), mountPath: z.string() })),
  });
  const LabelsSchema = z.record(z.string(), z.string());
  const DeploymentSchema = z.object({
    kind: z.literal('Deployment'),
    spec: z.object({
      replicas: z.int().min(2),
      selector: z.object({ matchLabels: LabelsSchema }),
      template: z.object({
        metadata: z.object({ labels: LabelsSchema }),
        spec: z.object({
          containers: z.tuple([ContainerSchema]),
          volumes: z.array(z.looseObject({ name: z.string() })),
        }),
      }),
    }),
  });
  const ServiceSchema = z.object({
    kind: z.literal('Service'),
    metadata: z.object({ name: z.string() }),
    spec: z.object({ selector: LabelsSchema, ports: z.array(z.object({ targetPort: z.string() })) }),
  });

  it('shows a Deployment that starts the command as it is', () => {
    const documents = parseAllDocuments(block('yaml'));
    expect(documents.flatMap((document) => document.errors)).toEqual([]);
    const [deployment, service] = documents.map((document): unknown => document.toJS());
    const { selector, template } = DeploymentSchema.parse(deployment).spec;
    const { metadata, spec } = ServiceSchema.parse(service);
    expect([selector.matchLabels, spec.selector]).toEqual([template.metadata.labels, template.metadata.labels]);
    const [container] = template.spec.containers;
    const { bin }: { bin: Record<string, string> } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    expect(Object.keys(bin)).toContain(container.command.at(-1));
    const [port] = container.ports;
    expect(parseArguments(container.args)).toEqual({
      ...parseArguments([]),
      host: '0.0.0.0',
      port: port?.containerPort,
      allowHosts: [metadata.name],
      scenarios: [container.volumeMounts[0]?.mountPath],
      watch: false,
    });
    for (const { httpGet } of [container.readinessProbe, container.livenessProbe]) {
      expect(httpGet).toEqual({ path: '/health', port: port?.name });
    }
    expect(spec.ports.map(({ targetPort }) => targetPort)).toEqual([port?.name]);
    expect(container.env.map(({ name }) => name)).toContain('MOCK_LLM_SERVER_TOKEN');
    expect(template.spec.volumes.map(({ name }) => name)).toEqual(container.volumeMounts.map(({ name }) => name));
  });

  it('shows the processes that its nginx names', () => {
    const upstream = [...block('nginx').matchAll(/server 127\.0\.0\.1:(\d+);/g)].map(([, port]) => Number(port));
    const commands = [...block('sh').matchAll(/^mock-llm-server (.*)$/gm)].map(([, args = '']) => args.split(' '));
    expect(commands.map((args) => parseArguments(args))).toEqual(
      upstream.map((port) => ({ ...parseArguments([]), port, scenarios: ['scenarios'], watch: false })),
    );
    expect(upstream).toHaveLength(2);
    expect(block('nginx')).toMatch(/proxy_set_header Host localhost;/);
  });
});

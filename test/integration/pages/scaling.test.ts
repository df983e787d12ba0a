import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import * as z from 'zod';
import { parseArguments } from '../../../mock-llm-server/cli/arguments.ts';
import { parserOptions, readInvocation } from '../../../src/cli/command-line/arguments.ts';

const root = path.join(import.meta.dirname, '../../..');

describe('docs/scaling.md', () => {
  const page = readFileSync(path.join(root, 'docs/scaling.md'), 'utf8');
  const block = (language: string) =>
    new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page)?.[1] ?? '';
  const ProbeSchema = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) });
  const ManifestSchema = z.object({ bin: z.record(z.string(), z.string()), version: z.string() });
  const ContainerSchema = z.object({
    image: z.string(),
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

  it('shows a Deployment that starts the command', async () => {
    const documents = parseAllDocuments(block('yaml'));
    expect(documents.flatMap((document) => document.errors)).toEqual([]);
    const [deployment, service] = documents.map((document): unknown => document.toJS());
    const { selector, template } = DeploymentSchema.parse(deployment).spec;
    const { metadata, spec } = ServiceSchema.parse(service);
    expect([selector.matchLabels, spec.selector]).toEqual([template.metadata.labels, template.metadata.labels]);
    const [container] = template.spec.containers;
    const { bin, version } = ManifestSchema.parse(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')));
    expect(Object.keys(bin)).toContain(container.command.at(0));
    expect(block('dockerfile')).toContain(`npm install --global /tmp/ybs-${version}.tgz`);
    expect(page).toContain(`docker build --tag ${container.image} .`);
    expect(container.image.split(':').at(-1)).toBe(version);
    const [port] = container.ports;
    expect(await parseArguments(container.args)).toEqual({
      ...(await parseArguments([])),
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

  it('shows the processes to which its nginx forwards', async () => {
    const upstream = [...block('nginx').matchAll(/server 127\.0\.0\.1:(\d+);/g)].map(([, port]) => Number(port));
    const commands = [...block('sh').matchAll(/^mock-llm-server (.*)$/gm)].map(([, args = '']) => args.split(' '));
    const defaults = await parseArguments([]);
    expect(await Promise.all(commands.map(parseArguments))).toEqual(
      upstream.map((port) => ({ ...defaults, port, scenarios: ['scenarios'], watch: false })),
    );
    expect(upstream).toHaveLength(2);
    expect(block('nginx')).toMatch(/proxy_set_header Host localhost;/);
  });

  const yamlBlocks = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);
  const parse = (text: string): unknown => {
    const [document] = parseAllDocuments(text);
    expect(document?.errors).toEqual([]);
    return document?.toJS();
  };
  /** The options that `ybs` reads from a command of a page, without the redirection of its output. */
  const optionsOf = (command: string, word: string) => {
    const [, words = ''] = new RegExp(`ybs ${word} (.*?)(?: >|$)`).exec(command) ?? [];
    const args = [word, ...words.split(' ')];
    const { tokens } = parseArgs({
      args,
      options: parserOptions(),
      strict: false,
      allowPositionals: true,
      tokens: true,
    });
    return readInvocation(tokens);
  };

  it('shows a workflow that plays every shard and merges their reports', () => {
    const StepsSchema = z.object({ steps: z.array(z.looseObject({ run: z.string().optional() })) });
    const WorkflowSchema = z.object({
      jobs: z.object({
        play: StepsSchema.extend({ strategy: z.looseObject({ matrix: z.object({ shard: z.array(z.int()) }) }) }),
        merge: StepsSchema,
      }),
    });
    const { play, merge } = WorkflowSchema.parse(parse(yamlBlocks[1] ?? '')).jobs;
    const [played = '', merged = ''] = [play, merge].map(
      ({ steps }) => steps.find(({ run }) => run?.includes('ybs test'))?.run,
    );
    const shards = play.strategy.matrix.shard.map((shard) => {
      const invocation = optionsOf(played.replaceAll(/\$\{\{ matrix\.shard \}\}/g, String(shard)), 'test');
      return invocation.type === 'test' ? invocation.options.shard : invocation;
    });
    expect(shards).toEqual(['1/4', '2/4', '3/4', '4/4']);
    expect(optionsOf(merged, 'test')).toMatchObject({
      type: 'test',
      stories: [1, 2, 3, 4].map((shard) => `report-${shard}.json`),
      options: { merge: true, reporter: 'junit' },
    });
  });

  it('shows a Job whose Pods evaluate one shard each', () => {
    const JobSchema = z.object({
      spec: z.looseObject({
        completionMode: z.literal('Indexed'),
        completions: z.int(),
        template: z.looseObject({
          spec: z.looseObject({ containers: z.tuple([z.looseObject({ args: z.tuple([z.string()]) })]) }),
        }),
      }),
    });
    const { spec } = JobSchema.parse(parse(yamlBlocks[2] ?? ''));
    const [command] = spec.template.spec.containers[0].args;
    const invocation = optionsOf(command.replaceAll('$((JOB_COMPLETION_INDEX + 1))', '3'), 'eval');
    if (invocation.type !== 'subcommand') throw new Error('not a subcommand');
    expect(Object.fromEntries(invocation.ownOptions)).toMatchObject({
      shard: [`3/${spec.completions}`],
      variant: ['main=main.json', 'short=short.json'],
      timings: ['stories/timings.json'],
    });
  });
});

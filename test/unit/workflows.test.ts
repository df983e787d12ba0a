import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';

const root = path.join(import.meta.dirname, '../..');
const directory = path.join(root, '.github/workflows');
const names = readdirSync(directory).toSorted();
const read = (name: string): string => readFileSync(path.join(directory, name), 'utf8');

const StepSchema = z.looseObject({
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
});
const PermissionsSchema = z.record(z.string(), z.string());
const WorkflowSchema = z.looseObject({
  permissions: PermissionsSchema,
  jobs: z.record(z.string(), z.looseObject({ permissions: PermissionsSchema.optional(), steps: z.array(StepSchema) })),
});

/** Parts of a workflow that its author would not notice if somebody else changed them. One line each. */
function problemsOf(text: string): readonly string[] {
  const { permissions, jobs } = WorkflowSchema.parse(parse(text));
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  return [
    ...Object.entries(permissions).flatMap(([name, access]) => (access === 'read' ? [] : [`permission ${name}`])),
    ...steps.flatMap(({ uses = '', with: options = {} }) => [
      ...(uses !== '' && !/^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/.test(uses) ? [`not pinned: ${uses}`] : []),
      ...(uses.startsWith('actions/checkout@') && options['persist-credentials'] !== false ? ['credentials stay'] : []),
    ]),
    ...[...text.matchAll(/^\s*-?\s*uses:.*$/gm)].flatMap(([line]) =>
      / # v\d+\.\d+\.\d+$/.test(line) ? [] : [`no version: ${line.trim()}`],
    ),
    ...steps.flatMap(({ run = '' }) =>
      [...run.matchAll(/^.*\bnpm (?:ci|install|i)\b.*$/gm)].flatMap(([line]) =>
        /--ignore-scripts|--dry-run/.test(line) ? [] : [`runs install scripts: ${line}`],
      ),
    ),
  ];
}

describe('the workflows', () => {
  it.each(names)('%s pins its actions, gives few permissions and runs no install script', (name) => {
    expect(problemsOf(read(name))).toEqual([]);
  });

  it('of docs/ci.md also do so, except that one writes comments', () => {
    const page = readFileSync(path.join(root, 'docs/ci.md'), 'utf8');
    const blocks = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text = '']) => problemsOf(text));
    expect(blocks).toEqual([['permission pull-requests'], []]);
  });

  it('are reported with such problems', () => {
    const text = `
permissions:
  contents: write
jobs:
  test:
    steps:
      - uses: actions/checkout@v7
      - uses: actions/setup-node@820762786026740c76f36085b0efc47a31fe5020
      - run: |
          npm ci
          npm test
`;
    expect(problemsOf(text)).toEqual([
      'permission contents',
      'not pinned: actions/checkout@v7',
      'credentials stay',
      'no version: - uses: actions/checkout@v7',
      'no version: - uses: actions/setup-node@820762786026740c76f36085b0efc47a31fe5020',
      'runs install scripts: npm ci',
    ]);
  });

  it('pin one commit for one version of an action', () => {
    const pins = names.flatMap((name) =>
      [...read(name).matchAll(/uses: (\S+)@([0-9a-f]{40}) # (v\S+)/g)].map(([, action, commit, version]) => ({
        key: `${action} ${version}`,
        commit,
      })),
    );
    expect(pins.length).toBeGreaterThan(10);
    const pairs = new Set(pins.map(({ key, commit }) => `${key} ${commit}`));
    expect(pairs.size).toBe(new Set(pins.map(({ key }) => key)).size);
  });

  it('check the signatures of installed packages, and release with provenance and a bill of materials', () => {
    expect(read('ci.yml')).toContain('npm audit signatures');
    const release = read('release.yml');
    for (const part of [
      'npm audit signatures',
      '--provenance',
      'npm sbom',
      'attest-build-provenance@',
      'id-token: write',
    ])
      expect(release).toContain(part);
  });
});

it('every dependency with an install script is allowed or denied by name, and others fail the installation', () => {
  const json = (file: string): unknown => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
  const lock = z
    .looseObject({ packages: z.record(z.string(), z.looseObject({ hasInstallScript: z.boolean().optional() })) })
    .parse(json('package-lock.json'));
  const { allowScripts } = z
    .looseObject({ allowScripts: z.record(z.string(), z.boolean()) })
    .parse(json('package.json'));
  const withScript = Object.entries(lock.packages).flatMap(([file, { hasInstallScript }]) =>
    hasInstallScript === true && file !== '' ? [file.replace(/^.*node_modules\//, '')] : [],
  );
  expect(new Set(withScript)).toEqual(new Set(Object.keys(allowScripts)));
  expect(readFileSync(path.join(root, '.npmrc'), 'utf8')).toContain('strict-allow-scripts=true\n');
});

import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { SDK_CHECKS } from '../../support/sdk-checks.ts';
import { SDK_LACKS } from '../../support/sdk-lacks.ts';

const root = new URL('../../../', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, root), 'utf8');
const LockSchema = z.object({ packages: z.record(z.string(), z.looseObject({ version: z.string().optional() })) });
const { packages } = LockSchema.parse(JSON.parse(read('package-lock.json')));
const page = read('docs/protocols.md');
const section = /\n## Checked with\n([\s\S]*?)(?=\n## |$)/.exec(page)?.[1] ?? '';

const ROW = /^\| `(?<name>[^`]+)` \| (?<version>[^|]+) \| (?<protocols>[^|]+) \| (?<tests>[^|]+) \|$/gm;
const rows = [...section.matchAll(ROW)].map(({ groups }) => ({
  name: groups?.['name'] ?? '',
  version: groups?.['version'],
  tests: [...(groups?.['tests'] ?? '').matchAll(/`([^`]+)`/g)].map(
    ([, file = '']) => `test/integration/${file}.test.ts`,
  ),
}));

it('docs/protocols.md names the SDKs, no less than their tests', () => {
  const tests = readdirSync(new URL('test/integration', root)).filter((name) => /^sdk-/.test(name));
  const named = new Set(rows.flatMap((row) => row.tests));
  expect(tests.map((name) => `test/integration/${name}`).filter((file) => !named.has(file))).toEqual([]);
});

it.each(rows)('docs/protocols.md has the version of $name, and the tests that use it', ({ name, version, tests }) => {
  expect(version).toBe(packages[`node_modules/${name}`]?.version);
  expect(tests.length).toBeGreaterThan(0);
  for (const test of tests) expect(read(test)).toMatch(new RegExp(`from '${name}['/]`));
});

it('docs/protocols.md lists what is checked over all SDKs, and what one of them lacks', () => {
  expect(section).toContain(`\n${SDK_CHECKS.map(([name]) => `- ${name}`).join('\n')}\n`);
  const checks = new Set(SDK_CHECKS.map(([name]) => name));
  expect(SDK_LACKS.filter(([, check]) => !checks.has(check))).toEqual([]);
  const lacks = SDK_LACKS.map((row) => `| ${row.join(' | ')} |`);
  expect(section).toContain(`\n| --- | --- | --- |\n${lacks.join('\n')}\n`);
});

import { describe, expect, it } from 'vitest';
import type { SessionOptions } from '../../../../src/app/settings.ts';
import { readVariant, readVariants } from '../../../../src/stories/evaluation/variants.ts';

const resolve = (file: string) => `/work/${file}`;

describe('the variants of a command line', () => {
  it('are names with files, or the unchanged configuration', () => {
    expect(readVariants(['a=x.json', 'b-1.0=y=z.json'], resolve)).toEqual([
      { name: 'a', file: '/work/x.json' },
      { name: 'b-1.0', file: '/work/y=z.json' },
    ]);
    expect(readVariants([], resolve)).toEqual([{ name: 'default', file: undefined }]);
  });

  it.each([
    [['a.json'], '--variant "a.json" is not NAME=FILE.'],
    [['a='], '--variant "a=" is not NAME=FILE.'],
    [['<b>=x'], '--variant "<b>=x" is not NAME=FILE.'],
    [['a=x', 'a=y'], 'Two variants have the name a.'],
  ])('are rejected as %j', (values, message) => {
    expect(() => readVariants(values, resolve)).toThrow(message);
  });
});

describe('a variant', () => {
  const read = (origins: Readonly<Record<string, string>>, warnings: readonly string[] = []) => {
    const asked: SessionOptions[] = [];
    const ports = {
      readKeys: async () => Object.keys(origins),
      async readConfig(options: SessionOptions) {
        asked.push(options);
        return { origins: new Map(Object.entries(origins)), warnings };
      },
    };
    return readVariant({ name: 'a', file: '/a.json' }, { dryRun: false }, ports).then((variant) => ({
      variant,
      asked,
    }));
  };

  it('has the keys of its file, if all of them have an effect', async () => {
    const { variant, asked } = await read({ 'llm.model': '/a.json', 'llm.endpoint': '/a.json, profile x' });
    expect(variant).toEqual({ name: 'a', file: '/a.json', keys: new Set(['llm.model', 'llm.endpoint']) });
    expect(asked).toEqual([{ dryRun: false, variant: '/a.json' }]);
  });

  it('is rejected if something takes precedence over it, or if it has an unknown key', async () => {
    await expect(read({ 'llm.model': 'command line' })).rejects.toThrow(
      'The variant a sets llm.model, but command line takes precedence.',
    );
    await expect(read({}, ['/b.json: no matter', '/a.json:1:2: unknown key "promt"'])).rejects.toThrow(
      'The variant a cannot be used: /a.json:1:2: unknown key "promt"',
    );
  });

  it('without a file is the unchanged configuration', async () => {
    const ports = { readKeys: () => Promise.reject(new Error('x')), readConfig: () => Promise.reject(new Error('x')) };
    const variant = await readVariant({ name: 'default', file: undefined }, { dryRun: false }, ports);
    expect(variant).toEqual({ name: 'default', file: undefined, keys: new Set() });
  });
});

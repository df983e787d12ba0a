import { describe, expect, it } from 'vitest';
import { tryFeatures } from '../../../../tooling/docs/service-features.ts';

describe('tryFeatures', () => {
  it('finds services that refuse a feature, and those that accept it', async () => {
    const rows = new Map((await tryFeatures()).map(({ feature, refusing }) => [feature, refusing]));
    expect(rows.get('a picture')).toEqual(expect.arrayContaining(['deepseek', 'groq', 'vllm']));
    expect(rows.get('a picture')).not.toContain('openai');
    expect(rows.get('`content: null` beside calls')).toEqual(['xai']);
    expect(rows.get('a named `tool_choice`')).toContain('lmstudio');
    expect([...rows.values()].filter((refusing) => refusing.length > 15)).toEqual([]);
  });
});

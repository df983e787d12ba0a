import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '../..');
const docs = readdirSync(path.join(root, 'docs')).map((name) => `docs/${name}`);
const pages = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'scenarios/README.md', ...docs];

/** The lines of prose that are too long, with their numbers. Tables and what stands in fences are none. */
function longLines(text: string): string[] {
  // What takes the place of a fence keeps its lines.
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, (block) => block.replaceAll(/[^\n]/g, ''));
  return prose.split('\n').flatMap((line, index) => {
    return line.length > 120 && !line.startsWith('|') ? [`${index + 1}: ${line}`] : [];
  });
}

describe('no line of prose is longer than 120 characters', () => {
  it.each(pages)('%s', (page) => {
    expect(longLines(readFileSync(path.join(root, page), 'utf8'))).toEqual([]);
  });

  it('and one that is would be found, behind what may be longer', () => {
    const long = 'a'.repeat(121);
    const text = ['# Page', '```text', long, '```', `| ${long} |`, 'a'.repeat(120), long].join('\n');
    expect(longLines(text)).toEqual([`7: ${long}`]);
  });
});

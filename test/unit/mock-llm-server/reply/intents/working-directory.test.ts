import { describe, expect, it } from 'vitest';
import { findWorkingDirectory } from '../../../../../mock-llm-server/reply/intents/working-directory.ts';
import { conversation } from '../../../../support/stories/builders.ts';

describe('findWorkingDirectory', () => {
  it.each([
    ['Working directory: /home/me/my project\nNext line', '/home/me/my project'],
    ['- Primary working directory: /w/p', '/w/p'],
    ['* Current working directory: `/w/p`', '/w/p'],
    ['**Working Directory**: /w/p.', '/w/p'],
    ['"cwd": "/w/p",', '/w/p'],
    ['cwd=/w/p', '/w/p'],
    ['<cwd>/w/p</cwd>', '/w/p'],
    ['<cwd>\n  C:\\Users\\me\n</cwd>', 'C:\\Users\\me'],
    ['Working directory: C:\\w\\', 'C:\\w'],
    ['The current working directory is /w/p', '/w/p'],
    ["I'm currently working in the directory: /w/p\nand more", '/w/p'],
    ["I'm currently working in the following directories:\n  - /w/a\n  - /w/b", '/w/a'],
    ['- **Workspace Directories:**\n  - /w/a\n  - /w/b\n- **Directory Structure:**', '/w/a'],
    ['# Current Working Directory (/w/p) Files', '/w/p'],
    ['% pwd\n/w/p\n\n% ls', '/w/p'],
    ['Directory: /w/p/\nRelative paths start there.', '/w/p'],
    ['Working directory: /', '/'],
    ['Working directory: //', '/'],
    ['Working directory: C:\\', 'C:\\'],
    ['<cwd>\n</cwd><cwd>/w\n/p</cwd> cwd: /w/q', '/w/q'],
    ['- Directory: "/w/p"', '/w/p'],
    ['Working directory: /w/p  *\r\nNext', '/w/p'],
    ['Work in the directory that suits you. Is the working directory a git repo: No', undefined],
    ['Run cwd: never', undefined],
  ])('finds in %j the directory %s', (text, directory) => {
    expect(findWorkingDirectory({ ...conversation(), system: [text] })).toBe(directory);
    expect(findWorkingDirectory(conversation(text))).toBe(directory);
  });

  it('prefers system texts to user texts, and ignores the assistant', () => {
    const said = conversation(['cwd: /a'], 'cwd: /u');
    expect(findWorkingDirectory(said)).toBe('/u');
    expect(findWorkingDirectory({ ...said, system: ['none', 'cwd: /s'] })).toBe('/s');
  });
});

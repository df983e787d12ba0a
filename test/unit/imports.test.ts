import { describe, expect, it } from 'vitest';
import { crowdedFolders, importCycles, importProblems } from '../support/import-rules.ts';
import { projectFiles } from '../support/project-files.ts';

describe('the direction of imports', () => {
  it('is kept by every file', () => {
    const files = projectFiles('src', 'mock-llm-server');
    expect(files.has('src/core/agent-loop.ts')).toBe(true);
    expect(files.has('mock-llm-server/scenario/format.ts')).toBe(true);
    expect(importProblems(files)).toEqual([]);
  });

  const refused: readonly [file: string, source: string, problem: string][] = [
    ['src/core/a.ts', "import { x } from '../tools/x.ts'", 'core may not import src/tools/x.ts'],
    ['src/core/a.ts', "import type { X } from '../safety/x.ts'", 'core may not import src/safety/x.ts'],
    ['src/core/a.ts', "import { type X } from '../providers/x.ts'", 'core may not import src/providers/x.ts'],
    ['src/core/a.ts', "export { x } from '../app/x.ts'", 'core may not import src/app/x.ts'],
    ['src/core/a.ts', "export * from '../adapters/x.ts'", 'core may not import src/adapters/x.ts'],
    ['src/core/a.ts', "const x = await import('../cli/x.ts')", 'core may not import src/cli/x.ts'],
    ['src/core/a.ts', "let x: import('../config/x.ts').X", 'core may not import src/config/x.ts'],
    ['src/core/a.ts', 'const x = await import(name)', 'imports a computed name'],
    ['src/core/a.ts', "import * as z from 'zod'", 'core may not import zod'],
    ['src/core/a.ts', "import path from 'node:path'", 'core may not import node:path'],
    ['src/core/a.ts', "import path from 'path'", 'core may not import path'],
    ['src/ports/a.ts', "import type { X } from '../text/x.ts'", 'ports may not import src/text/x.ts'],
    ['src/text/a.ts', "import type { X } from '../ports/x.ts'", 'text may not import src/ports/x.ts'],
    ['src/tools/a.ts', "import fs from 'node:fs'", 'tools may not import node:fs'],
    ['src/tools/a.ts', "import { x } from '../config/x.ts'", 'tools may not import src/config/x.ts'],
    ['src/safety/a.ts', "import { x } from '../tools/x.ts'", 'safety may not import src/tools/x.ts'],
    ['src/providers/a.ts', "import { x } from '../tools/x.ts'", 'providers may not import src/tools/x.ts'],
    ['src/prompt/a.ts', "import fs from 'node:fs'", 'prompt may not import node:fs'],
    ['src/app/a.ts', "import { x } from '../adapters/x.ts'", 'app may not import src/adapters/x.ts'],
    ['src/app/a.ts', "import OpenAI from 'openai'", 'app may not import openai'],
    ['src/adapters/a.ts', "import { x } from '../cli/x.ts'", 'adapters may not import src/cli/x.ts'],
    ['src/cli/a.ts', "import process from 'node:process'", 'cli may not import node:process'],
    ['src/cli/a.ts', "import { execa } from 'execa'", 'cli may not import execa'],
    [
      'src/config/a.ts',
      "import x from '../../mock-llm-server/scenario/loading/load.ts'",
      'config may not import mock-llm-server/scenario/loading/load.ts',
    ],
    [
      'src/cli/main.ts',
      "import x from '../../mock-llm-server/wire/x.ts'",
      'cli may not import mock-llm-server/wire/x.ts',
    ],
    [
      'src/cli/a.ts',
      "import '../../mock-llm-server/scenario/loading/load.ts'",
      'cli may not import mock-llm-server/scenario/loading/load.ts',
    ],
    ['src/app/a.ts', "import { x } from '../stories/x.ts'", 'app may not import src/stories/x.ts'],
    ['src/stories/a.ts', "import { x } from '../cli/x.ts'", 'stories may not import src/cli/x.ts'],
    ['mock-llm-server/a.ts', "import { x } from '../src/text/x.ts'", 'mock-llm-server may not import src/text/x.ts'],
    ['mock-llm-server/a.ts', "import x from 'openai/resources'", 'mock-llm-server may not import openai'],
    [
      'mock-llm-server/scenario/a.ts',
      "import { x } from '../matching/x.ts'",
      'mock-llm-server/scenario may not import mock-llm-server/matching/x.ts',
    ],
    [
      'mock-llm-server/wire/gemini/a.ts',
      "import { x } from '../../reply/x.ts'",
      'mock-llm-server/wire may not import mock-llm-server/reply/x.ts',
    ],
    [
      'mock-llm-server/answering/a.ts',
      "import { x } from '../server/x.ts'",
      'mock-llm-server/answering may not import mock-llm-server/server/x.ts',
    ],
    [
      'mock-llm-server/text.ts',
      "import { x } from './conversation/x.ts'",
      'mock-llm-server/text may not import mock-llm-server/conversation/x.ts',
    ],
    ['src/index.ts', "export * from './cli/x.ts'", 'index may not import src/cli/x.ts'],
    ['src/attic/a.ts', "import '../core/x.ts'", 'belongs to no room in test/support/import-rules.ts'],
  ];
  it.each(refused)('refuses in %s: %s', (file, source, problem) => {
    expect(importProblems(new Map([[file, source]]))).toEqual([`${file}: ${problem}`]);
  });

  const allowed: readonly [file: string, source: string][] = [
    ['src/core/a.ts', "import { x } from '../text/x.ts'"],
    ['src/core/a.ts', "import { x } from './x.ts'"],
    ['src/tools/a.ts', "import path from 'node:path'"],
    ['src/tools/a.ts', "import { x } from '../safety/x.ts'"],
    ['src/adapters/a.ts', "import fs from 'node:fs/promises'"],
    ['src/cli/main.ts', "import process from 'node:process'"],
    ['src/cli/mock-model.ts', "const x = await import('../../mock-llm-server/server/listen.ts')"],
    ['src/app/a.ts', "import type { X } from '../../mock-llm-server/scenario/format.ts'"],
    ['mock-llm-server/server/a.ts', "import { streamSSE } from 'hono/streaming'"],
    ['mock-llm-server/wire/gemini/a.ts', "import { x } from '../../matching/x.ts'"],
    ['mock-llm-server/delivery/a.ts', "import { x } from '../text.ts'"],
    ['mock-llm-server/testing.ts', "import { x } from './server/x.ts'"],
  ];
  it.each(allowed)('allows in %s: %s', (file, source) => {
    expect(importProblems(new Map([[file, source]]))).toEqual([]);
  });
});

describe('the shape of the tree', () => {
  const shipped = projectFiles('src', 'mock-llm-server');

  it('has no import cycle', () => {
    expect(importCycles(shipped)).toEqual([]);
  });

  it('finds an import cycle', () => {
    const files = new Map([
      ['src/core/a.ts', "import './b.ts'"],
      ['src/core/b.ts', "import type { X } from './c.ts'"],
      ['src/core/c.ts', "import './a.ts'"],
      ['src/core/d.ts', "import './a.ts'"],
    ]);
    expect(importCycles(files)).toEqual(['src/core/a.ts ↔ src/core/b.ts ↔ src/core/c.ts']);
  });

  it('has at most 16 files in a folder', () => {
    expect(crowdedFolders(shipped.keys(), 16)).toEqual([]);
  });

  it('finds a folder with too many files', () => {
    expect(crowdedFolders(['src/a.ts', 'src/b.ts', 'src/core/c.ts'], 1)).toEqual(['src: 2 files']);
  });
});

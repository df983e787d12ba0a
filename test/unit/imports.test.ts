import { describe, expect, it } from 'vitest';
import { crowdedFolders, importCycles, importProblems } from '../support/house/import-rules.ts';
import { projectFiles } from '../support/house/project-files.ts';

describe('the direction of imports', () => {
  it('is kept by every file', () => {
    const files = projectFiles('src', 'mock-llm-server');
    expect(files.has('src/agent/agent-loop.ts')).toBe(true);
    expect(files.has('mock-llm-server/scenario/format.ts')).toBe(true);
    expect(importProblems(files)).toEqual([]);
  });

  const refused: readonly [file: string, source: string, problem: string][] = [
    ['src/agent/a.ts', "import { x } from '../tools/x.ts'", 'agent may not import src/tools/x.ts'],
    ['src/agent/a.ts', "import type { X } from '../policy/x.ts'", 'agent may not import src/policy/x.ts'],
    ['src/agent/a.ts', "import { type X } from '../providers/x.ts'", 'agent may not import src/providers/x.ts'],
    ['src/agent/a.ts', "export { x } from '../app/x.ts'", 'agent may not import src/app/x.ts'],
    ['src/agent/a.ts', "export * from '../node/x.ts'", 'agent may not import src/node/x.ts'],
    ['src/agent/a.ts', "const x = await import('../cli/x.ts')", 'agent may not import src/cli/x.ts'],
    ['src/agent/a.ts', "let x: import('../config/x.ts').X", 'agent may not import src/config/x.ts'],
    ['src/agent/a.ts', 'const x = await import(name)', 'imports a computed name'],
    ['src/agent/a.ts', "import * as z from 'zod'", 'agent may not import zod'],
    ['src/agent/a.ts', "import path from 'node:path'", 'agent may not import node:path'],
    ['src/agent/a.ts', "import path from 'path'", 'agent may not import path'],
    ['src/agent/ports/a.ts', "import type { X } from '../../tools/x.ts'", 'agent may not import src/tools/x.ts'],
    ['src/text/a.ts', "import type { X } from '../agent/ports/x.ts'", 'text may not import src/agent/ports/x.ts'],
    ['src/tools/a.ts', "import fs from 'node:fs'", 'tools may not import node:fs'],
    ['src/tools/a.ts', "import { x } from '../config/x.ts'", 'tools may not import src/config/x.ts'],
    ['src/policy/a.ts', "import { x } from '../tools/x.ts'", 'policy may not import src/tools/x.ts'],
    ['src/providers/a.ts', "import { x } from '../tools/x.ts'", 'providers may not import src/tools/x.ts'],
    ['src/app/prompt/a.ts', "import fs from 'node:fs'", 'app may not import node:fs'],
    ['src/app/a.ts', "import { x } from '../node/x.ts'", 'app may not import src/node/x.ts'],
    ['src/app/a.ts', "import OpenAI from 'openai'", 'app may not import openai'],
    ['src/node/a.ts', "import { x } from '../cli/x.ts'", 'node may not import src/cli/x.ts'],
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
    ['src/attic/a.ts', "import '../agent/x.ts'", 'belongs to no room in test/support/house/import-rules.ts'],
  ];
  it.each(refused)('rejects in %s: %s', (file, source, problem) => {
    expect(importProblems(new Map([[file, source]]))).toEqual([`${file}: ${problem}`]);
  });

  const allowed: readonly [file: string, source: string][] = [
    ['src/agent/a.ts', "import { x } from '../text/x.ts'"],
    ['src/agent/a.ts', "import { x } from './x.ts'"],
    ['src/tools/a.ts', "import path from 'node:path'"],
    ['src/tools/a.ts', "import { x } from '../policy/x.ts'"],
    ['src/node/a.ts', "import fs from 'node:fs/promises'"],
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
      ['src/agent/a.ts', "import './b.ts'"],
      ['src/agent/b.ts', "import type { X } from './c.ts'"],
      ['src/agent/c.ts', "import './a.ts'"],
      ['src/agent/d.ts', "import './a.ts'"],
    ]);
    expect(importCycles(files)).toEqual(['src/agent/a.ts ↔ src/agent/b.ts ↔ src/agent/c.ts']);
  });

  it('has at most 16 files in a folder', () => {
    expect(crowdedFolders(shipped.keys(), 16)).toEqual([]);
  });

  it('finds a folder with too many files', () => {
    expect(crowdedFolders(['src/a.ts', 'src/b.ts', 'src/agent/c.ts'], 1)).toEqual(['src: 2 files']);
  });
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { mockServerEntry, ybsEntry } from '../processes/entry.ts';
import { startInTerminal } from '../processes/pty.ts';
import { binEnvironment } from '../processes/run-bin.ts';
import { temporaryDirectory, writeFiles } from '../processes/temporary-directory.ts';

/** A fenced block of a page: the words after the fence, and its lines. */
interface Block {
  readonly kind: string;
  readonly argument: string;
  readonly text: string;
}

/** A section of a page, which is one test. `id` is also the name of the model that answers its requests. */
interface Section {
  readonly title: string;
  readonly id: string;
  readonly blocks: readonly Block[];
}

const KEYS: Readonly<Record<string, string>> = {
  '⏎': '\r',
  '^C': '\u0003',
  '^D': '\u0004',
  '^O': '\u000f',
  '^R': '\u0012',
  '^U': '\u0015',
  '⎋': '\u001b',
  '↑': '\u001b[A',
  '⇥': '\t',
};

const JournalSchema = z.object({
  entries: z.array(
    z.looseObject({
      request: z.looseObject({
        system: z.string().optional(),
        user: z.array(z.string()).optional(),
        results: z.array(z.string()).optional(),
      }),
    }),
  ),
});

/** The sections of a page: each heading of level 2 with the blocks below it. */
function sectionsOf(page: string, text: string): readonly Section[] {
  return text.split(/^## /m).flatMap((part, index) => {
    if (index === 0) return [];
    const [title = ''] = part.split('\n');
    const blocks = [...part.matchAll(/^```(\w+) ?(.*)\n([\s\S]*?)^```$/gm)];
    return [
      {
        title,
        id: `${page}-${index}`,
        blocks: blocks.map(([, kind = '', argument = '', lines = '']) => ({ kind, argument, text: lines })),
      },
    ];
  });
}

/** The scenario of a section: each line of its block `model` is a step, a call `NAME {arguments}` or the last answer. */
function scenarioOf({ id, blocks }: Section): readonly object[] {
  const lines = blocks.filter(({ kind }) => kind === 'model').flatMap(({ text }) => text.trimEnd().split('\n'));
  if (lines.length === 0) return [];
  const steps = lines.map((line) => {
    const [, name, json] = /^(\w+) (\{.*\})$/.exec(line) ?? [];
    if (name === undefined || json === undefined) return { response: { content: line.replaceAll('\\n', '\n') } };
    return { response: { tool_calls: [{ name, arguments: JSON.parse(json) }] } };
  });
  return [{ name: id, trigger: { model: { regex: `^${id}$` } }, steps }];
}

/**
 * Defines a test for each section of Markdown pages, which it plays with the built commands in a new workspace and home.
 * README.md of test/behaviour describes the blocks.
 */
export function playPages(directory: string, ...pages: readonly string[]): void {
  const read = pages.map((page) => [page, readFileSync(path.join(directory, `${page}.md`), 'utf8')] as const);
  const sections = read.map(([page, text]) => [page, sectionsOf(page, text)] as const);
  const files = mkdtempSync(path.join(os.tmpdir(), 'ybs-pages-'));
  const stopped = new AbortController();
  let url = '';
  beforeAll(async () => {
    const file = path.join(files, 'pages.json');
    writeFileSync(file, JSON.stringify({ scenarios: sections.flatMap(([, all]) => all.flatMap(scenarioOf)) }));
    const args = [mockServerEntry, '--port', '0', '--scenarios', file];
    const server = execa(process.execPath, args, { all: true, reject: false, cancelSignal: stopped.signal });
    let log = '';
    url = await new Promise((resolve, reject) => {
      server.all.on('data', (text) => {
        log += text;
        const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(log) ?? [];
        if (found !== undefined) resolve(found);
      });
      server.finally(() => reject(new Error(`the mock server ended:\n${log}`)));
    });
  });
  afterAll(() => {
    stopped.abort();
    rmSync(files, { recursive: true });
  });
  for (const [page, all] of sections) {
    describe.runIf(process.platform !== 'win32')(`${page}.md`, () => {
      it.each(all)('$title', (section) => play(section, url));
    });
  }
}

async function play({ id, blocks }: Section, url: string): Promise<void> {
  const home = temporaryDirectory();
  const workspace = temporaryDirectory();
  const program = (entry: string) => `#!/bin/sh\nexec '${process.execPath}' '${entry}' "$@"\n`;
  const llm = { provider: 'openai-compatible', endpoint: `${url}/v1`, model: id, headers: { 'x-test-id': id } };
  writeFiles(home, { 'bin/ybs': program(ybsEntry), 'bin/mock-llm-server': program(mockServerEntry) });
  await execa('chmod', ['+x', 'ybs', 'mock-llm-server'], { cwd: path.join(home, 'bin') });
  const environment = binEnvironment({
    ...{
      HOME: home,
      USERPROFILE: home,
      XDG_CONFIG_HOME: path.join(home, '.config'),
      MOCK_URL: url,
      PROJECT: path.join(import.meta.dirname, '../../..'),
    },
    PATH: `${path.join(home, 'bin')}:${process.env['PATH']}`,
  });
  const settings = blocks.find(({ kind }) => kind === 'settings')?.text ?? '{}';
  writeFiles(home, { '.config/ybs/config.json': JSON.stringify({ llm, ...JSON.parse(settings) }) });
  /** Text of a page about this run, in which directories have symbolic names. */
  const inPage = (text: string) => text.replaceAll(workspace, 'WORKSPACE').replaceAll(home, 'HOME');
  for (const { kind, argument, text } of blocks) {
    if (kind === 'file') writeFiles(workspace, { [argument]: text });
    if (kind === 'console') {
      for (const command of text.split(/^\$ /m).slice(1)) {
        const [line = '', ...expected] = command.trimEnd().split('\n');
        const { all, exitCode } = await execa('sh', ['-c', line], {
          ...{ cwd: workspace, env: environment, extendEnv: false, all: true, reject: false, input: '' },
        });
        compare(`${inPage(all)}\nexit code ${exitCode}`, expected);
      }
    }
    if (kind === 'terminal') await typeIn(argument, text, workspace, environment, inPage);
    if (kind === 'reads') compare(await modelView(url, id), text.trimEnd().split('\n'));
  }
}

/** The system prompt, messages of the user and results of tools that the model got in its last requests. */
async function modelView(url: string, id: string): Promise<string> {
  const answer = await fetch(`${url}/__mock/journal?test=${id}`);
  const { entries } = JournalSchema.parse(await answer.json());
  return entries.flatMap(({ request: { user = [], results = [] } }) => [...user, ...results]).join('\n');
}

/** Expects the lines in `text`, in order. `…` stands for any text in a line; a line after `NOT ` must not occur at all. */
function compare(text: string, lines: readonly string[]): void {
  let rest = text;
  for (const line of lines) {
    if (line.startsWith('NOT ')) {
      expect(text).not.toContain(line.slice(4));
      continue;
    }
    const parts = line.split('…').map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
    const found = new RegExp(parts.join('.*')).exec(rest);
    if (found === null) expect(text, `this line in order: ${line}`).toContain(line);
    else rest = rest.slice(found.index + found[0].length);
  }
}

/** Types the lines after `< ` when all lines before them are on the screen. A prompt alone waits for the cursor. */
async function typeIn(
  command: string,
  text: string,
  directory: string,
  environment: Readonly<Record<string, string>>,
  inPage: (text: string) => string,
): Promise<void> {
  const terminal = startInTerminal(command.split(' ').slice(1), { directory, environment });
  for (const line of text.trimEnd().split('\n')) {
    if (line.startsWith('< ')) {
      terminal.type(line.slice(2).replaceAll(/⏎|\^[A-Z]|⎋|↑|⇥/g, (key) => KEYS[key] ?? key));
    } else if (line.startsWith('! ')) await execa('sh', ['-c', line.slice(2)], { cwd: directory });
    else if (line.startsWith('NOT ')) expect(inPage(terminal.screen())).not.toContain(line.slice(4));
    else if (line.startsWith('= ')) await terminal.waitFor(line, () => terminal.cursorLine() === line.slice(2));
    else if (/^(?:▌ +)?[>:]$/.test(line)) await terminal.waitForPrompt(`${line} `);
    else if (line.startsWith('exit code ')) expect(`exit code ${(await terminal.ended).exitCode}`).toBe(line);
    else await terminal.waitFor(line, (screen) => inPage(screen).includes(line));
  }
}

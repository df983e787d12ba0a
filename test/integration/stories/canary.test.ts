import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRepository } from '../../support/processes/git-repository.ts';
import { runMain } from '../../support/processes/run-main.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';
import { startRecordingServer } from '../../support/wires/recording-server.ts';

/** A secret without a known form, which ybs knows only from a variable. */
const CANARY = 'Zq7cAnArYx19LmN4vBt2';

const call = (name: string, args: object) => ({ response: { tool_calls: [{ name, arguments: args }] } });

/** A model that reads every file with the secret, and reports the content. */
const CURIOUS = {
  scenarios: [
    {
      name: 'look',
      trigger: 'look',
      steps: [
        call('read_file', { path: 'README.md' }),
        call('read_file', { path: '.env' }),
        call('read_file', { path: 'notes.txt' }),
        call('list_files', { pattern: '**' }),
        call('search_files', { pattern: 'token' }),
        call('edit_file', { path: 'README.md', old_text: 'Shop', new_text: 'Store' }),
        call('write_file', { path: 'own.txt', content: 'nothing\n' }),
        call('run_shell', { command: 'cat README.md .env .npmrc .git/config; git log --oneline; git branch' }),
        call('run_shell', { command: 'env; cat README.md >&2; exit 3' }),
        call('run_shell', { command: 'cat notes.txt > copy.txt; cat copy.txt id_rsa' }),
        { response: { content: `The token is ${CANARY}.` } },
      ],
    },
  ],
};

/**
 * The names and contents of the files below a directory, as one text. The journal of writes is left out: it contains
 * the earlier bytes of files, so that they can be restored.
 */
function allTexts(directory: string, names = /./): string {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && names.test(entry.name))
    .map((entry) => `${entry.name}\n${readFileSync(path.join(entry.parentPath, entry.name), 'utf8')}`)
    .join('\n');
}

describe.runIf(process.platform !== 'win32')('a secret in a variable and in many files of the project', () => {
  it.each(['text', 'json'])('is in no request, in no file of ybs and not on the screen: %s', async (format) => {
    const { directory, git, write } = createRepository({
      'README.md': `# Shop\n\nThe token is ${CANARY}, and again ${CANARY}.\n`,
      'AGENTS.md': `Use the token ${CANARY}.\n`,
      'package.json': `{"name": "shop", "scripts": {"test": "node --test # ${CANARY}"}}`,
    });
    write({
      '.env': `TOKEN=${CANARY}\n`,
      '.npmrc': `//registry.example.org/:_authToken=${CANARY}\n`,
      'notes.txt': `token ${CANARY}\n`,
      [`named-${CANARY}.txt`]: '',
      id_rsa: `${CANARY}\n`,
    });
    git('config', 'remote.origin.url', `https://ada:${CANARY}@example.org/shop.git`);
    git('commit', '-q', '--allow-empty', '-m', `Rotate ${CANARY}`);
    git('checkout', '-q', '-b', `fix-${CANARY}`);
    const server = await startRecordingServer(CURIOUS);
    const home = temporaryDirectory();
    const llm = {
      provider: 'openai-compatible',
      endpoint: `${server.url}/v1`,
      model: 'm',
      api_key_variable: 'SHOP_TOKEN',
    };
    writeFiles(home, {
      '.config/ybs/config.json': JSON.stringify({ llm, prompt: { append: `Never say ${CANARY}.` } }),
      '.netrc': `machine example.org password ${CANARY}\n`,
    });
    const environment = {
      ...{ HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: path.join(home, '.config') },
      ...{ SHOP_TOKEN: CANARY, TMPDIR: temporaryDirectory() },
    };
    expect(await runMain(['trust'], { directory, environment })).toMatchObject({ code: 0 });
    const args = ['--permission-mode', 'full-access', '--no-sandbox', '--output-format', format, `look for ${CANARY}`];
    const { code, stdout, stderr } = await runMain(args, { directory, environment });
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.any(String) });
    const requests = server.requests();
    expect(requests.length).toBeGreaterThan(8);
    // The key itself is sent to its endpoint, and no other part of the request contains it.
    expect(requests.every(({ headers }) => headers['authorization'] === `Bearer ${CANARY}`)).toBe(true);
    const places = {
      requests: requests.map(({ body }) => body).join('\n'),
      headers: JSON.stringify(requests.map(({ headers: { authorization: _, ...others } }) => others)),
      screen: stdout + stderr,
      logs: allTexts(path.join(home, '.config/ybs'), /\.jsonl$/),
      temporary: allTexts(environment.TMPDIR),
    };
    for (const [place, text] of Object.entries(places))
      expect({ place, count: text.split(CANARY).length - 1 }).toEqual({ place, count: 0 });
    // The texts around the secret appear, so the files were read.
    expect(places.requests).toContain('The token is [redacted');
    expect(places.logs).toContain('[redacted');
    expect(places.screen).toContain('[redacted');
  });
});

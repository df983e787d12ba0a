import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runBin } from '../../support/processes/run-bin.ts';
import { canMount, withMounts } from '../../support/sandbox/own-mounts.ts';
import { playDecisions } from '../../support/stories/decided-run.ts';
import { startRecordingServer } from '../../support/wires/recording-server.ts';
import { run, write } from '../decisions/rows.ts';

const FULL = ['--permission-mode', 'full-access'];

describe.skipIf(!canMount)('a disk that cannot be written', () => {
  it.each([
    ['is full', 'mount -t tmpfs -o size=64k tmpfs "$C"; head -c 1M /dev/zero > "$C/a" || true', 'the disk is full'],
    ['has no room for files', 'mount -t tmpfs -o nr_inodes=2 tmpfs "$C"; touch "$C/a"', 'the disk is full'],
    ['is read-only', 'mount --bind "$HOME" "$HOME"; mount -o remount,ro,bind "$HOME"', 'the file system is read-only'],
  ])('starts no session if that of the home directory %s', async (_state, script, reason) => {
    const prefix = withMounts(`C="$HOME/.config"; mkdir -p "$C"; ${script}`);
    const { code, stdout, stderr } = await runBin([...FULL, '-p', 'mock', 'go'], { prefix });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('The directory of the sessions cannot be used');
    expect(stderr).toContain(`${reason}. Change that`);
  });

  it.each([
    ['before the answer', 'size=64k', '56k'],
    ['with a command', 'size=400k', '0'],
  ])('ends a single run if that of the log becomes full %s, and says what to do', async (_when, size, filled) => {
    const command = 'head -c 1M /dev/zero > "$HOME/.config/fill"; echo filled';
    const steps = [{ response: { tool_calls: [{ name: 'run_shell', arguments: { command } }] } }];
    const { url } = await startRecordingServer({ scenarios: [{ name: 'fill', trigger: 'go', steps }] });
    const mount = `mkdir -p "$HOME/.config"; mount -t tmpfs -o ${size} tmpfs "$HOME/.config"`;
    const prefix = withMounts(`${mount}; head -c ${filled} /dev/zero > "$HOME/.config/other"`);
    const run = await runBin([...FULL, '--no-sandbox', '-p', 'mock', '--endpoint', url, 'go'], { prefix });
    expect(run.code).toBe(1);
    const said = run.stdout + run.stderr;
    expect(said).toMatch(/saved in .*: the disk is full\. Nothing more was done: fix this, then try again\.\n/);
    expect(said).not.toContain('nothing is lost');
  });

  it.each([
    ['full', 'size=64k', 'head -c 1M /dev/zero > /tmp/fill 2>/dev/null || true'],
    ['without room for files', 'nr_inodes=40', 'for i in $(seq 60); do touch /tmp/$i 2>/dev/null || true; done'],
  ])('runs commands while /tmp is %s, because the sandbox has its own', async (_state, option, fill) => {
    const kept = ['$HOME', process.cwd()];
    const script = [
      'mount -t tmpfs tmpfs /mnt',
      ...kept.map((place, index) => `mkdir /mnt/${index}; mount --bind "${place}" /mnt/${index}`),
      `mount -t tmpfs -o ${option} tmpfs /tmp`,
      ...kept.map((place, index) => `mkdir -p "${place}"; mount --bind /mnt/${index} "${place}"`),
      `${fill}; cd "$HOME/ws"`,
    ];
    const commands = ['echo one > /tmp/a && cat /tmp/a', 'echo two > made && cat made README.md'];
    const play = async (options: readonly string[]) => {
      const answers = [commands.map((command) => run(command))];
      const { calls } = await playDecisions(answers, { options, prefix: withMounts(script.join('; ')) });
      return calls.map(({ reads }) => reads);
    };
    const shop = expect.stringMatching(/two\nA shop\./);
    expect(await play(FULL)).toEqual([expect.stringContaining('\none'), shop]);
    expect(await play([...FULL, '--no-sandbox'])).toEqual([expect.stringContaining('No space left on device'), shop]);
  });

  it('changes no file of a workspace without room for files, and the model reads the reason', async () => {
    const script = [
      'cp -a "$HOME/ws" "$HOME/copy"; mount -t tmpfs -o nr_inodes=12 tmpfs "$HOME/ws"; cp -a "$HOME/copy/." "$HOME/ws"',
      'for i in $(seq 20); do touch "$HOME/ws/$i" 2>/dev/null || true; done; cd "$HOME/ws"',
    ];
    const { calls } = await playDecisions(
      [[['read_file', { path: 'README.md' }]], [write('new.txt'), run('echo x > made; cat README.md')]],
      { options: FULL, prefix: withMounts(script.join('; ')) },
    );
    expect(calls[1]?.reads).toContain('The disk is full, so new.txt was not written.');
    expect(calls[2]?.reads).toMatch(/No space left on device/);
    expect(calls[2]?.reads).toContain('A shop.');
  });

  it('loses no file of the workspace, and the model reads the reason', async () => {
    const big = 'x'.repeat(300_000);
    const script = [
      'cp -a "$HOME/ws" "$HOME/copy"; mount -t tmpfs -o size=200k tmpfs "$HOME/ws"; cp -a "$HOME/copy/." "$HOME/ws"',
      'head -c 1M /dev/zero > "$HOME/ws/fill" 2>/dev/null || true; cd "$HOME/ws"',
    ];
    const edit = { path: 'README.md', old_text: 'A shop.', new_text: big };
    const { home, calls } = await playDecisions(
      [
        [['read_file', { path: 'README.md' }]],
        [write('new.txt', big), ['edit_file', edit], run('echo hello; echo x > made; cat README.md')],
      ],
      { options: FULL, prefix: withMounts(script.join('; ')) },
    );
    const [, written, edited, ran] = calls.map(({ reads }) => reads);
    expect([written, edited]).toEqual([
      expect.stringContaining('The disk is full, so new.txt was not written.'),
      expect.stringContaining('The disk is full, so README.md was not written.'),
    ]);
    expect(ran).toMatch(/hello[\s\S]*No space left on device[\s\S]*A shop\.|A shop\.[\s\S]*No space left on device/);
    expect(readFileSync(path.join(home, 'copy/README.md'), 'utf8')).toBe('A shop.\n');
  });
});

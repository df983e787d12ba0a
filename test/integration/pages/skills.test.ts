import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runMain } from '../../support/processes/run-main.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';

it('skills check names the problems of one skill or of several', async () => {
  const directory = temporaryDirectory();
  writeFiles(directory, {
    'all/good/SKILL.md': '---\nname: good\ndescription: Good.\nallowed-tools: Bash\n---\nDo.\n',
    'all/bad/SKILL.md': '---\nname: Bad\ndescription: Use when: asked\n---\nDo.\n',
    'all/model/SKILL.md': '---\nname: model\ndescription: Good.\nmodel: x\n---\nDo.\n',
    'all/none/README.md': 'x',
    'all/skills/deep/SKILL.md': 'x',
    'all/file/SKILL.md/x': 'x',
    'empty/x.txt': 'x',
  });
  mkdirSync(path.join(directory, 'all/binary'));
  writeFileSync(path.join(directory, 'all/binary/SKILL.md'), new Uint8Array([0xff]));
  const { stdout, code } = await runMain(['skills', 'check', 'all'], { directory });
  expect(stdout).toBe(
    [
      'fail  bad: its fields are not valid YAML; put quotes around values such as those with ": "',
      'fail  bad: its name may have a-z, 0-9 and single hyphens between them only',
      'fail  bad: its name Bad is not that of its folder, bad',
      `fail  binary: ${path.join(directory, 'all/binary/SKILL.md')}: it is not text in UTF-8`,
      `fail  file: ${path.join(directory, 'all/file/SKILL.md')}: it cannot be read: it is a directory`,
      'ok    good: good follows the format; 1 token',
      'note  good: ybs allows nothing for Bash',
      'fail  model: the format has no field model',
      'fail  none: it has no SKILL.md',
      `fail  skills: ${path.join(directory, 'all/skills/deep/SKILL.md')}: it lies one level too deep; move its folder up`,
      '',
    ].join('\n'),
  );
  expect(code).toBe(1);
  expect(await runMain(['skills', 'check', 'all/good'], { directory })).toMatchObject({ code: 0 });
  expect(await runMain(['skills', 'check', 'empty'], { directory })).toMatchObject({ code: 2 });
  expect(await runMain(['skills', 'check', 'missing'], { directory })).toMatchObject({ code: 2 });
  expect(await runMain(['skills', 'check', 'all/good/SKILL.md'], { directory })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Check its folder: ybs skills check all/good\n'),
  });
});

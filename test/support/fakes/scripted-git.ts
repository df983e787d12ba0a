import type { GitResult, RunGit } from '../../../src/session/git/git-command.ts';

/** A git that knows one clean repository, `/work`, and the file `a.txt` that is new there, and the commands it ran. */
export function createScriptedGit(): { readonly runGit: RunGit; readonly commands: readonly string[] } {
  const commands: string[] = [];
  const answer = (args: readonly string[]): [exitCode: number, stdout: string] => {
    switch (args[0]) {
      case 'rev-parse':
        if (args.includes('--absolute-git-dir')) return [0, '/work\n/work/.git\n'];
        return args.includes('--show-toplevel') ? [0, '/work\n'] : [0, 'c0ffee\n'];
      case 'check-attr':
        return [0, 'a.txt\0filter\0unspecified\0'];
      case 'config':
      case 'check-ignore':
        return [1, ''];
      case 'hash-object':
        return [128, ''];
      case 'diff-tree':
        return [0, 'a.txt\0'];
      case 'write-tree':
      case 'commit-tree':
        return [0, 'c0ffee\n'];
      default:
        return [0, ''];
    }
  };
  return {
    commands,
    async runGit({ args }): Promise<GitResult> {
      commands.push(args.join(' '));
      const [exitCode, stdout] = answer(args);
      return { type: 'ended', exitCode, stdout, stderr: '' };
    },
  };
}

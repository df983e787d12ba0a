import { describe, expect, it } from 'vitest';
import { filesInGitConfig, withoutGitSecrets } from '../../../../../src/policy/sandbox/home/git-config.ts';

describe('the settings of git of a user', () => {
  it.each([
    ['[user]\n\tname = Ada # secret\n', '[user]\n\tname = Ada # secret\n'],
    ['[user]\n\tname = Ada', '[user]\n\tname = Ada'],
    ['', ''],
    ['[credential]\n\thelper = store\n[user]\n\tname = Ada\n', '[user]\n\tname = Ada\n'],
    ['[credential "https://example.org"]\n\thelper = !x\n[user]\n\tname = Ada\n', '[user]\n\tname = Ada\n'],
    ['[ Credential ]\nhelper = store\n[alias]\n\tst = status\n', '[alias]\n\tst = status\n'],
    ['[url "https://ada:pw12@h/"]\n\tinsteadOf = https://h/\n[a]\n\tb = c\n', '[a]\n\tb = c\n'],
    ['[http]\n\textraHeader = A: b\n\tsslVerify = true\n', '[http]\n\tsslVerify = true\n'],
    ['[http]\n\textraHeader = A: \\\n  hunter22\n\tsslVerify = true\n', '[http]\n\tsslVerify = true\n'],
    ['[github]\n\ttoken = abc\n\tuser = ada\n', '[github]\n\tuser = ada\n'],
    ['[sendemail]\n\tsmtpPass = abc\n\tsmtpServer = s\n', '[sendemail]\n\tsmtpServer = s\n'],
  ])('without secrets, %j become %j', (text, plain) => {
    expect(withoutGitSecrets(text)).toBe(plain);
  });

  it.each([
    ['[core]\n\texcludesFile = ~/.ignored\n\tattributesfile="/a b"\n', ['~/.ignored', '/a b']],
    ['[include]\n\tpath = more\n[commit]\n\ttemplate = ~/t\n', ['more', '~/t']],
    ['[core]\n\thooksPath = ~/hooks\n[gpg "ssh"]\n\tallowedSignersFile = ~/s\n', ['~/hooks', '~/s']],
    ['[core]\n\texcludesFile =\n\tpathological = 1\n', []],
  ])('%j name the files %j', (text, files) => {
    expect(filesInGitConfig(text)).toEqual(files);
  });
});

import { describe, expect, it } from 'vitest';
import { mentionedFiles, namedAgent, namedFiles } from '../../../../src/tools/triggers/parse-triggers.ts';

describe('namedFiles', () => {
  it.each<readonly [message: string, ...paths: string[]]>([
    ['look'],
    ['@file:README.md', 'README.md'],
    ['compare @file:src/a.ts with @file:src/b.ts', 'src/a.ts', 'src/b.ts'],
    ['@file:a.md and again @file:a.md', 'a.md'],
    ['first\n@file:a.md\nlast', 'a.md'],
    ['read @file:/etc/hosts and @file:~/notes.md', '/etc/hosts', '~/notes.md'],
    ['@file:../up.md', '../up.md'],
    ['@file:..', '..'],
    ['@file:a/..', 'a/..'],
    ['@file:größe/😀.md', 'größe/😀.md'],
    // Punctuation around it.
    ['see @file:a.md.', 'a.md'],
    ['see (@file:a.md), then [@file:b.md]; {@file:c.md}!', 'a.md', 'b.md', 'c.md'],
    ['is it @file:a.md?', 'a.md'],
    // Quotes keep everything.
    ['@file:"my notes.md"', 'my notes.md'],
    ['@file:"odd." and @file:"(x)"', 'odd.', '(x)'],
    ['@file:"C:\\my files\\a.txt"', 'C:\\my files\\a.txt'],
    // A quote within quotes is doubled.
    ['@file:"a ""b"".md" and @file:"c.md"', 'a "b".md', 'c.md'],
    ['@file:"""a"', '"a'],
    // Not the start of a word.
    ['me@file:a.md'],
    ['`@file:a.md`'],
    ['x/@file:a.md'],
    ['@files:a.md @File:a.md @ file:a.md'],
  ])('%j', (message, ...paths) => {
    expect(namedFiles(message)).toEqual(paths);
  });

  it.each(['@file:', 'see @file: a.md', '@file:""', '@file:" "', '@file:,', '@file:"a.md'])('refuses %j', (message) => {
    expect(() => namedFiles(message)).toThrow('Type a path after @file:, for example @file:README.md');
  });
});

describe('namedAgent', () => {
  it.each<readonly [string, string | undefined, string]>([
    ['look', undefined, 'look'],
    [' look ', undefined, ' look '],
    ['@agent:reviewer', 'reviewer', ''],
    ['@agent:reviewer look at @file:a.md', 'reviewer', 'look at @file:a.md'],
    ['look, @agent:reviewer, at a.md', 'reviewer', 'look, at a.md'],
    ['look\n@agent:a\nhere @agent:a', 'a', 'look\nhere'],
    ['me@agent:a `@agent:a`', undefined, 'me@agent:a `@agent:a`'],
  ])('%j', (message, agent, text) => {
    expect(namedAgent(message)).toEqual({ agent, text });
  });

  it.each([
    ['@agent:', 'Type a name after @agent:, for example @agent:reviewer'],
    ['@agent: reviewer', 'Type a name after @agent:, for example @agent:reviewer'],
    ['@agent:a and @agent:b', 'Name one agent, not a and b.'],
  ])('refuses %j', (message, problem) => {
    expect(() => namedAgent(message)).toThrow(problem);
  });
});

describe('mentionedFiles', () => {
  it.each<readonly [message: string, ...paths: string[]]>([
    ['explain @src/cart.js and @README.md.', 'src/cart.js', 'README.md'],
    ['(@a/b) @a/b', 'a/b'],
    ['@file:a.md @agent:x @!ls'],
    ['me@example.org, @/etc/hosts, @~/x.md, @../up.md, @"/etc/hosts" @\'../up.md\' @"~/x.md" me@"a.md" @""'],
    ['@Makefile, asked @ada', 'Makefile', 'ada'],
    // https://github.com/can1357/oh-my-pi/pull/2909, https://github.com/cline/cline/issues/13338
    ['@"my notes.md" and @\'My Folder/b.md\', or @my\\ shot.png.', 'my notes.md', 'My Folder/b.md', 'my shot.png'],
    ["it's @it's.md, @'it''s.md', and @\"open", "it's.md"],
    ['`@a.md`'],
  ])('of %j', (message, ...paths) => {
    expect(mentionedFiles(message)).toEqual(paths);
  });
});

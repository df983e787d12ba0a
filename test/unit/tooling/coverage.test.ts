import { minimatch } from 'minimatch';
import { expect, it } from 'vitest';
import { COMPLETE } from '../../../vitest.config.ts';
import { projectFiles } from '../../support/project-files.ts';

// vitest accepts a glob that matches nothing.
it.each(COMPLETE)('the threshold for %s applies to at least one file', (glob) => {
  expect([...projectFiles('src', 'mock-llm-server').keys()].filter((file) => minimatch(file, glob))).not.toEqual([]);
});

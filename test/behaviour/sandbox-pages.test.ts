import { describe } from 'vitest';
import { missingSandbox } from '../support/sandbox/require-sandbox.ts';
import { playPages } from '../support/stories/behaviour-page.ts';

describe.runIf((await missingSandbox()) === undefined)('with a sandbox', () => {
  playPages(import.meta.dirname, 'sandbox', 'skills', 'mcp');
});

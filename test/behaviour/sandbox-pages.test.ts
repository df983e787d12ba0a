import { describe } from 'vitest';
import { playPages } from '../support/behaviour-page.ts';
import { missingSandbox } from '../support/sandbox/require-sandbox.ts';

describe.runIf((await missingSandbox()) === undefined)('with a sandbox', () => {
  playPages(import.meta.dirname, 'sandbox');
});

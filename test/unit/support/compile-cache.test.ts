import { getCompileCacheDir } from 'node:module';
import { expect, it } from 'vitest';

it('the workers of unit tests write no compiled code, because few runs would read it', () => {
  expect(getCompileCacheDir()).toBeUndefined();
});

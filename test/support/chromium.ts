import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** Starts Chromium. A browser that is missing is a failure. */
export function startChromium(): Promise<Browser> {
  // In a container Chromium runs as root, which its sandbox does not allow.
  return chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
}

/** The path of Chromium: CHROMIUM_PATH, or the first one on the PATH. */
export function findChromium(): string {
  const { CHROMIUM_PATH: own, PATH = '' } = process.env;
  const candidates = PATH.split(path.delimiter).map((directory) => path.join(directory, 'chromium'));
  for (const candidate of own === undefined ? candidates : [own]) {
    try {
      accessSync(candidate, constants.X_OK);
      return candidate;
    } catch {
      // The next directory may have it.
    }
  }
  throw new Error('Chromium is missing: install the package chromium, or set CHROMIUM_PATH to the path of a browser.');
}

import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/**
 * Features that take more processor time than most tests: for each context, two pages behind the suggestions of the
 * address bar, and for each page a process for the next one.
 */
const COSTLY_FEATURES = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'SpareRendererForSitePerProcess'];

/**
 * Features that Playwright disables because they delay pages and input or ask servers. Chromium reads only the last
 * list of features, so that this one has to name them, too.
 */
const DISTURBING_FEATURES = [
  'AimEnabled',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'HttpsUpgrades',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
];

/** Starts Chromium as its users do. A browser that is missing is a failure. */
export function startChromium(args: readonly string[] = []): Promise<Browser> {
  // In a container Chromium runs as root, which its sandbox does not allow.
  return chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', ...args] });
}

/** Starts Chromium for tests, without features that only take time. */
export function startTestChromium(): Promise<Browser> {
  return startChromium([`--disable-features=${[...COSTLY_FEATURES, ...DISTURBING_FEATURES].join(',')}`]);
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
      // The next directory may contain it.
    }
  }
  throw new Error('Chromium is missing: install the package chromium, or set CHROMIUM_PATH to the path of a browser.');
}

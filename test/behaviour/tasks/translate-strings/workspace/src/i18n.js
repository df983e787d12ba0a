import { readFileSync } from 'node:fs';

export function t(locale, key, values = {}) {
  const texts = JSON.parse(readFileSync(new URL(`../locales/${locale}.json`, import.meta.url), 'utf8'));
  return texts[key].replace(/\{(\w+)\}/gu, (_, name) => values[name]);
}

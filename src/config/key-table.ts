import { CONFIG_KEYS, type ConfigKey } from './config-keys.ts';

/** The table of all keys, in Markdown, as docs/configuration.md has it. */
export function keyTable(): string {
  const rows = [...CONFIG_KEYS.values()].map((key) =>
    [`\`${key.name}\``, escaped(key.type), defaultText(key), PROJECT_TEXTS[key.project], escaped(key.description)].join(
      ' | ',
    ),
  );
  const head = ['Key', 'Value', 'Default', "A project's own file", 'Meaning'];
  return [head.join(' | '), head.map(() => '---').join(' | '), ...rows].map((row) => `| ${row} |`).join('\n');
}

const PROJECT_TEXTS: Readonly<Record<ConfigKey['project'], string>> = {
  ignored: 'is ignored',
  applied: 'may set it',
  lower: 'may lower it',
  add: 'may add to it',
  disable: 'may turn it off',
};

function defaultText(key: ConfigKey): string {
  return key.default === undefined ? '–' : `\`${escaped(JSON.stringify(key.default))}\``;
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|');
}

import type { Markup } from '../markups/markup.ts';
import type { Script } from '../script/script.ts';
import { writeGoTemplate } from '../templates/go-template.ts';

export interface ModelfileOptions {
  readonly context: number;
  readonly description: string;
  readonly license: string;
}

export function writeModelfile(script: Script, markup: Markup, options: ModelfileOptions): string {
  const { context, description, license } = options;
  return [
    `# ${description}`,
    'FROM ./model.gguf',
    `TEMPLATE """${writeGoTemplate(script, markup)}"""`,
    ...(markup.ollamaParser === undefined ? [] : [`PARSER ${markup.ollamaParser}`]),
    `PARAMETER num_ctx ${context}`,
    'PARAMETER temperature 0',
    `LICENSE ${license}`,
    '',
  ].join('\n');
}

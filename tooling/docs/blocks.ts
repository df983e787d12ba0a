import { HELP } from '../../mock-llm-server/cli/help.ts';
import { chatHelp } from '../../src/app/commands/commands.ts';
import { usageRows } from '../../src/cli/command-line/help.ts';
import { projectFiles } from '../../test/support/house/project-files.ts';
import { AGENT_BLOCKS } from './agents.ts';
import { areaDrawing, areaTable } from './architecture.ts';
import { errorCodeTable, errorTextList } from './errors.ts';
import { featureTable } from './service-features.ts';
import { overflowTable, ruleTable } from './services.ts';
import {
  agentVariableTable,
  clientCheckList,
  clientGapTable,
  clientTable,
  configKeyTable,
  decisionRuleTable,
  exitCodeTable,
  optionTable,
  providerTable,
  scenarioFieldTable,
  serviceTable,
  sharedOptionTable,
} from './tables.ts';
import { recordTranscript } from './transcript.ts';

/** The generated blocks of a page, by the names in their marker comments; each function returns the block's text. */
type Blocks = Readonly<Record<string, () => string | Promise<string>>>;

const fence = (text: string): string => `\`\`\`text\n${text.trimEnd()}\n\`\`\``;

/** The commands whose options share one table. */
const OTHER_COMMANDS = ['auth', 'doctor', 'trust', 'mcp', 'undo', 'audit', 'web', 'app'];

const SOURCES = () => projectFiles('src', 'mock-llm-server');

/** The generated blocks of every page, by the path of the page in the project. */
export const PAGES: Readonly<Record<string, Blocks>> = {
  'docs/agents.md': AGENT_BLOCKS,
  'docs/architecture.md': { areas: () => areaDrawing(SOURCES()), sizes: () => areaTable(SOURCES()) },
  'docs/chat.md': { commands: () => fence(chatHelp()) },
  'docs/check.md': { 'options of ybs check': () => optionTable('check'), rules: decisionRuleTable },
  'docs/cli.md': {
    forms: () => fence(usageRows().join('\n')),
    options: () => optionTable(),
    'options of other commands': () => sharedOptionTable(OTHER_COMMANDS),
    'exit codes': exitCodeTable,
  },
  'docs/configuration.md': { keys: configKeyTable },
  'docs/errors.md': { codes: errorCodeTable, texts: errorTextList },
  'docs/evaluation.md': { 'options of ybs eval': () => optionTable('eval') },
  'docs/mock-llm-server.md': { help: () => fence(HELP) },
  'docs/protocols.md': { clients: clientTable, 'client checks': clientCheckList, 'client gaps': clientGapTable },
  'docs/providers.md': { providers: providerTable, services: serviceTable },
  'docs/services.md': { features: featureTable, rules: ruleTable, overflows: overflowTable },
  'docs/your-agent.md': { 'agent variables': agentVariableTable },
  'docs/scenario-reference.md': { fields: scenarioFieldTable },
  'docs/stories.md': {
    'options of ybs test': () => optionTable('test'),
    'options of ybs record': () => optionTable('record'),
    'options of ybs story': () => optionTable('story'),
  },
};

/** The generated blocks of README.md; `bin` is the path of the file that starts `ybs`. */
export function readmeBlocks(bin: string): Blocks {
  return { transcript: async () => fence(await recordTranscript(bin)) };
}

/**
 * A page with its generated blocks replaced. A block is the text between `<!-- NAME: written by npm run docs -->` and
 * `<!-- /NAME -->`. Throws when the page does not contain exactly the blocks that `blocks` has.
 */
export async function writeBlocks(page: string, blocks: Blocks): Promise<string> {
  const found = [...page.matchAll(/^<!-- (.+): written by npm run docs -->$/gm)].map(([, name]) => name);
  if (found.toSorted().join() !== Object.keys(blocks).toSorted().join()) {
    throw new Error(`the page has the blocks ${found.join(', ')} but must have ${Object.keys(blocks).join(', ')}`);
  }
  let text = page;
  for (const [name, render] of Object.entries(blocks)) {
    const start = `<!-- ${name}: written by npm run docs -->\n`;
    const end = `<!-- /${name} -->`;
    const from = text.indexOf(start) + start.length;
    const to = text.indexOf(end, from);
    if (to === -1) throw new Error(`the block ${name} has no end ${end}`);
    text = `${text.slice(0, from)}\n${await render()}\n\n${text.slice(to)}`;
  }
  return text;
}

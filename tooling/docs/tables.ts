import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { scenarioJsonSchema } from '../../mock-llm-server/scenario/format.ts';
import { EXIT_CODE_ROWS } from '../../src/app/exit.ts';
import { OPTIONS, optionDescription, optionForm } from '../../src/cli/command-line/options.ts';
import { describeKeys } from '../../src/config/describe/describe-keys.ts';
import type { ConfigKey } from '../../src/config/describe/keys.ts';
import { configJsonSchema } from '../../src/config/schema/json-schema.ts';
import { DECISION_RULES } from '../../src/policy/decide.ts';
import { knownModel } from '../../src/providers/limits/known-model.ts';
import type { ServiceRules } from '../../src/providers/service/service-rules.ts';
import { SERVICES } from '../../src/providers/service/services.ts';
import { PROVIDERS, type ProviderPreset } from '../../src/providers/target/presets.ts';
import { priceOf } from '../../src/providers/target/price.ts';
import { MODEL_VARIABLES } from '../../src/stories/agents/agent-setup.ts';
import { TOOL_NAMES } from '../../src/tools/tools.ts';
import { SDK_CHECKS } from '../../test/support/sdks/sdk-checks.ts';
import { SDK_GAPS, SDK_PACKAGES } from '../../test/support/sdks/sdk-gaps.ts';
import { fieldRows } from './field-rows.ts';

const root = path.join(import.meta.dirname, '../..');

/** A Markdown table; cells may contain `|`, which is escaped. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => {
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  return lines.join('\n');
}

const code = (text: string): string => `\`${text}\``;

/** The keys of the configuration; the keys of all tools share one row. */
export function configKeyTable(): string {
  const rules: Readonly<Record<ConfigKey['project'], string>> = {
    ignored: 'is ignored',
    applied: 'may set it',
    lower: 'may lower it',
    add: 'may add to it',
    disable: 'may turn it off',
    tighten: 'may make it stricter',
    trusted: 'may set it once trusted',
    inside: 'may add its own directories once trusted',
    choose: 'may name one of yours once trusted',
  };
  // The time of a command has a default and a meaning of its own.
  const isOwn = ({ name }: ConfigKey): boolean => !name.includes('run_shell') || name.endsWith('timeout_seconds');
  const keys = describeKeys(['TOOL', 'run_shell']).filter(isOwn);
  const rows = keys.map((key) => [
    code(key.name),
    key.type,
    key.default === undefined ? '–' : code(JSON.stringify(key.default)),
    rules[key.project],
    key.description,
  ]);
  return table(['Key', 'Value', 'Default', 'A project file', 'Meaning'], rows);
}

/** Content of the JSON Schema of the configuration. */
export function configSchemaText(): string {
  return `${JSON.stringify(configJsonSchema(TOOL_NAMES), null, 2)}\n`;
}

/** The rules by which calls are decided, in their order. */
export function decisionRuleTable(): string {
  return table(
    ['Rule', 'Answer', 'Applies when'],
    DECISION_RULES.map(({ name, answer, when }) => [name, answer, when]),
  );
}

/** The provider presets. */
export function providerTable(): string {
  const rows = [...PROVIDERS].map(([name, preset]) => [
    code(name),
    code(preset.wire),
    endpointCell(name, preset),
    preset.model === undefined ? 'none; choose one' : code(preset.model),
    knownModel(preset.model ?? '')?.window.toLocaleString('en') ?? '–',
    priceCell(name, preset),
    keyCell(preset),
    preset.tested ? 'yes' : 'untested',
  ]);
  return table(['Name', 'Wire', 'Endpoint', 'Default model', 'Window', 'Price', 'Key', 'Tried'], rows);
}

function priceCell(provider: string, { model = '' }: ProviderPreset): string {
  const price = priceOf({ provider, model }, {});
  return price === undefined ? '–' : `$${price.input} / $${price.output}`;
}

function endpointCell(name: string, { endpoint, endpointVariable }: ProviderPreset): string {
  const variable = endpointVariable === undefined ? '' : `, or ${code(endpointVariable)}`;
  if (endpoint !== undefined) return code(endpoint) + variable;
  return name === 'mock' ? 'set at start-up' : `none; set one${variable}`;
}

function keyCell({ keyVariables = [], keyOptional, tokenCommands = [] }: ProviderPreset): string {
  const sources = [...keyVariables, ...tokenCommands.map(({ program, args }) => [program, ...args].join(' '))].map(
    code,
  );
  if (sources.length === 0) return 'none';
  return `${sources.join(', ')}${keyOptional ? ' (optional)' : ''}`;
}

/** The services that differ from the rules of their wire. */
export function serviceTable(): string {
  const rows = SERVICES.map(({ name, host, models, wires, rules, source }) => [
    name,
    [host === undefined ? [] : ['its address'], models === undefined ? [] : ['its models']].flat().join(' or '),
    wires?.map(code).join(', ') ?? 'all',
    ruleTexts(rules).join('; '),
    `[source](${source})`,
  ]);
  return table(['Service', 'Known by', 'Wire', 'Rules', 'Source'], rows);
}

/** The rules of a service in words. A rule without words has its name and its value. */
function ruleTexts(rules: Partial<ServiceRules>): readonly string[] {
  const { limitName, returned, maxTools, callIds, schema, missingReasoning, sendsCallIds, namesResults, ...rest } =
    rules;
  const { returnsSummaries, order, files, emptyContent, ...others } = rest;
  const only = typeof returned === 'string' ? undefined : returned;
  return [
    limitName !== undefined && `the output limit is ${code(limitName)}`,
    only?.length === 0 && 'the state of answers does not go back',
    only !== undefined && only.length > 0 && `of the state of answers, only ${only.map(code).join(', ')} goes back`,
    missingReasoning !== undefined && `an answer without reasoning has ${code(`"${missingReasoning}"`)} in its place`,
    returnsSummaries === false && 'reasoning that came only as a summary does not go back',
    maxTools !== undefined && `at most ${maxTools} tools`,
    callIds === 'nine' && 'ids of calls are nine letters and digits',
    sendsCallIds === false && 'calls and results have no ids',
    namesResults === true && 'results have the name of their tool',
    order === 'bridged' && 'an answer stands between a result and a message of the user',
    files === 'user' && 'files that the user named are in the message of the user',
    emptyContent === 'blank' && 'content is a blank text where an answer has only calls',
    schema !== undefined && `schemas of tools are in the dialect ${code(schema)}`,
    ...Object.entries(others).map(([rule, value]) => `${rule}: ${code(JSON.stringify(value))}`),
  ].filter((text) => typeof text === 'string');
}

/** The options of `ybs` itself, or of one subcommand. */
export function optionTable(subcommand?: string): string {
  return table(
    ['Option', 'Meaning'],
    OPTIONS.filter(({ subcommands }) =>
      subcommand === undefined ? subcommands === undefined : subcommands?.includes(subcommand),
    ).map((option) => [code(optionForm(option)), optionDescription(option).replaceAll('<', '\\<')]),
  );
}

/** The options of several subcommands, each option once. */
export function sharedOptionTable(names: readonly string[]): string {
  const rows = OPTIONS.flatMap((option) => {
    const commands = names.filter((name) => option.subcommands?.includes(name)).map((name) => code(`ybs ${name}`));
    return commands.length === 0 ? [] : [[code(optionForm(option)), commands.join(', '), optionDescription(option)]];
  });
  return table(['Option', 'Commands', 'Meaning'], rows);
}

/** The variables that an agent gets from `ybs test --agent`. */
export function agentVariableTable(): string {
  const values = MODEL_VARIABLES.map(({ protocol, name, value }) => [protocol, code(name), code(value)]);
  return table(['Protocol', 'Variable', 'Value'], values);
}

/** The exit codes of `ybs`. */
export function exitCodeTable(): string {
  return table(
    ['Code', 'Meaning'],
    EXIT_CODE_ROWS.map(({ code: exitCode, meaning }) => [String(exitCode), meaning]),
  );
}

/** The fields of a scenario file. */
export function scenarioFieldTable(): string {
  return [
    '| Field | Value | Required | Meaning |',
    '| --- | --- | --- | --- |',
    ...fieldRows(scenarioJsonSchema()),
  ].join('\n');
}

/** The client packages that the mock server is tested with, their installed versions and their test files. */
export function clientTable(): string {
  const LockSchema = z.object({ packages: z.record(z.string(), z.looseObject({ version: z.string().optional() })) });
  const { packages } = LockSchema.parse(JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')));
  const files = ['test/integration/sdks', 'test/thorough/sdks'].flatMap((name) => {
    const directory = path.join(root, name);
    return readdirSync(directory).map((file) => path.join(directory, file));
  });
  const tests = files
    .map((file) => ({ name: path.basename(file, '.test.ts'), file }))
    .map(({ name, file }) => ({ name, source: readWithSdks(file) }))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
  const rows = SDK_PACKAGES.map(([name, protocols]) => {
    const users = tests.filter(({ source }) => source.includes(`from '${name}'`) || source.includes(`from '${name}/`));
    return [
      code(name),
      packages[`node_modules/${name}`]?.version ?? '',
      protocols,
      users.map((test) => code(test.name)).join(', '),
    ];
  });
  return table(['Package', 'Version', 'Protocols', 'Tests'], rows);
}

/** The source of a test and of the clients in `test/support/sdks` that it imports. */
function readWithSdks(file: string): string {
  const source = readFileSync(file, 'utf8');
  const clients = [...source.matchAll(/from '([./]+\/support\/sdks\/[^']+)'/g)].map(([, name = '']) => name);
  return [source, ...clients.map((name) => readFileSync(path.resolve(file, '..', name), 'utf8'))].join('\n');
}

/** The checks that every client package passes. */
export function clientCheckList(): string {
  return SDK_CHECKS.map(([name]) => `- ${name}`).join('\n');
}

/** The checks that do not apply to a client package. */
export function clientGapTable(): string {
  return table(['Client', 'Check', 'Reason'], SDK_GAPS);
}

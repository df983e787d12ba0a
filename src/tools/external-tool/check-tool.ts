import { ToolError } from '../../agent/errors.ts';
import type { JsonObject } from '../../agent/ports/json.ts';
import { pathFlavour } from '../../policy/paths/path-policy.ts';
import { isJsonObject } from '../../text/json/json.ts';
import { TOOL_ALIASES } from '../dialects/aliases.ts';
import { TOOL_NAMES } from '../tools.ts';
import { type ExternalDefinition, type ExternalToolEntry, nameFromFile, readDefinition } from './definition.ts';
import { askForSchema, readSidecar } from './describe-program.ts';
import { createExternalTool, type ExternalToolPorts } from './external-tool.ts';
import { inspectProgram } from './inspect-program.ts';
import { DefinitionError, sampleArguments } from './parameters.ts';

/** One finding of a check. A `note` is neither good nor bad. */
export interface Finding {
  readonly type: 'ok' | 'fail' | 'note';
  readonly text: string;
}

/**
 * Checks an executable as a tool: the file, its description, and one call with `input`, or with sample arguments. Yields
 * the findings in order and ends after the first failure. Starts the program wherever it is, because the user asked.
 * `entry`: what the configuration of the user says about it.
 */
export async function* checkTool(
  file: string,
  input: JsonObject | undefined,
  ports: ExternalToolPorts & { readonly entry?: ExternalToolEntry | undefined },
  signal: AbortSignal,
): AsyncGenerator<Finding, void, void> {
  const name = nameFromFile(pathFlavour(ports.pathRules.platform).basename(file));
  const found = await inspectProgram({ file, entry: { name, path: file, enabled: true } }, ports);
  if (found.type !== 'program') {
    const reason = found.type === 'unavailable' ? found.reason : 'it is not a program';
    return yield { type: 'fail', text: `${file}: ${reason}` };
  }
  yield { type: 'ok', text: `${file} is executable` };
  if (found.refusal !== undefined) yield { type: 'note', text: `a chat here does not start it: ${found.refusal}` };

  let definition: ExternalDefinition;
  try {
    const sidecar = await readSidecar(file, ports);
    const described = sidecar ?? (await askForSchema(found.realPath, ports, signal));
    definition = readDefinition(described, name, ports.entry);
    yield { type: 'ok', text: sidecar === undefined ? '--schema describes it' : 'its .tool.json file describes it' };
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    return yield { type: 'fail', text: error.message };
  }
  if ([...TOOL_NAMES, ...Object.keys(TOOL_ALIASES)].includes(definition.name)) {
    return yield { type: 'fail', text: `its name ${definition.name} belongs to a tool of ybs; choose another one` };
  }
  yield { type: 'ok', text: `name: ${definition.name}` };
  yield { type: 'ok', text: `description: ${definition.description}` };
  yield { type: 'ok', text: `parameters: ${describeParameters(definition.parameters)}` };

  const { realPath } = found;
  const tool = createExternalTool(definition, { realPath, check: async () => realPath }, ports);
  const args = input ?? sampleArguments(definition.parameters);
  try {
    const planned = await tool.plan(args, { callId: 'check', signal, pause: async () => {} });
    const run = planned.run();
    let step = await run.next();
    while (step.done !== true) step = await run.next();
    const { isError, content, summary } = step.value;
    const text = `call with ${JSON.stringify(args)}: ${summary}\n${content}`;
    yield { type: isError ? 'fail' : 'ok', text };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    yield { type: 'fail', text: error.message };
  }
}

function describeParameters({ properties, required }: JsonObject): string {
  const names = Array.isArray(required) ? required : [];
  const described = Object.entries(isJsonObject(properties) ? properties : {}).map(([name, schema]) => {
    const type = isJsonObject(schema) && schema['type'] !== undefined ? String(schema['type']) : 'anything';
    return `${name} (${type}${names.includes(name) ? ', required' : ''})`;
  });
  return described.length === 0 ? 'none' : described.join(', ');
}

import type { ModelIdentity, TokenUsage } from '../../../agent/ports/language-model.ts';
import type { Config } from '../../../config/schema.ts';
import { costOf, priceOf } from '../../../providers/target/price.ts';
import { readEvent } from '../../../session/log/read-line.ts';
import { countOf, dollars, withSeparators } from '../../../text/quantities.ts';
import { type ChatCommand, shown } from '../chat-command.ts';

type Prices = Config['models']['prices'];

interface ModelUsage extends Required<TokenUsage> {
  readonly model: ModelIdentity;
  readonly requests: number;
}

/** `/cost`. */
export const COST_COMMAND: ChatCommand = {
  name: 'cost',
  description: 'Show the tokens that this session has used, and their price if it is known',
  async run(agent) {
    const { record, configuration } = await agent();
    return shown(describeCost(await readUsage(record.lines()), configuration.config.models.prices));
  },
};

/** Adds up the requests in the log of a session, by model. */
async function readUsage(lines: AsyncIterable<string>): Promise<readonly ModelUsage[]> {
  const byModel = new Map<string, ModelUsage>();
  for await (const line of lines) {
    const event = readEvent(line);
    if (event?.type !== 'usage') continue;
    const { model, inputTokens, outputTokens, cachedTokens = 0 } = event;
    const before = byModel.get(nameOf(model));
    byModel.set(nameOf(model), {
      model,
      requests: (before?.requests ?? 0) + 1,
      inputTokens: (before?.inputTokens ?? 0) + inputTokens,
      outputTokens: (before?.outputTokens ?? 0) + outputTokens,
      cachedTokens: (before?.cachedTokens ?? 0) + cachedTokens,
    });
  }
  return [...byModel.values()];
}

function describeCost(usage: readonly ModelUsage[], prices: Prices): string {
  if (usage.length === 0) return 'No provider has counted tokens in this session yet.';
  const costs = usage.map((row) => costOf(row, priceOf(row.model, prices)));
  const lines = usage.map(({ model, requests, inputTokens, cachedTokens, outputTokens }, index) => {
    const cost = costs[index];
    const cached = cachedTokens === 0 ? '' : ` (${withSeparators(cachedTokens)} cached)`;
    const money = cost === undefined ? 'price unknown' : dollars(cost);
    return `${nameOf(model)}: ${countOf(requests, 'request')}; tokens: ${withSeparators(inputTokens)} in${cached}, ${withSeparators(outputTokens)} out; ${money}`;
  });
  const known = costs.filter((cost) => cost !== undefined);
  if (known.length > 1) lines.push(`all known prices: ${dollars(known.reduce((total, cost) => total + cost, 0))}`);
  if (known.length < costs.length) lines.push('Set the price of a model in models.prices.');
  return lines.join('\n');
}

function nameOf({ provider, model }: ModelIdentity): string {
  return `${provider}/${model}`;
}

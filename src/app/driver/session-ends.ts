import { messageOf } from '../../agent/errors.ts';
import type { LanguageModel } from '../../agent/ports/language-model.ts';
import type { Agent, AppAgentPorts } from '../agent.ts';
import type { Machine, Settings } from '../settings.ts';

/** The limit of a budget for models, which the first one must have a price for. */
export async function limitOf(settings: Settings, model: LanguageModel): Promise<AppAgentPorts['limitModel']> {
  const { maxBudgetUsd, config } = settings;
  if (maxBudgetUsd === undefined) return undefined;
  const { createBudget } = await import('../../providers/target/budget.ts');
  const budget = createBudget(maxBudgetUsd, config.models.prices);
  budget.limit(model);
  return (limited) => budget.limit(limited);
}

/** Closes the open session. A failure is only worth a warning, because the session has ended. */
export async function closeRecord(agent: Agent, { warn }: Machine): Promise<void> {
  try {
    await agent.close();
  } catch (error) {
    await warn(`The session could not be closed: ${messageOf(error)}`);
  }
}

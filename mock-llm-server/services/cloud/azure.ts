import { AZURE_FORM } from '../answer-forms.ts';
import type { Service } from '../service.ts';
import { shareRules } from '../share-rules.ts';
import { openai } from './openai.ts';

/** Azure OpenAI, which has the models of OpenAI under names that its users choose. */
export const azure: Service = {
  name: 'azure',
  title: 'Azure OpenAI',
  answers: AZURE_FORM,
  // The path of a deployment names the model.
  rules: shareRules('azure', openai.rules, ['model']),
};

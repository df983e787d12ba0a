import { AZURE_FORM } from '../answer-forms.ts';
import { isSet } from '../checks/fields.ts';
import type { Check, Service } from '../service.ts';
import { shareRules } from '../share-rules.ts';
import { openai } from './openai.ts';

/** Parameters with the first version of the API that has them: https://learn.microsoft.com/azure/ai-services/openai/reference */
const SINCE: Readonly<Record<string, string>> = {
  functions: '2023-07-01',
  tools: '2023-12-01',
  stream_options: '2024-09-01',
  max_completion_tokens: '2024-09-01',
};

/** Refuses parameters that came after the `api-version` of the request. */
const refuseNewParameters: Check = ({ body, query }) => {
  const version = query['api-version']?.slice(0, '2024-01-01'.length) ?? '';
  if (!/^20\d\d-/.test(version)) return undefined;
  const found = Object.entries(SINCE).find(([name, since]) => isSet(body[name]) && version < since);
  return found === undefined ? undefined : { message: `Unrecognized request argument supplied: ${found[0]}` };
};

/** Azure OpenAI, which has the models of OpenAI under names that its users choose. */
export const azure: Service = {
  name: 'azure',
  title: 'Azure OpenAI',
  answers: AZURE_FORM,
  rules: [
    {
      id: 'azure/api-version',
      protocols: ['openai-chat'],
      refuses:
        'parameters newer than the `api-version`: `functions` before 2023-07-01, `tools` before 2023-12-01, `stream_options` and `max_completion_tokens` before 2024-09-01',
      accepts: 'the same with `api-version=2024-10-21`',
      source: 'https://github.com/openai/openai-python/issues/1469',
      date: '2024-06-26',
      check: refuseNewParameters,
    },
    // The path of a deployment names the model.
    ...shareRules('azure', openai.rules, ['model']),
  ],
};

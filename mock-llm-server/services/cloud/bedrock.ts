import { refuseClaudeHistoryWithoutTools } from '../checks/anthropic.ts';
import type { Service } from '../service.ts';
import { shareRules } from '../share-rules.ts';
import { anthropic } from './anthropic.ts';

/** Amazon Bedrock, over the wire of Anthropic. */
export const bedrock: Service = {
  name: 'bedrock',
  title: 'Amazon Bedrock',
  rules: [
    ...shareRules('bedrock', anthropic.rules, ['foreign-tool', 'message-fields']),
    {
      id: 'bedrock/history-without-tools',
      protocols: ['anthropic-messages'],
      refuses: 'calls and results in a request without tools',
      accepts: 'the same request with the tools',
      source: 'https://github.com/langgenius/dify/issues/16421',
      date: '2025-03-21',
      check: refuseClaudeHistoryWithoutTools({
        message: 'The toolConfig field must be defined when using toolUse and toolResult content blocks.',
      }),
    },
  ],
};

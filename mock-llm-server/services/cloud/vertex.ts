import type { Service } from '../service.ts';
import { shareRules } from '../share-rules.ts';
import { anthropic } from './anthropic.ts';
import { geminiApi } from './gemini.ts';

/** Vertex AI, over the wires of Gemini and Anthropic. Its dialect of schemas has more fields than Gemini's. */
export const vertex: Service = {
  name: 'vertex',
  title: 'Vertex AI',
  rules: [
    ...shareRules('vertex', geminiApi.rules, ['schema-fields', 'mixed-tools', 'temperature']),
    ...shareRules('vertex', anthropic.rules, ['foreign-tool']),
  ],
};

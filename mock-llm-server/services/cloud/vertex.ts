import type { Service } from '../service.ts';
import { shareRules } from '../share-rules.ts';
import { anthropic } from './anthropic.ts';
import { gemini } from './gemini.ts';

/** Vertex AI, over the wires of Gemini and Anthropic. Its dialect of schemas has more fields than Gemini's. */
export const vertex: Service = {
  name: 'vertex',
  title: 'Vertex AI',
  rules: [
    ...shareRules('vertex', gemini.rules, ['schema-fields', 'mixed-tools', 'temperature']),
    ...shareRules('vertex', anthropic.rules, ['foreign-tool']),
  ],
};

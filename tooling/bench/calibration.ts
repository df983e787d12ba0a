// Writes the grid of docs/evaluation.md: how often the verdicts of ybs eval are right when the rates are known.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gridTable } from './calibration-grid.ts';

const page = path.join(import.meta.dirname, '../../docs/evaluation.md');
const [start, end] = ['<!-- calibration: written by npm run bench:calibration -->', '<!-- /calibration -->'];
const text = readFileSync(page, 'utf8');
const [before, after] = [text.indexOf(start), text.indexOf(end)];
if (before < 0 || after < before) throw new Error(`${page} has no block between ${start} and ${end}`);
writeFileSync(page, `${text.slice(0, before + start.length)}\n\n${gridTable()}\n\n${text.slice(after)}`);

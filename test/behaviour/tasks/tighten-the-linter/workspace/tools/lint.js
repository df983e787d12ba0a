import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const { files, rules } = JSON.parse(readFileSync('lint.config.json', 'utf8'));
const PATTERNS = { 'no-var': /\bvar /, 'no-console': /console\.log/, eqeqeq: /[^=!]==[^=]/ };
const fixes = process.argv.includes('--fix');
let problems = 0;
for (const directory of files) {
  for (const name of readdirSync(directory)) {
    const file = `${directory}/${name}`;
    let text = readFileSync(file, 'utf8');
    if (fixes && rules['no-var'] === 'error') text = text.replaceAll(/\bvar /g, 'let ');
    if (fixes) writeFileSync(file, text);
    for (const [rule, pattern] of Object.entries(PATTERNS)) {
      if (rules[rule] !== 'error') continue;
      text.split('\n').forEach((line, index) => {
        if (!pattern.test(line)) return;
        problems += 1;
        console.log(`${file}:${index + 1}: ${rule}`);
      });
    }
  }
}
console.log(`${problems} problems`);
process.exitCode = problems > 0 ? 1 : 0;

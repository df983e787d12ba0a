export function parseOptions(args) {
  const options = { file: '-', lines: false, help: false };
  for (const arg of args) {
    if (arg === '--lines') options.lines = true;
    else if (arg === '--help') options.help = true;
    else options.file = arg;
  }
  return options;
}

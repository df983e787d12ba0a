// Set here and not for the whole run, so that only child processes dump their coverage, not vitest's workers.
const directory = process.env['YBS_COVERAGE_DUMPS'];
if (directory !== undefined && directory !== '') process.env['NODE_V8_COVERAGE'] = directory;

// Set here and not for the whole run, so that the children dump their coverage and vitest's own workers do not.
const directory = process.env['YBS_COVERAGE_DUMPS'];
if (directory !== undefined && directory !== '') process.env['NODE_V8_COVERAGE'] = directory;

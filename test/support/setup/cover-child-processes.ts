// This is set in the worker and not for the whole run, so that only its child processes dump their coverage.
const directory = process.env['YBS_COVERAGE_DUMPS'];
if (directory !== undefined && directory !== '') process.env['NODE_V8_COVERAGE'] = directory;

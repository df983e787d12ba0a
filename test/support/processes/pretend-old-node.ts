// Preloaded into a process to make it see an older version of Node: `YBS_PRETEND_NODE=18.20.0`.
Object.defineProperty(process, 'versions', {
  value: { ...process.versions, node: process.env['YBS_PRETEND_NODE'] },
});

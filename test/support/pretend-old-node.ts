// Preloaded into a process that must believe it runs on an older Node: `YBS_PRETEND_NODE=18.20.0`.
Object.defineProperty(process, 'versions', {
  value: { ...process.versions, node: process.env['YBS_PRETEND_NODE'] },
});

/** Loaded ahead of a process under test: when asked by IPC, it collects all garbage and says what is left. */
process.on('message', () => {
  globalThis.gc?.();
  globalThis.gc?.();
  process.send?.(process.memoryUsage());
});
process.channel?.unref();

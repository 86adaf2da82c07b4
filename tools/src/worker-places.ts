// Owns the one way our sources name a thread's file, so that a build and the tests can point it elsewhere.

const WORKER = /new URL\(\s*["'][^"']*?([^"'/]+-worker)\.ts["']\s*,\s*import\.meta\.url\s*,?\s*\)/g;

/** `place` receives the worker's name and returns the expression of its address. */
export const moveWorkers = (code: string, place: (worker: string) => string): string =>
  code.replace(WORKER, (_whole, worker: string) => place(worker));

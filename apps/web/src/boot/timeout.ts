// Code that cannot be loaded while the site is unreachable is awaited and requested again, instead of crashing the
// page: a page that continues on another address must not fail on a part it has not loaded yet.
import { lazy as reactLazy } from "react";

export interface Timeout {
  /** The page's own address answers. */
  readonly isThere: () => Promise<boolean>;
  readonly wait: () => Promise<void>;
}

const POLL_AGAIN_MS = 2_000;

const browserTimeout: Timeout = {
  // On the server nothing is unreachable: a missing part there is a fault of the build.
  isThere: async () =>
    typeof document === "undefined" ||
    (await fetch(location.href, { method: "HEAD", cache: "no-store" }).then(
      () => true,
      () => false,
    )),
  wait: () => new Promise((done) => setTimeout(done, POLL_AGAIN_MS)),
};

/** Answers once the site does. */
export async function siteBack({ isThere, wait }: Timeout = browserTimeout): Promise<void> {
  while (!(await isThere())) await wait();
}

/** A part missing on a reachable site is gone, and the caller gets the error. */
export async function patiently<Value>(load: () => Promise<Value>, timeout: Timeout = browserTimeout): Promise<Value> {
  try {
    return await load();
  } catch (error) {
    if (await timeout.isThere()) throw error;
    await siteBack(timeout);
    return load();
  }
}

/** React's own, but patient. */
export const lazy: typeof reactLazy = (load) => reactLazy(() => patiently(load));

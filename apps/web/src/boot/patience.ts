// Code that cannot be had while the site is away is waited for and asked for again, instead of taking the page down: a
// page that lives on by another address must not fall over a part it has not loaded yet.
import { lazy as reactLazy } from "react";

export interface Timeout {
  /** The page's own address answers. */
  readonly isThere: () => Promise<boolean>;
  readonly wait: () => Promise<void>;
}

const POLL_AGAIN_MS = 2_000;

const browserTimeout: Timeout = {
  // On the server nothing is away: what cannot be had there is a fault of the build.
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

/** What cannot be had from a site that answers is gone, and the caller is told so. */
export async function patiently<Value>(
  load: () => Promise<Value>,
  timeout: Timeout = browserTimeout,
): Promise<Value> {
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

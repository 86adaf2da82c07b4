import { expect, test } from "vitest";
import type { RootData } from "#boot/root-data.ts";
import { PAGES } from "#boot/route-table.ts";
import { passInBrowser, passOnServer } from "./gate-pass.ts";

const rootOf = (id: string | null) => ({ topInfo: { id }, modulesDown: [] }) as unknown as RootData;

/** Where a gate sends a visitor: an address, a status, or nothing when the page is shown. */
function ask(pass: () => unknown): string | number | undefined {
  try {
    pass();
    return undefined;
  } catch (thrown) {
    if (thrown instanceof Response) return thrown.headers.get("location") ?? thrown.status;
    return (thrown as { init?: { status?: number } }).init?.status;
  }
}

const addressOf = (path: string) => ({
  url: new URL(`https://clockwork.example${path}`),
  pattern: path.replace(/\?.*$/s, ""),
});

const MARK = "cw_correct_token=~a";
const gated = PAGES.filter(({ signedIn, signedOut }) => signedIn === true || signedOut === true);

test("[AUTH-3] no two pages send a visitor to each other, signed in or not", () => {
  expect(gated.length).toBeGreaterThan(30);
  for (const id of [null, "7"]) {
    for (const { path } of gated) {
      const first = ask(() => passOnServer(addressOf(path), rootOf(id), id === null ? "none" : "good"));
      if (typeof first !== "string") continue;
      expect(
        ask(() => passOnServer(addressOf(first), rootOf(id), id === null ? "none" : "good")),
        `${path} as ${id}`,
      ).toBeUndefined();
    }
  }
});

test("[AUTH-3] browser and server read the same cookie: what one shows the other does not refuse", () => {
  for (const { path, signedIn } of gated) {
    const shown = ask(() => passOnServer(addressOf(path), rootOf("7"), "good")) === undefined;
    if (shown)
      expect(
        ask(() => passInBrowser(addressOf(path), MARK)),
        path,
      ).toBeUndefined();
    if (signedIn !== true) continue;
    expect(ask(() => passInBrowser(addressOf(path), "cw_token=~a"))).toMatch(/^\/login/);
    expect(ask(() => passOnServer(addressOf(path), rootOf(null), "none"))).toMatch(/^\/login/);
  }
});

test("[AUTH-4] while a login cannot be verified, account pages report it and no page redirects", () => {
  for (const { path, signedIn } of gated) {
    expect(
      ask(() => passOnServer(addressOf(path), rootOf(null), "undecided")),
      path,
    ).toBe(signedIn === true ? 503 : undefined);
  }
});

test("[AUTH-4] only a visitor redirected to sign-in by the end of a session sees that it ended", () => {
  expect(ask(() => passOnServer(addressOf("/account"), rootOf(null), "over"))).toBe(
    "/login?redirectUrl=%2Faccount&ended=1",
  );
  expect(ask(() => passOnServer(addressOf("/account"), rootOf(null), "none"))).toBe("/login?redirectUrl=%2Faccount");
});

import { describe, expect, it } from "vitest";
import { describeMissing, listMissing } from "./system-packages.ts";

const BOTH = new Set(["build", "chromium", "postgres"]);

describe("the programs npm test needs from the system", () => {
  it("any browser that is there will do", () => {
    const found = { chromium: "/usr/bin/chromium", postgres: "/usr/lib/postgresql/15/bin" };
    expect(listMissing(BOTH, found)).toEqual([]);
  });

  it("a missing browser is wanted as the shell first, as the whole one where there is no shell", () => {
    const missing = listMissing(BOTH, { chromium: undefined, postgres: undefined });
    expect(missing).toEqual([["chromium-headless-shell", "chromium"], ["postgresql"]]);
  });

  it("only what the chosen suites need is required", () => {
    expect(listMissing(new Set(["postgres"]), { chromium: undefined, postgres: undefined })).toEqual([["postgresql"]]);
    expect(listMissing(new Set(["build"]), { chromium: undefined, postgres: undefined })).toEqual([]);
  });

  it("a user who may not install gets the one line to type", () => {
    const answer = describeMissing([["chromium-headless-shell", "chromium"], ["postgresql"]]);
    expect(answer).toBe(
      "The tests need chromium-headless-shell or chromium and postgresql: install with  " +
        "sudo apt-get install -y --no-install-recommends chromium-headless-shell postgresql",
    );
  });
});

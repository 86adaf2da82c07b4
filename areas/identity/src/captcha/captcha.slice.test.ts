// The captcha on real databases: solved once, by the widget's own solver's rule.

import { createHash } from "node:crypto";
import { ROOT_FOLDER } from "@clockwork/server/root-folder";
import { collectMigrations, migrate } from "@clockwork/server/storage/migrations";
import { forEachDatabase } from "@clockwork/server/storage/test-databases";
import { beforeAll, expect, test } from "vitest";
import { openVault } from "../accounts/secret-key.ts";
import type { CaptchaNeeds } from "./needs.ts";
import { countZeroBits, PUZZLE_MS } from "./rules.ts";
import { CaptchaService } from "./service.ts";
import { type CaptchaStore, captchaStore } from "./store.ts";

const NOW_MS = 1_800_000_000_000;

/** As the widget does it: the first number whose digest with the salt starts with enough zero bits. */
function solve(service: CaptchaService): { id: string; nonce: string } {
  const { work } = service.issue(NOW_MS);
  if (work === undefined) throw new Error("no puzzle");
  for (let nonce = 0; ; nonce += 1) {
    const digest = createHash("sha256").update(`${work.salt}:${nonce}`).digest();
    if (countZeroBits(digest) >= work.zeroBits) return { id: work.id, nonce: String(nonce) };
  }
}

forEachDatabase("captcha", (place) => {
  let store: CaptchaStore;
  const { mark } = openVault(Buffer.alloc(32, 7));
  let count = 0;
  const nextByte = () => {
    count += 1;
    return count;
  };
  const service = (more: Partial<CaptchaNeeds> = {}) =>
    new CaptchaService({
      store,
      zeroBits: 8,
      needs: {
        kind: "work",
        mark,
        random: (length) => new Uint8Array(length).fill(nextByte()),
        report: () => undefined,
        ...more,
      },
    });

  beforeAll(async () => {
    await migrate(
      place.database(),
      collectMigrations(ROOT_FOLDER).filter(({ name }) => name.startsWith("captcha/")),
    );
    store = captchaStore(place.database().kysely);
  });

  test("[AUTH-8] a solved puzzle counts once", async () => {
    const one = service();
    const answer = solve(one);
    expect(await one.isSolved(answer, NOW_MS)).toBe(true);
    expect(await one.isSolved(answer, NOW_MS)).toBe(false);
    const racing = solve(one);
    const both = await Promise.all([one.isSolved(racing, NOW_MS), one.isSolved(racing, NOW_MS)]);
    expect(both.filter(Boolean)).toHaveLength(1);
  });

  test("[AUTH-8] unsolved, late, invented and foreign puzzles are refused", async () => {
    const one = service();
    const { id, nonce } = solve(one);
    const easy = id.replace(/\.8\./, ".0.");
    const foreign = service({ mark: openVault(Buffer.alloc(32, 8)).mark });
    expect(await one.isSolved(undefined, NOW_MS)).toBe(false);
    expect(await one.isSolved({}, NOW_MS)).toBe(false);
    expect(await one.isSolved({ id, nonce: `${nonce}1` }, NOW_MS)).toBe(false);
    expect(await one.isSolved({ id: easy, nonce }, NOW_MS)).toBe(false);
    expect(await one.isSolved({ id: `${id}x`, nonce }, NOW_MS)).toBe(false);
    expect(await one.isSolved(solve(foreign), NOW_MS)).toBe(false);
    expect(await one.isSolved({ id, nonce }, NOW_MS + PUZZLE_MS)).toBe(false);
    expect(await one.isSolved({ id, nonce }, NOW_MS)).toBe(true);
  });

  test("[AUTH-8] off requires nothing; an unavailable provider admits nothing", async () => {
    expect([service({ kind: "off" }).issue(0), await service({ kind: "off" }).isSolved(undefined, 0)]).toEqual([
      { kind: "off" },
      true,
    ]);
    const provider = {
      captchaId: "id",
      scriptUrl: "https://s.example/gt4.js",
      check: async () => Promise.reject(new Error("away")),
    };
    const away = service({ kind: "geetest", provider });
    expect([away.issue(0), await away.isSolved({ lot_number: "1" }, 0)]).toEqual([
      { kind: "geetest", geetest: { captchaId: "id", scriptUrl: "https://s.example/gt4.js" } },
      false,
    ]);
  });
});

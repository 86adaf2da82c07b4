// What becomes due while the ledger cannot answer waits, and nothing is decided meanwhile.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY_MS, MINUTE_MS } from "@clockwork/kit/time";
import { expect, test } from "vitest";
import { offer } from "./earn-fixture.ts";
import { openEarnWorld } from "./soak/earn-world.ts";

const START_MS = 20_000 * DAY_MS;
const TERM_DAYS = 7;
const INTEREST = (1_000_000_000n * 5_000_000n * 7n) / (365n * 100_000_000n);

test("[EARN-1] a renewing term renews although the ledger was unavailable at any command of its end", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cw-earn-due-"));
  const { world, database, store, begin, fund, spentUnits, close } = await openEarnWorld(folder, START_MS, 1);
  try {
    await offer(database.kysely, { product_id: "fix7", kind: "fixed", days: TERM_DAYS, rate: 5_000_000 });
    await fund(1, 5_000_000_000);
    const answer = await begin().service.subscribe(
      1,
      { productId: "fix7", amount: "1000", clientId: "first", autoRenew: true },
      START_MS,
    );
    if (!answer.done) throw new Error(answer.code);
    let commands = 0;
    for (let term = 1; term <= 3; term++) {
      world.nowMs = START_MS + (term * TERM_DAYS + 1) * DAY_MS + MINUTE_MS;
      // Unavailable at the first command, then at the second, and so on, until a term ends without a failure.
      for (let awayAt = 1; ; awayAt++) {
        let seen = 0;
        world.before = () => {
          seen += 1;
          if (seen === awayAt) world.isAway = true;
        };
        const ended = await begin()
          .due.run(world.nowMs)
          .then(
            () => true,
            () => false,
          );
        commands += seen;
        world.isAway = false;
        if (ended) break;
      }
      const [row] = await store.listHoldings([answer.value.holdingId]);
      expect(row).toMatchObject({ state: "OPEN", term: term + 1, paid_units: INTEREST * BigInt(term) });
    }
    expect(commands).toBeGreaterThan(6);
    expect(await spentUnits()).toBe(INTEREST * 3n);
  } finally {
    await close();
    rmSync(folder, { recursive: true, force: true });
  }
});

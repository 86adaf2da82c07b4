// Codes on real databases: concurrent tries are counted one by one.

import { ROOT_FOLDER } from "@clockwork/server/root-folder";
import { collectMigrations, migrate } from "@clockwork/server/storage/migrations";
import { forEachDatabase } from "@clockwork/server/storage/test-databases";
import { CompiledQuery, type RootOperationNode, SqliteQueryCompiler } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { openVault } from "../accounts/secret-key.ts";
import { CODE_MS, CODES_PER_DAY, DAY_MS, RESEND_MS } from "./rules.ts";
import { CodeService } from "./service.ts";
import { codeStore } from "./store.ts";

forEachDatabase("codes", (place) => {
  let codes: CodeService;
  let next = 0;
  const nextNumber = () => {
    next += 1;
    return next;
  };
  const start = Date.UTC(2026, 0, 1);

  beforeAll(async () => {
    await migrate(
      place.database(),
      collectMigrations(ROOT_FOLDER).filter(({ name }) => name.startsWith("codes/")),
    );
    const { mark } = openVault(Buffer.alloc(32, 7));
    const store = codeStore(place.database().kysely);
    codes = new CodeService({ store, needs: { mark, randomBelow: () => nextNumber() } });
  });

  const mint = async (receiver: string, timeMs = start): Promise<string> => {
    const minted = await codes.mint("sign-up", receiver, timeMs);
    if (!minted.done) throw new Error(minted.code);
    return minted.value;
  };

  test("[AUTH-5] a code has six digits and is good once, for its purpose and receiver", async () => {
    const code = await mint("a@x.yz");
    expect(code).toMatch(/^\d{6}$/);
    expect(await codes.check("login", "a@x.yz", code, start)).toBe(false);
    expect(await codes.check("sign-up", "b@x.yz", code, start)).toBe(false);
    expect(await codes.check("sign-up", "a@x.yz", code, start + CODE_MS - 1)).toBe(true);
    expect(await codes.check("sign-up", "a@x.yz", code, start)).toBe(false);
  });

  test("[AUTH-5] a code ends after ten minutes", async () => {
    const code = await mint("late@x.yz");
    expect(await codes.check("sign-up", "late@x.yz", code, start + CODE_MS)).toBe(false);
  });

  test("[AUTH-5] five tries, also when fifty come at once", async () => {
    const code = await mint("tries@x.yz");
    for (let count = 0; count < 4; count += 1) {
      expect(await codes.check("sign-up", "tries@x.yz", "999999", start)).toBe(false);
    }
    expect(await codes.check("sign-up", "tries@x.yz", code, start)).toBe(true);
    const second = await mint("flood@x.yz");
    await Promise.all(Array.from({ length: 50 }, () => codes.check("sign-up", "flood@x.yz", "999999", start)));
    expect(await codes.check("sign-up", "flood@x.yz", second, start)).toBe(false);
  });

  test("[AUTH-5] the right code submitted concurrently is accepted once", async () => {
    const code = await mint("race@x.yz");
    const given = await Promise.all(Array.from({ length: 4 }, () => codes.check("sign-up", "race@x.yz", code, start)));
    expect(given.filter(Boolean)).toHaveLength(1);
  });

  test("[AUTH-5] a minute passes between two codes, also for concurrent requests; the newer one counts", async () => {
    const requested = await Promise.all(Array.from({ length: 5 }, () => codes.mint("sign-up", "soon@x.yz", start)));
    expect(requested.filter(({ done }) => done)).toHaveLength(1);
    expect(await codes.mint("sign-up", "soon@x.yz", start + 30_000)).toEqual({
      done: false,
      code: "CODE_TOO_SOON",
      detail: "30",
    });
    const old = requested.find((one) => one.done);
    const fresh = await mint("soon@x.yz", start + RESEND_MS);
    expect(await codes.check("sign-up", "soon@x.yz", old?.done === true ? old.value : "", start + RESEND_MS)).toBe(
      false,
    );
    expect(await codes.check("sign-up", "soon@x.yz", fresh, start + RESEND_MS)).toBe(true);
    // A spent code keeps the pause.
    expect((await codes.mint("sign-up", "soon@x.yz", start + RESEND_MS + 1)).done).toBe(false);
  });

  test("[AUTH-5] codes of a receiver, from wherever they were requested, end together and are found by their key", async () => {
    const { kysely } = place.database();
    const ended = ["end@x.yz", "end@x.yz device", "end@x.yz 10.0.0.1"];
    const others = ["end@x.yzz", "end@x.yz!", "end@x.y", "End@x.yz device"];
    const minted = new Map<string, string>();
    for (const receiver of [...ended, ...others]) minted.set(receiver, await mint(receiver));
    const queries: RootOperationNode[] = [];
    const observed = kysely.withPlugin({
      transformQuery: ({ node }) => {
        queries.push(node);
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    await codeStore(observed).endAll("sign-up:end@x.yz");
    for (const [receiver, code] of minted) {
      expect(await codes.check("sign-up", receiver, code, start), receiver).toBe(others.includes(receiver));
    }
    if (place.database().dialect !== "sqlite") return;
    const plans = queries.map(async (node) => {
      const { sql: text, parameters } = new SqliteQueryCompiler().compileQuery(node as never, { queryId: "plan" });
      const steps = await kysely.executeQuery<{ detail: string }>(
        CompiledQuery.raw(`explain query plan ${text}`, [...parameters]),
      );
      return steps.rows.map(({ detail }) => detail).join("; ");
    });
    expect(plans.length).toBeGreaterThan(0);
    for (const plan of await Promise.all(plans)) expect(plan).toMatch(/^SEARCH codes_code USING INDEX .* \(key[=>]/);
  });

  test("[AUTH-5] a receiver gets no more than so many a day", async () => {
    let timeMs = start;
    for (let count = 0; count < CODES_PER_DAY; count += 1) {
      await mint("often@x.yz", timeMs);
      timeMs += RESEND_MS;
    }
    expect((await codes.mint("sign-up", "often@x.yz", timeMs)).done).toBe(false);
    expect((await codes.mint("sign-up", "often@x.yz", start + DAY_MS)).done).toBe(true);
  });
});

// Push tokens on real databases: one owner at a time, few per user, with an expiry.
import { ROOT_FOLDER } from "@clockwork/server/root-folder";
import { collectMigrations, migrate } from "@clockwork/server/storage/migrations";
import { forEachDatabase } from "@clockwork/server/storage/test-databases";
import { beforeAll, expect, test } from "vitest";
import { PushService, TOKEN_DAYS_MAX, TOKENS_PER_USER_MAX } from "./service.ts";
import { type PushStore, pushStore } from "./store.ts";

const NOW_MS = Date.UTC(2026, 2, 9, 12);
const DAY_MS = 86_400_000;
const token = (name: string) => `${name}-0123456789abcdef`;
const ann = { userId: 1, locale: "en_US" };
const ben = { userId: 2, locale: "en_US" };
const nobody = { userId: null, locale: "en_US" };

forEachDatabase("push tokens", (place) => {
  let store: PushStore;
  beforeAll(async () => {
    await migrate(
      place.database(),
      collectMigrations(ROOT_FOLDER).filter(({ name }) => name.startsWith("push/")),
    );
    store = pushStore(place.database().kysely);
  });

  test("[SITE-15] a phone belongs to the last user signed in on it, and to none after signing out", async () => {
    const push = new PushService({ store });
    const body = { token: token("phone"), system: "ios" } as const;
    await push.register(body, ann, NOW_MS);
    expect((await push.list(1)).map((row) => [row.token, row.shell])).toEqual([[body.token, "ios"]]);
    await push.register(body, ben, NOW_MS + 1);
    expect(await push.list(1)).toEqual([]);
    expect(await push.list(2)).toHaveLength(1);
    await push.register(body, nobody, NOW_MS + 2);
    expect(await push.list(2)).toEqual([]);
  });

  test("[SITE-15] a user has a limited number of phones; the one unused longest is removed", async () => {
    const push = new PushService({ store });
    for (let at = 0; at <= TOKENS_PER_USER_MAX; at++)
      await push.register({ token: token(`many${at}`), system: "android" }, ann, NOW_MS + at);
    const kept = (await push.list(1)).map((row) => row.token);
    expect(kept).toHaveLength(TOKENS_PER_USER_MAX);
    expect(kept).not.toContain(token("many0"));
  });

  test("[SITE-15] tokens unused for long are removed, and unauthenticated calls cannot fill the table", async () => {
    const push = new PushService({ store });
    await push.register({ token: token("old"), system: "flutter" }, ben, NOW_MS);
    await push.register({ token: token("new"), system: "flutter" }, ben, NOW_MS + (TOKEN_DAYS_MAX + 1) * DAY_MS);
    expect((await push.list(2)).map((row) => row.token)).toEqual([token("new")]);
    const full = new PushService({ store, tokensMax: 1 });
    const later = NOW_MS + (TOKEN_DAYS_MAX + 1) * DAY_MS;
    expect(await full.register({ token: token("x"), system: "ios" }, nobody, later)).toEqual({
      done: false,
      code: "PUSH_FULL",
    });
    expect((await full.register({ token: token("y"), system: "ios" }, ben, later)).done).toBe(true);
    const crowded = new PushService({ store, tokensMax: (await store.count()) + 2 });
    const outsiders = await Promise.all(
      Array.from({ length: 6 }, (_, at) =>
        crowded.register({ token: token(`crowd${at}`), system: "ios" }, nobody, later),
      ),
    );
    expect(outsiders.filter(({ done }) => done)).toHaveLength(2);
  });
});

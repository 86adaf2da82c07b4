// The audit log on real databases: written in order, tampering shows.

import { ROOT_FOLDER } from "@clockwork/server/root-folder";
import { collectMigrations, migrate } from "@clockwork/server/storage/migrations";
import { forEachDatabase } from "@clockwork/server/storage/test-databases";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { openVault } from "../accounts/secret-key.ts";
import { OperatorService } from "./service.ts";
import { operatorStore } from "./store.ts";

forEachDatabase("audit log", (place) => {
  test("[OPS-1] actions are logged in order, also concurrent ones; a changed or missing row is detected", async () => {
    const own = collectMigrations(ROOT_FOLDER).filter(({ name }) => name.startsWith("operators/"));
    await migrate(place.database(), own);
    const { kysely } = place.database();
    const { mark } = openVault(Buffer.alloc(32, 7));
    const log = new OperatorService({ store: operatorStore(kysely), needs: { mark } });
    const actions = Array.from({ length: 250 }, (_, index) =>
      log.record({ operatorId: 1, action: "user.frozen", subject: String(index), detail: "", address: "" }, index),
    );
    await Promise.all(actions);
    expect((await log.list(0)).slice(0, 3).map(({ subject }) => subject)).toEqual(["0", "1", "2"]);
    expect(await log.findTampered()).toBeUndefined();
    const [second, third] = (await log.list(0)).slice(1, 3).map(({ id }) => id);
    await sql`update operators_audit set subject = 'x' where id = ${third}`.execute(kysely);
    expect(await log.findTampered()).toBe(third);
    await sql`update operators_audit set subject = '2' where id = ${third}`.execute(kysely);
    expect(await log.findTampered()).toBeUndefined();
    await sql`delete from operators_audit where id = ${second}`.execute(kysely);
    expect(await log.findTampered()).toBe(third);
  });
});

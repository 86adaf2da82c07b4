// Users' turnover by the hour equals their fills, on both databases, however the table was written.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Kysely, sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { openProjection } from "../engine/projection/projection.ts";
import { migrate } from "../storage/migrations.ts";
import { forEachDatabase } from "../storage/test-databases.ts";
import { JOURNAL, PROJECTION_MIGRATIONS, runSession } from "./projection-fixture.ts";
import { PROJECTORS } from "./projectors.ts";

const PUBLISHED = sql`
  select hour, account, market, role, fee_asset, cast(notional_units as text) as notional,
    cast(fee_units as text) as fee
  from engine_turnover order by 1, 2, 3, 4, 5
`;
const NAIVE = sql`
  select cast(fill.time_ms / 3600000 as bigint) as hour, fill.account as account, fill.market as market,
    fill.role as role, coalesce(fill.fee_asset, -1) as fee_asset, cast(sum(fill.notional_units) as text) as notional,
    cast(sum(fill.fee_units) as text) as fee
  from engine_fills fill
  join engine_accounts own on own.account = fill.account
  left join engine_fills other on other.market = fill.market and other.trade_number = fill.trade_number
    and other.role <> fill.role
  left join engine_accounts theirs on theirs.account = other.account
  where theirs.user_id is null or theirs.user_id <> own.user_id
  group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
`;

forEachDatabase("turnover", (given) => {
  beforeAll(() => migrate(given.database(), PROJECTION_MIGRATIONS));
  const rowsOf = async (kysely: Kysely<unknown>, query: typeof PUBLISHED) => (await query.execute(kysely)).rows;

  test("[USR-1] turnover by the hour equals the fills, without self-trades", async () => {
    const { kysely } = given.database();
    const projection = await openProjection({ kysely, projectors: PROJECTORS, transactionEvents: 300, pauseMs: 0 });
    projection.bind(JOURNAL);
    for (const batch of runSession(14, 1_200).batches) await projection.listen(batch);
    await projection.close();
    const answer = await rowsOf(kysely, PUBLISHED);
    expect(answer.length).toBeGreaterThan(5);
    expect(answer).toEqual(await rowsOf(kysely, NAIVE));
    // A database that had fills before it had this table is given the same.
    await sql`delete from engine_turnover`.execute(kysely);
    const text = readFileSync(join(import.meta.dirname, "012-turnover.sql"), "utf8");
    await sql.raw(text.slice(text.indexOf("INSERT"))).execute(kysely);
    expect(await rowsOf(kysely, PUBLISHED)).toEqual(answer);
  });
});

// Rebates are paid in bursts with pauses between: orders submitted in between find the ledger free.

import { forMigrated } from "@clockwork/server/storage/test-databases";
import { expect, test } from "vitest";
import type { InviteNeeds } from "./needs.ts";
import { RebateService } from "./rebate-service.ts";
import { InviteService } from "./service.ts";
import { inviteStore } from "./store.ts";

const HOURS = [500_000, 500_001];
const RECEIVERS = 900;
/** Payments the ledger refuses for now: more than one burst of them, ahead of the others. */
const REFUSED = 600;

type Tables = Record<"invite_rebate" | "invite_payment", Record<string, unknown>>;

forMigrated("sqlite", "payments of rebates", ({ database }) => {
  test("[USR-4] are paid in bursts with nothing under way between them, and one failed receiver delays no other", async () => {
    const tables = database().kysely.$extendTables<Tables>();
    const receivers = Array.from({ length: RECEIVERS }, (_, at) => at + 1);
    const sums = { fee_usdt_units: 0n, rebate_usdt_units: 0n };
    for (const hour of HOURS) {
      const rebate = { hour, friend_id: 9_000, asset: 2, degree: 1, fee_units: 100n, ...sums };
      const rebates = receivers.map((receiver_id) => ({ receiver_id, ...rebate, rebate_units: BigInt(receiver_id) }));
      await tables.insertInto("invite_rebate").values(rebates).execute();
      const payment = { hour, state: "planned", paid_ms: null, earned_usdt_units: 0n };
      const payments = receivers.map((receiver_id) => ({ receiver_id, ...payment }));
      await tables.insertInto("invite_payment").values(payments).execute();
    }
    let isOpen = false;
    let underWay = 0;
    let requested = 0;
    const bursts: number[] = [];
    const paid = new Map<string, bigint>();
    const answer: string[] = [];
    let met = new Set<number>();
    const needs: Partial<InviteNeeds> = {
      now: () => 7,
      async meet(receiverIds) {
        expect(underWay).toBe(0);
        met = new Set(receiverIds);
      },
      async pay(receiver, legs, reference) {
        // An account not looked up before would cost a query of its own, hundreds at once.
        expect(met.has(receiver)).toBe(true);
        underWay += 1;
        requested += 1;
        await new Promise((resolve) => setImmediate(resolve));
        underWay -= 1;
        if (receiver <= REFUSED && !isOpen) return false;
        if (paid.has(reference)) throw new Error(`${reference} is paid twice`);
        paid.set(reference, legs[0]?.units ?? 0n);
        return true;
      },
      giveWay: async () => undefined,
      async rest() {
        expect(underWay).toBe(0);
        bursts.push(requested);
        requested = 0;
      },
      notify: async (_, { reference }) => void answer.push(reference),
      report: () => undefined,
    };
    const parts = { store: inviteStore(database().kysely), needs: needs as InviteNeeds };
    const rebates = new RebateService(parts, new InviteService(parts));
    await rebates.pay();
    expect(bursts.length).toBeGreaterThan(2);
    expect(Math.max(...bursts)).toBeLessThanOrEqual(512);
    expect(paid.size).toBe(HOURS.length * (RECEIVERS - REFUSED));
    isOpen = true;
    await rebates.pay();
    expect(paid.size).toBe(HOURS.length * RECEIVERS);
    for (const hour of HOURS) expect(paid.get(`rebate:${hour}:${RECEIVERS}`)).toBe(BigInt(RECEIVERS));
    expect(answer.sort()).toEqual([...paid.keys()].sort());
    const left = await tables.selectFrom("invite_payment").selectAll().where("state", "=", "planned").execute();
    expect(left).toEqual([]);
    await rebates.pay();
    expect(paid.size).toBe(HOURS.length * RECEIVERS);
  });
});

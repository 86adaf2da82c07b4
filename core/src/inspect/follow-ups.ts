// Owns what must be true of follow-ups between commands, checked from scratch. Never repairs anything.

import { atOrder, FLAG_CONDITIONAL, FLAG_LIVE, FLAG_ROLE, O_FLAGS, O_LEVEL } from "../book/orders.ts";
import { getWord } from "../memory/record.ts";
import type { Core } from "../state/core.ts";
import { FOLLOW_PLAN } from "../trigger/follow-ups.ts";

type Report = (rule: string, detail: string) => void;

/** FOLLOW-1: nothing is left in motion outside of the queue. FOLLOW-2: a plan waits for its price or for its turn. */
export function checkFollowUps(core: Core, report: Report): void {
  const { touchedLists, triggers, perps, followUps } = core;
  const moving = touchedLists.length + triggers.due.length + perps.touched.length + perps.realTrades.length;
  if (moving !== 0) report("FOLLOW-1", `${moving} are left in motion`);
  const plans = new Set<number>();
  for (const { kind, subject } of followUps.waiting()) if (kind === FOLLOW_PLAN) plans.add(subject);
  const orders = core.books.orders.table;
  for (let slot = 1; slot < orders.count; slot++) {
    const flags = getWord(orders.i32, atOrder(slot), O_FLAGS);
    if ((flags & FLAG_LIVE) === 0 || (flags & FLAG_CONDITIONAL) === 0 || (flags & FLAG_ROLE) !== 0) continue;
    const waits = getWord(orders.i32, atOrder(slot), O_LEVEL) !== 0;
    if (waits === plans.has(core.books.orders.id(slot)))
      report("FOLLOW-2", `plan ${slot} ${waits ? "waits twice" : "waits for nothing"}`);
  }
}

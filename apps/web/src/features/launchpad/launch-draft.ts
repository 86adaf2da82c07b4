// A launch as typed, and as proposed. Pure; fields a kind of round lacks are derived from the rest.
import type { LaunchPayload, RoundInput } from "@clockwork/earning/launchdesk/contract";
import { MINUTE_MS } from "@clockwork/kit/time";
import { readInstant } from "#console/operator-action.tsx";

export const EMPTY_ROUND = {
  kind: "lottery" as RoundInput["kind"],
  stock: "",
  lot: "",
  cap: "",
  ticketsMax: "20",
  ticketUnit: "1000",
  snapshotDays: "7",
  preheatAtMs: "",
  opensAtMs: "",
  closesAtMs: "",
  drawAtMs: "",
  payUntilMs: "",
};
export type RoundDraft = typeof EMPTY_ROUND;
export const EMPTY_LAUNCH = {
  projectId: "",
  name: "",
  asset: "",
  summary: "",
  supply: "",
  price: "",
  vestFirstPercent: "100",
  vestDays: "0",
  listingAtMs: "",
  rounds: [EMPTY_ROUND] as readonly RoundDraft[],
};
export type LaunchDraft = typeof EMPTY_LAUNCH;

/** Time to pay for a lot won at the end of a flash sale. */
const FLASH_PAY_MS = 10 * MINUTE_MS;

/** What is proposed, and which instants could not be read. */
export function readLaunch(draft: LaunchDraft): { readonly body: LaunchPayload; readonly wrong: readonly string[] } {
  const wrong: string[] = [];
  const instant = (typed: string, field: string): number => {
    const read = readInstant(typed);
    if (read === undefined || read.ms === null) wrong.push(field);
    return read?.ms ?? 0;
  };
  const { rounds, listingAtMs, ...project } = draft;
  const body = {
    projectId: project.projectId.trim(),
    name: project.name.trim(),
    asset: project.asset.trim(),
    summary: project.summary.trim(),
    supply: project.supply,
    price: project.price,
    vestFirstPercent: Number(project.vestFirstPercent),
    vestDays: Number(project.vestDays),
    listingAtMs: instant(listingAtMs, "listingAtMs"),
    rounds: rounds.map((round, index) => readRound(round, (typed, name) => instant(typed, `rounds.${index}.${name}`))),
  };
  return { body, wrong };
}

function readRound(round: RoundDraft, instant: (typed: string, field: string) => number): RoundInput {
  const isLottery = round.kind === "lottery";
  const opensAtMs = instant(round.opensAtMs, "opensAtMs");
  const closesAtMs = instant(round.closesAtMs, "closesAtMs");
  // Left empty, it is drawn as soon as it has closed.
  const drawn =
    round.kind === "flash" || round.drawAtMs.trim() === "" ? {} : { drawAtMs: instant(round.drawAtMs, "drawAtMs") };
  return {
    kind: round.kind,
    stock: amountText(round.stock),
    lot: amountText(round.lot),
    cap: round.kind === "subscription" ? amountText(round.cap) : "0",
    ticketsMax: isLottery ? Number(round.ticketsMax) : 1,
    ticketUnit: isLottery ? amountText(round.ticketUnit) : "0",
    snapshotDays: isLottery ? Number(round.snapshotDays) : 1,
    preheatAtMs: isLottery ? instant(round.preheatAtMs, "preheatAtMs") : opensAtMs,
    opensAtMs,
    closesAtMs,
    ...drawn,
    payUntilMs: isLottery
      ? instant(round.payUntilMs, "payUntilMs")
      : (drawn.drawAtMs ?? closesAtMs) + (round.kind === "flash" ? FLASH_PAY_MS : 0),
  };
}

const amountText = (typed: string): string => (typed.trim() === "" ? "0" : typed.trim());

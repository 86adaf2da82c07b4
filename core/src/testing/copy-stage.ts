// Owns a small exchange with leaders and followers to try copy trading on, futures and spot. For tests and benchmarks;
// never part of a running exchange.
import { present } from "@clockwork/kit/assert";
import { followOf } from "../copy/share/funds.ts";
import { FOF_HELD, FOF_MARK, FOF_REALIZED } from "../copy/state/records.ts";
import { coreOf } from "../machine/machine.ts";
import type { Command } from "../protocol/command.ts";
import type { Machine } from "../protocol/contract.ts";
import { eventsOf } from "./driver.ts";
import { createPerpStage, type PerpStage } from "./perp-stage.ts";

export type FollowCommand = Extract<Command, { readonly kind: "follow" }>;

export interface CopyStage extends PerpStage {
  /** The lead account, funded. */
  readonly leader: number;
  /** A market maker with much money. */
  readonly maker: number;
  /** A spot market BTC/USDT and an account that leads there. */
  readonly spot: number;
  readonly spotLeader: number;
  readonly spotMaker: number;
  /** A new user's account in a book, with money. */
  open(book: "linear" | "spot" | "copyFLead", unitsHeld: number, assetHeld?: number, user?: number): number;
  /** A new user who follows with a thousand coins; his sub-book. */
  follower(settings?: Partial<FollowCommand>): number;
  spotFollower(settings?: Partial<FollowCommand>): number;
  /** R, H and the hold of a sub-book. */
  share(account: number): { readonly realized: number; readonly mark: number; readonly held: number };
}

export const COIN = 1_000_000;

export function createCopyStage(shareRate = 10_000_000, machine?: Machine): CopyStage {
  const stage = createPerpStage(machine);
  let user = 1_000;
  const open: CopyStage["open"] = (book, unitsHeld, assetHeld = stage.usdt, owner = 0) => {
    user++;
    const made = stage.send({ kind: "createAccount", user: owner === 0 ? user : owner, book });
    const { account } = present(eventsOf(made, "accountCreated")[0], "STAGE-1", book);
    if (unitsHeld > 0) fund(stage, account, assetHeld, unitsHeld);
    return account;
  };
  const spot = listSpot(stage);
  const leader = open("copyFLead", 1_000 * COIN);
  const spotLeader = open("spot", 100_000 * COIN);
  const lead = { kind: "setLeader", state: "active", asset: stage.usdt, shareRate, followersMax: 10_000 } as const;
  stage.sure({ ...lead, account: leader });
  stage.sure({ ...lead, account: spotLeader });
  const maker = stage.trader(10_000_000 * COIN);
  const spotMaker = open("spot", 10_000_000 * COIN);
  fund(stage, spotMaker, stage.btc, 1e13);
  const settings = { mode: "multiplier", multiplier: 100_000_000, units: 1_000 * COIN } as const;
  const follow =
    (book: "linear" | "spot", led: number) =>
    (own: Partial<FollowCommand> = {}): number => {
      const account = own.account ?? open(book, own.units ?? settings.units);
      const events = stage.sure({ kind: "follow", ...settings, leader: led, ...own, account });
      return present(eventsOf(events, "followChanged")[0], "STAGE-1", "followed").account;
    };
  return Object.assign(stage, {
    leader,
    maker,
    spot,
    spotLeader,
    spotMaker,
    open,
    follower: follow("linear", leader),
    spotFollower: follow("spot", spotLeader),
    share(account: number) {
      const core = coreOf(stage.machine);
      const { follows } = core.copies;
      const found = followOf(core, account);
      return {
        realized: follows.double(found, FOF_REALIZED),
        mark: follows.double(found, FOF_MARK),
        held: follows.double(found, FOF_HELD),
      };
    },
  });
}

function fund(stage: PerpStage, account: number, asset: number, units: number): void {
  const reference = `fund:${account}:${asset}`;
  stage.send({ kind: "mint", account, asset, business: "deposit", units, reference });
}

/** One lot is 0.00001 BTC, one tick of one lot one unit. */
function listSpot(stage: PerpStage): number {
  const listed = stage.send({
    kind: "listMarket",
    base: stage.btc,
    quote: stage.usdt,
    tickMantissa: 1,
    tickDecimals: 1,
    stepUnits: 1_000,
    symbol: "BTC/USDT",
  });
  return present(eventsOf(listed, "marketListed")[0], "STAGE-1", "spot").market;
}

// The ledger as OTC uses it: each function is one command with a reference of its own, so that a repeat moves nothing
// twice. Coins of a seller's ad are in a separate book of the seller; an order is a hold with an expiry there.
import type { Command } from "@clockwork/core/protocol/command";
import { FEES_ACCOUNT, isSimulatedUser, RESERVES_ACCOUNT } from "@clockwork/core/protocol/names";
import { openHouseAccount } from "@clockwork/identity/accounts/house";
import { toCoreUnits, units } from "@clockwork/kit/money";
import { HOLD_BOUGHT_MS } from "@clockwork/kit/otc/order-machine";
import { escrowOf } from "@clockwork/kit/otc/price";
import type { PartContext } from "@clockwork/trading/context";
import { ledgerView } from "@clockwork/trading/projectors/ledger/ledger-view";
import type { Escrow, EscrowReply } from "../otcorders/needs.ts";
import type { OrderRow } from "../otcorders/store.ts";
import type { LedgerReply } from "../otcpeople/needs.ts";
import type { LedgerReply as DealReply } from "../otcproviders/needs.ts";
import type { DealRow } from "../otcproviders/store.ts";

interface Coin {
  readonly asset: number;
}

type Move = (
  from: number | undefined,
  to: number | undefined,
  what: {
    readonly asset: number | undefined;
    readonly amountUnits: bigint;
    readonly business: "otcEscrow" | "merchantBond" | "convert";
    readonly reference: string;
    readonly outgoing?: boolean;
  },
) => Promise<LedgerReply>;
type FindAccount = (userId: number) => Promise<number | undefined>;

const AWAY = ["ENGINE_BUSY", "ENGINE_STARTING", "ENGINE_CLOSED", "ENGINE_HALTED"];

export function otcLedger(context: Pick<PartContext, "engine" | "ledger" | "market" | "clock">) {
  const { engine, ledger, market, clock } = context;
  const funding = (userId: number) => ledger.accounts.open(userId, "funding");
  const adBook = (userId: number, slot: number) => ledger.accounts.open(userId, "otc", { sub: slot });
  /** Named by the merchant's funding account: subs are smaller numbers than users. */
  const bond = async (userId: number) => {
    const account = await funding(userId);
    return account === undefined ? undefined : openHouseAccount(engine.submit, "merchantBond", account);
  };

  const submit = async (command: Command): Promise<string> => {
    const ack = await engine.submit(command);
    return ack.done ? "DONE" : ack.code;
  };
  const move = moveOn(submit);
  const free = async (account: number | undefined, asset: number): Promise<bigint> => {
    if (account === undefined) return 0n;
    return (await ledger.openView(account)).of(ledgerView).balances.get(asset)?.available_units ?? 0n;
  };

  return {
    escrow: escrowOn({
      submit,
      now: clock.now,
      open: (userId, slot) => (slot === 0 ? funding(userId) : adBook(userId, slot)),
      worthUnits: (asset, amountUnits) => market.pairs.worthUnits(asset, amountUnits),
    }),
    funding,
    freeUnits: async (userId: number, coin: Coin): Promise<bigint> => free(await funding(userId), coin.asset),
    ...adMoves({ move, free, funding, adBook }),
    stock: async (userId: number, slot: number, coin: Coin, amountUnits: bigint, reference: string) =>
      move(RESERVES_ACCOUNT, await adBook(userId, slot), {
        asset: coin.asset,
        amountUnits,
        business: "otcEscrow",
        reference,
      }),
    ...bondMoves({ move, funding, bond, usdt: () => market.pairs.findAsset("USDT")?.asset }),
    ...dealMoves({
      submit,
      move,
      funding,
      now: clock.now,
      asset: (symbol) => market.pairs.findAsset(symbol)?.asset,
      worthUnits: (asset, amountUnits) => market.pairs.worthUnits(asset, amountUnits),
    }),
  };
}

/** The coins of a seller's ad, from the funding book into the ad's own and back. */
export function adMoves(parts: {
  readonly move: Move;
  readonly free: (account: number | undefined, asset: number) => Promise<bigint>;
  readonly funding: FindAccount;
  readonly adBook: (userId: number, slot: number) => Promise<number | undefined>;
}) {
  const { move, free, funding, adBook } = parts;
  return {
    freeze: async (userId: number, slot: number, coin: Coin, amountUnits: bigint, reference: string) =>
      move(await funding(userId), await adBook(userId, slot), {
        asset: coin.asset,
        amountUnits,
        business: "otcEscrow",
        reference,
      }),
    /** Everything free in the book of an ad; a repeat that finds another amount has been done before. */
    async thaw(userId: number, slot: number, coin: Coin, reference: string): Promise<LedgerReply> {
      const account = await adBook(userId, slot);
      const amountUnits = await free(account, coin.asset);
      if (amountUnits === 0n) return account === undefined ? "away" : "done";
      return move(account, await funding(userId), { asset: coin.asset, amountUnits, business: "otcEscrow", reference });
    },
  };
}

/** One transfer with a reference of its own. */
export function moveOn(submit: (command: Command) => Promise<string>): Move {
  return async (from, to, { asset, amountUnits, business, reference, outgoing = false }) => {
    // The account could not be opened: the core cannot answer now.
    if (from === undefined || to === undefined || asset === undefined) return "away";
    const command = { account: from, to, asset, units: toCoreUnits(units(amountUnits)), business, reference, outgoing };
    return read(await submit({ kind: "transfer", ...command }));
  };
}

/** A merchant's bond is in an exchange account of its own. */
function bondMoves(parts: { move: Move; funding: FindAccount; bond: FindAccount; usdt: () => number | undefined }) {
  const { move, funding, bond, usdt } = parts;
  const what = (amountUnits: bigint, reference: string) =>
    ({ asset: usdt(), amountUnits, business: "merchantBond", reference }) as const;
  return {
    stockBond: async (userId: number, amountUnits: bigint, reference: string) =>
      move(RESERVES_ACCOUNT, await bond(userId), what(amountUnits, reference)),
    payBond: async (userId: number, amountUnits: bigint, reference: string) =>
      move(await funding(userId), await bond(userId), { ...what(amountUnits, reference), outgoing: true }),
    returnBond: async (userId: number, amountUnits: bigint, reference: string) =>
      move(await bond(userId), await funding(userId), what(amountUnits, reference)),
    drawBond: async (userId: number, toUserId: number, amountUnits: bigint, reference: string) =>
      move(await bond(userId), await funding(toUserId), what(amountUnits, reference)),
  };
}

export type OtcLedger = ReturnType<typeof otcLedger>;

function read(code: string): LedgerReply {
  if (code === "DONE" || code === "REFERENCE_REUSED") return "done";
  if (AWAY.includes(code)) return "away";
  return code === "INSUFFICIENT_BALANCE" || code === "RESTRICTED" || code === "NO_REFERENCE_PRICE"
    ? "short"
    : "refused";
}

function readEscrow(code: string): EscrowReply {
  switch (code) {
    case "DONE":
      return "done";
    case "INSUFFICIENT_BALANCE":
      return "short";
    case "RESTRICTED":
    case "NO_REFERENCE_PRICE":
      return "restricted";
    case "ACCOUNT_BLOCKED":
    case "IN_DEBT":
      return "blocked";
    case "HOLD_EXPIRED":
      return "expired";
    default:
      return AWAY.includes(code) ? "away" : "refused";
  }
}

export interface EscrowParts {
  readonly now: () => number;
  /** DONE, or the code of the refusal. */
  submit(command: Command): Promise<string>;
  /** A seller's book of an ad; slot 0 is the funding book. */
  open(userId: number, slot: number): Promise<number | undefined>;
  worthUnits(asset: number, amountUnits: bigint): bigint | undefined;
}

/**
 * Locks this worth of a user for a day from now. No guesses: coins without a price are not released, and any failure
 * stops the following step.
 */
async function holdBought(
  submit: EscrowParts["submit"],
  {
    user,
    worthUnits,
    reference,
    untilMs,
  }: { user: number; worthUnits: bigint | undefined; reference: string; untilMs: number },
): Promise<"done" | "away" | "unpriced" | "refused"> {
  if (worthUnits === undefined) return "unpriced";
  const kept = toCoreUnits(units(worthUnits > 0n ? worthUnits : 1n));
  const code = await submit({ kind: "restrict", user, units: kept, reference, until: untilMs });
  // Used before, it is final.
  if (code === "DONE" || code === "REFERENCE_REUSED") return "done";
  return AWAY.includes(code) ? "away" : "refused";
}

export function escrowOn({ submit, open, now, worthUnits: worthOf }: EscrowParts): Escrow {
  const bookOf = ({ seller_id, slot }: OrderRow) => open(seller_id, slot);
  const holdOf = ({ order_id }: OrderRow): string => `oo:${order_id}`;
  return {
    async hold(order, coin) {
      const account = await bookOf(order);
      if (account === undefined) return "away";
      const escrowUnits = escrowOf(order.quantity_units, order.maker_id === order.seller_id);
      return readEscrow(
        await submit({
          kind: "hold",
          account,
          asset: coin.asset,
          business: "otcEscrow",
          outgoing: true,
          units: toCoreUnits(units(escrowUnits)),
          reference: holdOf(order),
          expiresAt: order.pay_by_ms,
        }),
      );
    },
    async keep(order) {
      const account = await bookOf(order);
      if (account === undefined) return "away";
      const named = { reference: `op:${order.order_id}`, hold: holdOf(order) };
      return readEscrow(await submit({ kind: "extendHold", account, expiresAt: 0, ...named }));
    },
    async refund(order) {
      const account = await bookOf(order);
      if (account === undefined) return "away";
      const code = await submit({ kind: "release", account, reference: `oc:${order.order_id}`, hold: holdOf(order) });
      // Nothing is held any more: the core returned it when its time was over.
      return ["UNKNOWN_HOLD", "INVALID_AMOUNT", "HOLD_EXPIRED"].includes(code) ? "done" : readEscrow(code);
    },
    async release(order, coin) {
      const [account, buyer] = await Promise.all([bookOf(order), open(order.buyer_id, 0)]);
      if (account === undefined || buyer === undefined) return "away";
      const restriction = `ot:${order.order_id}`;
      if (!isSimulatedUser(order.buyer_id)) {
        // Before the coins arrive, so that they cannot leave in between. Without a current price they count at their
        // worth when ordered.
        const placedUnits = order.worth_units > 0n ? order.worth_units : undefined;
        const worthUnits = worthOf(coin.asset, order.quantity_units) ?? placedUnits;
        const untilMs = Math.max(order.intent_ms, now()) + HOLD_BOUGHT_MS;
        const held = await holdBought(submit, { user: order.buyer_id, worthUnits, reference: restriction, untilMs });
        if (held !== "done") return held;
      }
      const isMakerSelling = order.maker_id === order.seller_id;
      const boughtUnits = isMakerSelling ? order.quantity_units : order.quantity_units - order.fee_units;
      const leg = { from: account, asset: coin.asset, hold: holdOf(order) };
      const legs = [
        { ...leg, to: buyer, business: "otcRelease" as const, units: toCoreUnits(units(boughtUnits)) },
        { ...leg, to: FEES_ACCOUNT, business: "otcFee" as const, units: toCoreUnits(units(order.fee_units)) },
      ].filter((one) => one.units > 0);
      const reply = readEscrow(await submit({ kind: "settle", reference: `or:${order.order_id}`, legs }));
      if (reply !== "done" && reply !== "away")
        await submit({
          kind: "unrestrict",
          reference: `ou:${order.order_id}:${order.intent_ms.toString(36)}`,
          restriction,
        });
      return reply;
    },
  };
}

/** Coins between a user and the reserves, in a provider's deal. */
function dealMoves(parts: {
  readonly now: () => number;
  readonly submit: (command: Command) => Promise<string>;
  readonly move: Move;
  readonly funding: FindAccount;
  readonly asset: (symbol: string) => number | undefined;
  readonly worthUnits: (asset: number, amountUnits: bigint) => bigint | undefined;
}) {
  const { submit, move, funding, asset, now } = parts;
  const holdOf = ({ deal_id }: DealRow): string => `fh:${deal_id}`;
  return {
    /** Paid from outside they may be charged back: like coins from a user they are locked for a day. */
    async payCoins(deal: DealRow, coin: Coin): Promise<LedgerReply> {
      if (deal.source === "outside") {
        const worthUnits = parts.worthUnits(coin.asset, deal.quantity_units);
        const untilMs = Math.max(deal.changed_ms, now()) + HOLD_BOUGHT_MS;
        const held = await holdBought(submit, {
          user: deal.user_id,
          worthUnits,
          reference: `fw:${deal.deal_id}`,
          untilMs,
        });
        // Its provider has the money: the coins wait until they have a price.
        if (held !== "done") return held === "refused" ? "refused" : "away";
      }
      const what = { asset: asset(deal.asset), amountUnits: deal.quantity_units, business: "convert" } as const;
      return move(RESERVES_ACCOUNT, await funding(deal.user_id), { ...what, reference: `fp:${deal.deal_id}` });
    },
    async holdCoins(deal: DealRow, coin: Coin): Promise<DealReply> {
      const account = await funding(deal.user_id);
      if (account === undefined) return "away";
      const held = { units: toCoreUnits(units(deal.quantity_units)), reference: holdOf(deal) };
      const hold = { kind: "hold", account, asset: coin.asset, business: "convert", outgoing: true } as const;
      const code = await submit({ ...hold, ...held });
      return code === "RESTRICTED" ? "restricted" : read(code);
    },
    async takeCoins(deal: DealRow): Promise<LedgerReply> {
      const account = await funding(deal.user_id);
      if (account === undefined) return "away";
      const taken = {
        units: toCoreUnits(units(deal.quantity_units)),
        reference: `ft:${deal.deal_id}`,
        hold: holdOf(deal),
      };
      return read(await submit({ kind: "capture", account, to: RESERVES_ACCOUNT, business: "convert", ...taken }));
    },
    async returnCoins(deal: DealRow): Promise<LedgerReply> {
      const account = await funding(deal.user_id);
      if (account === undefined) return "away";
      const code = await submit({ kind: "release", account, reference: `fr:${deal.deal_id}`, hold: holdOf(deal) });
      return code === "UNKNOWN_HOLD" || code === "INVALID_AMOUNT" ? "done" : read(code);
    },
  };
}

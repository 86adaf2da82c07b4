// Owns what users traded and paid for it, summed by the hour: the base of levels and rebates. Self-trades do not count.
import type { ReadRows, WriteSession } from "@clockwork/host/projector";
import { RowShape } from "@clockwork/host/row-shape";
import { HOUR_MS } from "@clockwork/kit/time";
import type { FillRow, TurnoverRow } from "../rows/rows.ts";

const SHAPE = new RowShape({
  table: "engine_turnover",
  columns: ["hour", "account", "market", "role", "fee_asset", "notional_units", "fee_units"],
  key: ["hour", "account", "market", "role", "fee_asset"],
  added: ["notional_units", "fee_units"],
});
/** No asset has this number: nothing was charged. */
const NO_ASSET = -1;
/** Accounts never change hands; the bound only limits memory. */
const OWNERS_MAX = 100_000;

export class Turnover {
  readonly #owners = new Map<number, number>();

  async write(session: WriteSession, fills: readonly FillRow[]): Promise<void> {
    const own = await this.#ownTrades(session.read, fills);
    const hours = new Map<string, TurnoverRow>();
    for (const fill of fills) {
      if (own.has(tradeName(fill))) continue;
      const { account, market, role } = fill;
      const hour = Math.floor(fill.time_ms / HOUR_MS);
      const fee_asset = fill.fee_asset ?? NO_ASSET;
      const name = `${hour}:${account}:${market}:${role}:${fee_asset}`;
      const row = hours.get(name);
      if (row === undefined) {
        const { notional_units, fee_units } = fill;
        hours.set(name, { hour, account, market, role, fee_asset, notional_units, fee_units });
      } else {
        row.notional_units += fill.notional_units;
        row.fee_units += fill.fee_units;
      }
    }
    await session.writeRows(SHAPE, [...hours.values()]);
  }

  /** Trades whose two sides are accounts of one user. Both sides of a trade are in one command, and so in one run. */
  async #ownTrades(read: ReadRows, fills: readonly FillRow[]): Promise<ReadonlySet<string>> {
    const makers = new Map<string, number>();
    for (const fill of fills) if (fill.role === "maker") makers.set(tradeName(fill), fill.account);
    const own = new Set<string>();
    for (const fill of fills) {
      if (fill.role !== "taker") continue;
      const name = tradeName(fill);
      const maker = makers.get(name);
      if (maker === undefined) continue;
      if ((await this.#ownerOf(read, maker)) === (await this.#ownerOf(read, fill.account))) own.add(name);
    }
    return own;
  }

  async #ownerOf(read: ReadRows, account: number): Promise<number> {
    const known = this.#owners.get(account);
    if (known !== undefined) return known;
    const rows = await read<{ user_id: number }>("select user_id from engine_accounts where account = ?", [account]);
    if (this.#owners.size >= OWNERS_MAX) this.#owners.clear();
    const owner = Number(rows[0]?.user_id ?? -account);
    this.#owners.set(account, owner);
    return owner;
  }
}

function tradeName({ market, trade_number }: FillRow): string {
  return `${market}:${trade_number}`;
}

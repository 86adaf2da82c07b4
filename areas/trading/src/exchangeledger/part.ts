// The ledger for operators: the exchange's accounts by purpose, and what users own of each coin. Reads only.
import type { Part } from "@clockwork/host/part";
import { answer, serve } from "@clockwork/host/route";
import { formatUnits, units } from "@clockwork/kit/money";
import type { PartContext } from "../context.ts";
import { type ExchangeLedger, LEDGER_CALLS, LEDGER_PERMISSION } from "./contract.ts";
import { exchangeLedgerStore } from "./store.ts";

const USDT_SCALE = 6;

export function exchangeLedgerPart(context: PartContext): Part {
  context.permissions.add({ name: LEDGER_PERMISSION, roles: ["auditor", "compliance"] });
  return {
    routes: [
      serve(LEDGER_CALLS.read, {
        tag: "ledger",
        scope: { operator: LEDGER_PERMISSION },
        summary: "For operators: the exchange's own accounts by purpose, and what users own of each coin",
        handle: async () => answer(await readLedger(context)),
      }),
    ],
  };
}

async function readLedger({ database, market: { pairs }, engine }: PartContext): Promise<ExchangeLedger> {
  const store = exchangeLedgerStore(database.kysely);
  const [rows, users] = await Promise.all([store.listExchange(), store.sumUsers()]);
  const worth = (asset: number, held: bigint): string | null => {
    const found = pairs.worthUnits(asset, held);
    return found === undefined ? null : formatUnits(units(found), USDT_SCALE);
  };
  const own = new Map<number, bigint>();
  for (const { asset, available_units, frozen_units } of rows)
    own.set(asset, (own.get(asset) ?? 0n) + available_units + frozen_units);
  const assets = [...new Set([...users.keys(), ...own.keys()])].flatMap((id) => pairs.findAssetById(id) ?? []);
  const text = (asset: number, held: bigint): string =>
    formatUnits(units(held), pairs.findAssetById(asset)?.scale ?? 0);
  return {
    balances: rows
      .filter(({ available_units, frozen_units }) => available_units !== 0n || frozen_units !== 0n)
      .map(({ account, purpose, sub, asset, available_units, frozen_units }) => ({
        account,
        purpose,
        sub,
        asset: pairs.findAssetById(asset)?.symbol ?? String(asset),
        available: text(asset, available_units),
        onHold: text(asset, frozen_units),
        worthUsdt: worth(asset, available_units + frozen_units),
      })),
    coins: assets.map(({ asset, symbol }) => ({
      asset: symbol,
      users: text(asset, users.get(asset) ?? 0n),
      exchange: text(asset, own.get(asset) ?? 0n),
      usersUsdt: worth(asset, users.get(asset) ?? 0n),
    })),
    sequence: engine.tables()?.sequence ?? 0,
  };
}

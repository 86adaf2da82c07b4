// Connects converting with the books, the ledger and the database. Holds no rule of its own.
import { randomBytes } from "node:crypto";
import { convertRoutes } from "@clockwork/domains/convert/routes";
import { readLevel, USDT } from "@clockwork/domains/convert/rules";
import { ConvertService } from "@clockwork/domains/convert/service";
import { convertStore } from "@clockwork/domains/convert/store";
import { type Part, type PartContext, runs } from "../part.ts";
import { ledgerView } from "../projectors/ledger/ledger-view.ts";
import { keepResuming } from "../resume-loop.ts";

const LEVELS = 200;
const RESUME_MS = 5_000;

export function convertPart({ database, engine, ledger, market, clock, log }: PartContext): Part {
  const { pairs } = market;
  const openAccount = (userId: number) => ledger.accounts.open(userId, "spot");
  const service = new ConvertService({
    store: convertStore(database.kysely),
    needs: {
      now: clock.now,
      findCoin: (symbol) => pairs.findAsset(symbol),
      worthUnits: (asset, amountUnits) => pairs.worthUnits(asset, amountUnits),
      readBook: (symbol) => {
        const pair = pairs.findPair(`${symbol}_${USDT}`);
        const book = pair === undefined ? undefined : market.data.projector.states.get(pair.market)?.book;
        if (pair?.status !== "TRADING" || book === undefined) return undefined;
        return { bids: book.bids.top(LEVELS).map(readLevel), asks: book.asks.top(LEVELS).map(readLevel) };
      },
      openAccount,
      submit: engine.submit,
      async readFree(userId) {
        const account = await openAccount(userId);
        if (account === undefined) return new Map();
        const rows = [...(await ledger.openView(account)).of(ledgerView).balances.values()];
        return new Map(
          rows.flatMap(({ asset, available_units }) => {
            const symbol = pairs.findAssetById(asset)?.symbol;
            return symbol === undefined ? [] : [[symbol, available_units] as const];
          }),
        );
      },
      randomId: () => randomBytes(8).toString("hex"),
    },
  });
  return {
    routes: convertRoutes(service),
    ...runs(() =>
      keepResuming({
        clock,
        everyMs: RESUME_MS,
        resume: () => service.resume(),
        onFailure: (error) => log.warn("convert.resume.failed", { error }),
      }),
    ),
  };
}

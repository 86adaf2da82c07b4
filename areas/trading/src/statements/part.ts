// Connects statements with the tables, the user's books and the sockets. Contains no rules.
import { randomBytes } from "node:crypto";
import { type Part, runs } from "@clockwork/host/part";
import { keepResuming } from "@clockwork/host/resume-loop";
import type { ValueSource } from "@clockwork/kit/accounting/moments";
import { nameBook } from "@clockwork/kit/books";
import { WALLET_NAMES } from "@clockwork/kit/wallet/names";
import type { PartContext } from "../context.ts";
import type { TradingPorts } from "../ports.ts";
import { STATEMENTS_CHANNEL } from "./contract.ts";
import { statementRoutes } from "./routes.ts";
import { StatementService } from "./service.ts";
import { statementStore } from "./store.ts";

const POLL_MS = 60_000;

export function statementsPart(
  { accounts, database, engine, ledger, market, clock, live, log }: PartContext,
  values: ValueSource,
  { issuer }: Pick<TradingPorts, "issuer">,
): Part {
  const { pairs } = market;
  const statements: StatementService = new StatementService({
    store: statementStore(database.kysely),
    needs: {
      now: clock.now,
      values,
      issuer,
      async describeCustomer(userId) {
        const person = await accounts.users.find(userId);
        return [person?.email ?? person?.phone ?? "", ...(person?.country ? [person.country] : [])];
      },
      randomId: () => randomBytes(8).toString("hex"),
      findAsset: (symbol) => pairs.findAsset(symbol),
      findAssetById: (asset) => pairs.findAssetById(asset),
      async listBooks(userId) {
        const books = new Map<number, string>();
        for (const owner of await ledger.accounts.list(userId)) {
          const { walletType, sub } = nameBook(owner, (asset) => pairs.findAssetById(asset)?.symbol);
          if (walletType === null) continue;
          // A leader has a book of their own besides those of their followers.
          const name = owner.book === "copyFLead" ? "Lead" : WALLET_NAMES[walletType];
          books.set(owner.account, sub === null ? name : `${name} ${sub}`);
        }
        return books;
      },
      settled: () => engine.reached(engine.health().durableSequence),
      changed: (userId) => {
        const account = String(userId);
        if (!live.isOpen({ channel: STATEMENTS_CHANNEL }, account)) return;
        statements.list(userId).then(
          (list) => live.publish({ channel: STATEMENTS_CHANNEL }, list, { account }),
          (error: unknown) => log.warn("statements.publish.failed", { error }),
        );
      },
      report: (fact, fields) => log.error(fact, fields),
    },
  });
  return {
    routes: statementRoutes(statements),
    channels: [
      {
        channel: STATEMENTS_CHANNEL,
        kind: "latest",
        isPrivate: true,
        serves: ({ biz, type, pairCode, base }) => [biz, type, pairCode, base].every((part) => part === undefined),
        snapshot: async (_, account) => ({ data: await statements.list(Number(account)) }),
      },
    ],
    ...runs(() =>
      keepResuming({
        clock,
        everyMs: POLL_MS,
        resume: () => statements.work(),
        onFailure: (error) => log.warn("statements.work.failed", { error }),
      }),
    ),
  };
}

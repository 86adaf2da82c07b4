// What almighty gold takes of the market, the ledger, users and notices.
import type { NoticeKind } from "@clockwork/kit/notice";
import type { PartContext } from "../context.ts";
import { settledAccounts } from "../ledger/settled.ts";

const BONUSES: NoticeKind = { kind: "almighty-gold", group: "products", defaults: ["live", "letter"] };
/** Books that can have a bonus. */
const BONUS_BOOKS: ReadonlySet<string> = new Set(["linear", "inverse", "copyF", "copyFLead", "bot"]);

export type BonusNeeds = ReturnType<typeof bonusNeeds>;

export function bonusNeeds({ accounts, engine, ledger, market }: PartContext) {
  const { pairs } = market;
  const { notices, users } = accounts;
  notices.register(BONUSES);
  return {
    pairs,
    submit: engine.submit,
    settled: ledger.settled,
    isUser: async (userId: number) => (await users.find(userId)) !== undefined,
    openAccount: (userId: number, biz: "futures" | "delivery", asset: number) =>
      biz === "delivery"
        ? ledger.accounts.open(userId, "inverse", { sub: asset })
        : ledger.accounts.open(userId, "linear"),
    listAccounts: async (userId: number) => {
      const owned = (await ledger.accounts.list(userId)).filter(({ book }) => BONUS_BOOKS.has(book));
      return settledAccounts(ledger, owned);
    },
    notify: async (
      userId: number,
      notice: { readonly reference: string; readonly title: string; readonly body: string },
      timeMs: number,
    ): Promise<void> => {
      await notices.notify(userId, { kind: BONUSES.kind, path: "/futures/BTC_USDT", ...notice }, timeMs);
    },
  };
}

// Connects the launch console with the ledger and the launches it creates. Contains no rules.
import { randomBytes } from "node:crypto";
import { RESERVES_ACCOUNT } from "@clockwork/core/protocol/names";
import type { RouteSpec } from "@clockwork/host/route";
import type { PartContext } from "@clockwork/trading/context";
import type { DeskNeeds, LaunchDraft } from "../launchdesk/needs.ts";
import { launchDeskRoutes } from "../launchdesk/routes.ts";
import { LaunchDeskService } from "../launchdesk/service.ts";
import { makingStore } from "../launchdesk/store.ts";
import { STOCK_SUB } from "../launchpad/book-service.ts";
import type { LaunchParts } from "../launchpad/draw-service.ts";
import type { ProjectRow, RoundRow } from "../launchpad/store.ts";
import type { EarnBooks } from "./earn-books.ts";

export function deskRoutes(context: PartContext, books: EarnBooks, parts: LaunchParts): readonly RouteSpec[] {
  const { database, accounts } = context;
  const desk = new LaunchDeskService({ store: makingStore(database.kysely), needs: needsOf(context, books, parts) });
  return launchDeskRoutes(desk, {
    fund: accounts.proposals.register(desk.stockKind()),
    giveBack: accounts.proposals.register(desk.returnKind()),
    create: accounts.proposals.register(desk.launchKind()),
  });
}

function needsOf({ market, engine, clock }: PartContext, books: EarnBooks, { store, book }: LaunchParts): DeskNeeds {
  const move = async (given: { account: number; to: number; asset: number; units: number; reference: string }) => {
    const ack = await engine.submit({ kind: "transfer", ...given });
    if (ack.done) return "done";
    return ack.code.startsWith("ENGINE_") ? "later" : ack.code;
  };
  return {
    now: clock.now,
    findCoin: (symbol) => market.pairs.findAsset(symbol),
    listCoins: () => market.pairs.assets,
    async freeUnits(asset) {
      const account = await books.house("sale", STOCK_SUB);
      return account === undefined ? 0n : (await books.read(account, asset)).freeUnits;
    },
    async fund(asset, amountUnits, reference) {
      const to = await books.house("sale", STOCK_SUB);
      return to === undefined ? "later" : move({ account: RESERVES_ACCOUNT, to, asset, units: amountUnits, reference });
    },
    async giveBack(asset, amountUnits, reference) {
      const account = await books.house("sale", STOCK_SUB);
      if (account === undefined) return "later";
      return move({ account, to: RESERVES_ACCOUNT, asset, units: amountUnits, reference });
    },
    stock: (draft, reference) => book.stock(reference, rowsOf(draft).rounds, rowsOf(draft).project),
    isLaunch: async (projectId) => (await store.findProject(projectId)) !== undefined,
    async add(draft) {
      const { project, rounds } = rowsOf(draft);
      await store.add(project, rounds);
    },
    randomSeed: () => randomBytes(32).toString("hex"),
  };
}

function rowsOf({ project, rounds }: LaunchDraft): { project: ProjectRow; rounds: RoundRow[] } {
  const untouched = {
    stage: "OPEN",
    root: null,
    close_sequence: 0,
    public_seed: null,
    journal: null,
    seed: null,
    tickets: 0,
    returned_units: null,
  } as const;
  return {
    project: { ...project, state: "ACTIVE", is_simulated: false },
    rounds: rounds.map((round) => ({ ...round, ...untouched })),
  };
}

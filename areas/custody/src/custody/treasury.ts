// Connects the exchange's own moves with the signer, the chains, the hot wallet's numbers and the ledger. Contains no
// rules.

import type { RouteSpec } from "@clockwork/host/route";
import type { ChainsNeeds, Coins } from "@clockwork/kit/chains/chain";
import type { PartContext } from "@clockwork/trading/context";
import { Gauge } from "prom-client";
import type { ChainHost } from "../chain/chain-host.ts";
import { readSigned } from "../chain/signed-transfer.ts";
import type { TreasuryNeeds } from "../treasury/needs.ts";
import { RefillService } from "../treasury/refill-service.ts";
import { treasuryRoutes } from "../treasury/routes.ts";
import { treasuryStore } from "../treasury/store.ts";
import { SweepService } from "../treasury/sweep-service.ts";
import type { CustodyStore } from "./store.ts";

export interface TreasuryParts {
  readonly host: ChainHost;
  readonly chains: ChainsNeeds;
  readonly coins: Coins;
  readonly store: CustodyStore;
  readonly topUp: TreasuryNeeds["topUp"];
  readonly isPaused: TreasuryNeeds["isPaused"];
  readonly pause: TreasuryNeeds["pause"];
  readonly report: TreasuryNeeds["report"];
}

export interface Treasury {
  readonly sweeps: SweepService;
  readonly refills: RefillService;
  readonly routes: readonly RouteSpec[];
}

export function composeTreasury(context: PartContext, parts: TreasuryParts): Treasury {
  const { host, chains, coins, store, topUp, isPaused, pause, report } = parts;
  const gauge = new Gauge({
    name: "custody_hot_low",
    help: "1 where the hot wallet holds too little of a coin and is to be filled up from the cold one",
    labelNames: ["network", "asset"],
    registers: [context.metrics.registry],
  });
  const needs: TreasuryNeeds = {
    chains,
    coins,
    topUp,
    isPaused,
    pause,
    report,
    readSigned,
    now: context.clock.now,
    submit: context.engine.submit,
    listDeposits: (network, number) => store.listUnlocked(network, number),
    signSweep: (ask) => host.sign({ kind: "sweep", ...ask }),
    showLevel: (network, asset, isLow) => gauge.set({ network, asset }, isLow ? 1 : 0),
  };
  const own = treasuryStore(context.database.kysely);
  const refills = new RefillService({ store: own, needs });
  return {
    sweeps: new SweepService({ store: own, needs }),
    refills,
    routes: treasuryRoutes(refills, context.audit),
  };
}

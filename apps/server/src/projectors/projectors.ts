// The products that keep rows of the journal's events and follow accounts in memory, in the order in which they write.
// A new one is a line here and nothing else.
import type { ProjectorSet } from "@clockwork/host/projector";
import { botProjector } from "./bots/bot-projector.ts";
import { rebalancerProjector } from "./bots/rebalancer-projector.ts";
import { copyProjector } from "./copy/copy-projector.ts";
import { futuresProjector } from "./futures/futures-projector.ts";
import { futuresView } from "./futures/futures-view.ts";
import { marginProjector } from "./futures/margin-projector.ts";
import { premiumProjector } from "./futures/premium-projector.ts";
import { LEDGER_FACTS } from "./ledger/facts.ts";
import { ledgerProjector } from "./ledger/ledger-projector.ts";
import { ledgerView } from "./ledger/ledger-view.ts";
import { toldProjector } from "./ledger/told-projector.ts";
import { MAKERS, orderProjector } from "./orders/order-projector.ts";
import { orderView } from "./orders/order-view.ts";

export const PROJECTORS: ProjectorSet = {
  facts: LEDGER_FACTS,
  projectors: [
    ledgerProjector,
    toldProjector,
    orderProjector,
    futuresProjector,
    marginProjector,
    premiumProjector,
    copyProjector,
    botProjector,
    rebalancerProjector,
  ],
  views: [ledgerView, orderView, futuresView],
  others: MAKERS,
};

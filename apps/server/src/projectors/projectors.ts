// The products that keep rows of the journal's events and follow accounts in memory, in the order in which they write.
// A new one is a line here and nothing else.
import type { ProjectorSet } from "@clockwork/host/projector";
import { botProjector } from "@clockwork/strategies/projectors/bots/bot-projector";
import { rebalancerProjector } from "@clockwork/strategies/projectors/bots/rebalancer-projector";
import { copyProjector } from "@clockwork/strategies/projectors/copy/copy-projector";
import { futuresProjector } from "@clockwork/trading/projectors/futures/futures-projector";
import { futuresView } from "@clockwork/trading/projectors/futures/futures-view";
import { marginProjector } from "@clockwork/trading/projectors/futures/margin-projector";
import { premiumProjector } from "@clockwork/trading/projectors/futures/premium-projector";
import { LEDGER_FACTS } from "@clockwork/trading/projectors/ledger/facts";
import { ledgerProjector } from "@clockwork/trading/projectors/ledger/ledger-projector";
import { ledgerView } from "@clockwork/trading/projectors/ledger/ledger-view";
import { publishedProjector } from "@clockwork/trading/projectors/ledger/published-projector";
import { valueProjector } from "@clockwork/trading/projectors/ledger/value-projector";
import { MAKERS, orderProjector } from "@clockwork/trading/projectors/orders/order-projector";
import { orderView } from "@clockwork/trading/projectors/orders/order-view";

export const PROJECTORS: ProjectorSet = {
  facts: LEDGER_FACTS,
  projectors: [
    ledgerProjector,
    publishedProjector,
    valueProjector,
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

// The stream of the caller's running rebalancing bots.
import { REBALANCERS_CHANNEL, type Rebalancer } from "@clockwork/strategies/rebalance/contract";
import { useLiveBots } from "./live-bots.ts";

/** As they change; undefined until the first word. */
export const useBaskets = (): readonly Rebalancer[] | undefined => useLiveBots<Rebalancer>(REBALANCERS_CHANNEL);

// The context of every product above trading: accounts, the ledger and the market.
import type { IdentityContext } from "@clockwork/identity/offers";
import type { Ledger } from "./ledger/offer.ts";
import type { Market } from "./market/offer.ts";

export interface PartContext extends IdentityContext {
  readonly ledger: Ledger;
  readonly market: Market;
}

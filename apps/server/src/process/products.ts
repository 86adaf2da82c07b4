// The products and services of the exchange as one list: a new product is one more line.
import { openAccounting } from "../accounting/accounting.ts";
import { lookupPart } from "../accounts/lookup.ts";
import { alertsPart } from "../alerts/alerts.ts";
import { apiKeysPart } from "../apikeys/apikeys.ts";
import { articlesPart } from "../articles/articles.ts";
import { contentPart } from "../content/content.ts";
import { offersPart } from "../content/offers.ts";
import { opsPart, pushPart } from "../content/visits.ts";
import { copyPart } from "../copy/copy.ts";
import { dialectPart } from "../dialect/part/dialect.ts";
import { earnParts } from "../earn/parts.ts";
import { futuresPart } from "../futures/futures.ts";
import { futuresNoticesPart } from "../futures/notices.ts";
import { gridPart } from "../grid/grid.ts";
import { rebalancePart } from "../grid/rebalance.ts";
import { haltsPart } from "../market/part/halts.ts";
import { otcPart } from "../otc/otc.ts";
import type { Part } from "@clockwork/host/part";
import type { PartContext } from "@clockwork/trading/context";
import { portfolioPart } from "../portfolio/portfolio.ts";
import { rewardParts } from "../rewards/parts.ts";
import { orderNoticesPart } from "../spot/order-notices.ts";
import { spotPart } from "../spot/spot.ts";
import { supportPart } from "../support/support.ts";
import { programmeParts } from "../vip/programme.ts";
import { walletParts } from "../wallet/wallet-parts.ts";

/** The products and services, in the order they start. What one needs of another is handed on here. */
export function listProducts(context: PartContext): readonly Part[] {
  const articles = articlesPart(context);
  const apiKeys = apiKeysPart(context);
  const programme = programmeParts(context);
  const content = contentPart(context, articles.facts);
  const spot = spotPart(context);
  const accounting = openAccounting(context);
  const earn = earnParts(context);
  return [
    articles,
    content,
    offersPart(context, articles.articles),
    supportPart(context, programme.levels),
    opsPart(context),
    pushPart(context),
    haltsPart(context),
    spot,
    orderNoticesPart(context),
    ...walletParts(context, accounting),
    ...earn.parts,
    otcPart(context, content.rates),
    futuresPart(context),
    futuresNoticesPart(context),
    gridPart(context),
    rebalancePart(context),
    copyPart(context),
    ...rewardParts(context, articles, spot, earn.earn, programme),
    alertsPart(context),
    apiKeys,
    dialectPart(context, apiKeys, programme.levels),
    portfolioPart(context, accounting),
    lookupPart(context),
    ...programme.parts,
  ];
}

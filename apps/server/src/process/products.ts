// The products and services of the exchange as one list: a new product is one more line.

import { custodyPart } from "@clockwork/custody/custody/part";
import type { CustodyPorts } from "@clockwork/custody/ports";
import { launchCosts } from "@clockwork/earning/earn/launch-costs";
import { earnParts } from "@clockwork/earning/parts";
import { boughtBy } from "@clockwork/fiat/otc/bought";
import { otcPart } from "@clockwork/fiat/otc/part";
import { rewardParts } from "@clockwork/growth/rewards/parts";
import { programmeParts } from "@clockwork/growth/vip/programme";
import { withdrawalUnits } from "@clockwork/growth/vip/rules";
import { vipStore } from "@clockwork/growth/vip/store";
import type { Part } from "@clockwork/host/part";
import { apiKeysPart } from "@clockwork/identity/apikeys/part";
import { supportPart } from "@clockwork/messaging/support/part";
import { articlesPart } from "@clockwork/site/articles/part";
import { offersPart } from "@clockwork/site/content/offers";
import { contentPart } from "@clockwork/site/content/part";
import { opsPart } from "@clockwork/site/content/visits";
import { overviewPart } from "@clockwork/site/overview/part";
import { peoplePart } from "@clockwork/site/people/part";
import { copyPart } from "@clockwork/strategies/copy/part";
import { gridPart } from "@clockwork/strategies/grid/part";
import { rebalancePart } from "@clockwork/strategies/rebalance/part";
import { accountingNeeds } from "@clockwork/trading/accounting/needs";
import { openAccounting } from "@clockwork/trading/accounting/part";
import { alertsPart } from "@clockwork/trading/alerts/part";
import type { PartContext } from "@clockwork/trading/context";
import { convertPart } from "@clockwork/trading/convert/part";
import { exchangeLedgerPart } from "@clockwork/trading/exchangeledger/part";
import { futuresNoticesPart } from "@clockwork/trading/futures/notices";
import { futuresPart } from "@clockwork/trading/futures/part";
import { haltsPart } from "@clockwork/trading/halts/part";
import { indexPricesPart } from "@clockwork/trading/indexprices/part";
import { orderNoticesPart } from "@clockwork/trading/ordernotices/part";
import { portfolioPart } from "@clockwork/trading/portfolio/part";
import type { TradingPorts } from "@clockwork/trading/ports";
import { profitPart } from "@clockwork/trading/profit/part";
import { restrictionsPart } from "@clockwork/trading/restrictions/part";
import { spotPart } from "@clockwork/trading/spot/part";
import { statementsPart } from "@clockwork/trading/statements/part";
import { walletPart } from "@clockwork/trading/wallet/part";
import { dialectPart } from "../dialect/part/dialect.ts";
import { HourProcess } from "../rebates/hour-process.ts";

/** The products and services in their start order. Ports between them are connected here. */
export function listProducts(context: PartContext): readonly Part[] {
  const { pairs } = context.market;
  const articles = articlesPart(context);
  const trading = tradingPorts(context, articles.facts);
  const apiKeys = apiKeysPart(context, () => pairs.pairs.some(({ isSimulated }) => isSimulated));
  const programme = programmeParts(context, { openHours: (aside) => new HourProcess(aside) });
  const content = contentPart(context, articles.facts);
  const spot = spotPart(context, trading);
  const needs = accountingNeeds(context, trading);
  const accounting = openAccounting(context, needs);
  const custody = custodyPart(context, custodyPorts(context));
  const earn = earnParts(context);
  const isCourse = async (course: string, timeMs: number): Promise<boolean> =>
    (await articles.college.readCourse(course, null, timeMs)).done;
  const parts: readonly Part[] = [
    articles,
    content,
    offersPart(context, articles.articles),
    supportPart(context, programme.levels),
    opsPart(context),
    haltsPart(context),
    indexPricesPart(context),
    restrictionsPart(context),
    exchangeLedgerPart(context),
    spot,
    orderNoticesPart(context),
    walletPart(context, accounting, custody.networksOf),
    statementsPart(context, needs, trading),
    profitPart(context, accounting, needs),
    custody,
    convertPart(context),
    ...earn.parts,
    otcPart(context, content.rates),
    futuresPart(context, trading),
    futuresNoticesPart(context),
    gridPart(context),
    rebalancePart(context),
    copyPart(context),
    ...rewardParts(context, { isCourse }, spot, earn.earn, programme),
    alertsPart(context),
    apiKeys,
    dialectPart(context, apiKeys, programme.levels, () =>
      [context.market, ...parts].flatMap(({ channels }) => channels ?? []),
    ),
    portfolioPart(context, accounting),
    peoplePart(context),
    overviewPart(context),
    ...programme.parts,
  ];
  return parts;
}

const tradingPorts = (
  { database: { kysely } }: PartContext,
  facts: Readonly<Record<string, string>>,
): TradingPorts => ({
  levelOf: vipStore(kysely).findLevel,
  launchCost: launchCosts(kysely),
  issuer: {
    legalName: facts.legalName ?? "",
    lines: [
      facts.registeredAddress ?? "",
      `Licence ${facts.licenceNumber ?? ""}`,
      `Registration ${facts.registrationNumber ?? ""}`,
      facts.supportEmail ?? "",
    ],
  },
});

function custodyPorts(context: PartContext): CustodyPorts {
  const levels = vipStore(context.database.kysely);
  return {
    listBought: boughtBy(context),
    raiseLimit: async (limitUnits, { userId, identityLevel }) =>
      withdrawalUnits(limitUnits, identityLevel, await levels.findLevel(userId)),
  };
}

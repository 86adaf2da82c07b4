// Fetches and builds the root data. Runs on the server only; the browser gets the result.

import { USER_CALLS } from "@clockwork/identity/users/contract";
import {
  CURRENCIES,
  CURRENCY_BY_LOCALE,
  type Currency,
  DEFAULT_AVAILABLE_LOCALES,
  LOCAL_LANGUAGES,
  type Locale,
} from "@clockwork/kit/constants";
import { isLocale, listAvailableLocales } from "@clockwork/kit/locale";
import { MARKET_CALLS, type Quotation } from "@clockwork/trading/markets/contract";
import { WALLET_CALLS } from "@clockwork/trading/wallet/contract";
import { type FooterColumn, readFooter } from "./footer-list.ts";
import type { PageFrame } from "./page-frame.ts";
import { readCall } from "./read-call.ts";
import {
  API_BASE,
  asRecord,
  type CallApi,
  FUTURES_BASE,
  type RootData,
  readEnvelope,
  readTotalAsset,
  SOCKET_PATH,
  TOTAL_ASSET_BODY,
  type TopInfo,
  type TotalAsset,
} from "./root-data.ts";
import {
  type DownModule,
  NO_RATES,
  readAddresses,
  readCompany,
  readModulesDown,
  readQuotations,
  readRates,
  readSocial,
  readSwitches,
  type ServedAddresses,
  type ServedCompany,
  type ServedRates,
  type SocialLink,
} from "./served.ts";

/** A list of languages, given by name or as menu entries. */
function readLocales(value: unknown): readonly Locale[] {
  if (!Array.isArray(value)) return [];
  return value.map((entry: unknown) => asRecord(entry)?.lang ?? entry).filter(isLocale);
}

export interface StartData {
  /** The result of the login that was sent: valid, over, or undecided. */
  readonly login: "none" | "good" | "over" | "undecided";
  readonly topInfo: TopInfo;
  readonly available: readonly Locale[];
  readonly footer: readonly FooterColumn[];
  readonly social: readonly SocialLink[];
  readonly rates: ServedRates;
  readonly globalConfig: Readonly<Record<string, string>>;
  readonly modulesDown: readonly DownModule[];
  readonly addresses: ServedAddresses;
  readonly company: ServedCompany;
  readonly quotations: readonly Quotation[];
  readonly totalAsset: TotalAsset | null;
}

/** All that every page needs, together. A failing call leaves a page that still works, signed out, in English. */
export async function fetchStartData(callApi: CallApi, frame: PageFrame, host: string): Promise<StartData> {
  const requestShared = async (path: string) => readEnvelope(await callApi({ method: "GET", path, shared: true }));
  const [top, menu, footer, social, rates, switches, modules, addresses, web, quotations, total] = await Promise.all([
    readCall({ callApi }, USER_CALLS.topInfo, {}),
    readCall({ callApi }, USER_CALLS.languages, {}, { shared: true }),
    requestShared("/v1/common/footer-list"),
    requestShared("/v1/common/social-media"),
    requestShared("/v1/common/exchange-rate"),
    requestShared("/v1/common/global-config"),
    requestShared("/v1/common/modules"),
    requestShared(`/v1/common/domain-list?host=${encodeURIComponent(host)}`),
    requestShared("/v1/home/web-config"),
    readCall({ callApi }, MARKET_CALLS.quotations, {}, { shared: true }),
    frame.hasSession ? readCall({ callApi }, WALLET_CALLS.accounts, TOTAL_ASSET_BODY) : undefined,
  ]);
  const topData = asRecord(top);
  const userLanguages = readLocales(topData?.availableLanguage);
  const whiteList = readLocales(menu?.whiteList);
  const allowed = whiteList.length > 0 ? whiteList : DEFAULT_AVAILABLE_LOCALES;
  const id = topData?.id ?? topData?.fid;
  const isKnown = typeof id === "string" || typeof id === "number";
  return {
    login: !frame.hasSession ? "none" : isKnown ? "good" : topData === undefined ? "undecided" : "over",
    topInfo: {
      id: isKnown ? String(id) : null,
      userInfo: asRecord(topData?.userInfo) ?? null,
      availableLanguage: userLanguages,
    },
    available: listAvailableLocales({
      offered: LOCAL_LANGUAGES.map((language) => language.lang),
      allowed: userLanguages.length > 0 ? allowed.filter((locale) => userLanguages.includes(locale)) : allowed,
      client: frame.clientLanguages,
    }),
    footer: readFooter(footer?.columns),
    social: readSocial(social?.links),
    rates: readRates(rates) ?? NO_RATES,
    globalConfig: readSwitches(switches),
    modulesDown: readModulesDown(modules),
    addresses: readAddresses(addresses),
    company: readCompany(web),
    quotations: readQuotations(quotations),
    totalAsset: readTotalAsset(total),
  };
}

/** A signed-in visitor's choice is kept with the account and goes before the browser's. */
function accountCurrency({ userInfo }: TopInfo): Currency | undefined {
  return CURRENCIES.find((currency) => currency === userInfo?.pricingCurrency);
}

/** SITE-3: what the account prefers. What a browser remembers counts after the address alone. */
export function preferredLocale({ userInfo }: TopInfo): Locale | undefined {
  const ofAccount = userInfo?.userLanguage;
  return isLocale(ofAccount) ? ofAccount : undefined;
}

export function buildRootData(input: {
  readonly version: string;
  readonly origin: string;
  readonly frame: PageFrame;
  readonly start: StartData;
  readonly locale: Locale;
  readonly prefix: Locale | undefined;
}): RootData {
  const { frame, start, locale } = input;
  const { theme, terminalTheme, updown, currency, timezone, noticeSeen } = frame.preferences;
  return {
    version: input.version,
    origin: input.origin,
    locale,
    prefix: input.prefix ?? null,
    available: start.available,
    theme,
    terminalTheme: terminalTheme ?? null,
    systemDark: frame.systemDark === true,
    updown,
    currency: accountCurrency(start.topInfo) ?? currency ?? CURRENCY_BY_LOCALE[locale],
    timezone,
    shell: frame.shell ?? null,
    noticeSeen,
    topInfo: start.topInfo,
    footer: start.footer,
    social: start.social,
    rates: start.rates,
    quotations: start.quotations,
    totalAsset: start.totalAsset,
    globalConfig: start.globalConfig,
    modulesDown: start.modulesDown,
    domains: start.addresses.domains,
    published: start.addresses.published,
    invite: start.addresses.invite,
    ...start.company,
    apiBase: API_BASE,
    futuresBase: start.addresses.futuresBase ?? FUTURES_BASE,
    socketPath: SOCKET_PATH,
  };
}

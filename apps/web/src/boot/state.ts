// The global client state of SITE-22. Made from the root data on the server for each page and once in the browser, so
// both paint the same; screens subscribe to single fields. Holds what many screens share and nothing of one screen.

import {
  type Currency,
  DEFAULT_CURRENCY,
  type Language,
  LOCAL_LANGUAGES,
  type Locale,
  type Theme,
  type TimezoneValue,
} from "@clockwork/kit/constants";
import type { Quotation } from "@clockwork/trading/markets/contract";
import { createContext, use } from "react";
import { type StoreApi, useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import type { Domain } from "#live/domains.ts";
import type { Shell } from "#native/detect.ts";
import type { Updown } from "./preferences.ts";
import type { RootData, TopInfo, TotalAsset } from "./root-data.ts";
import type { DownModule, PublishedList, ServedRates } from "./served.ts";

export interface ApplicationError {
  readonly status: number;
  readonly message: string;
}

export interface GlobalState {
  readonly theme: Theme;
  /** Chosen in a terminal, for terminals alone; undefined: their usual one. */
  readonly terminalTheme: Theme | undefined;
  readonly systemDark: boolean;
  readonly updown: Updown;
  readonly language: Language;
  /** What may be chosen, by the server's list, the account's and the client's own. */
  readonly availableLanguages: readonly Locale[];
  readonly currency: Currency;
  readonly timezone: TimezoneValue;
  readonly domain: string;
  readonly protocol: string;
  readonly shell: Shell | undefined;
  /** Served switches: `hbtSwitch` (hide balance totals) is read by every display of an account's worth. */
  readonly globalConfig: Readonly<Record<string, string>>;
  /** Price of one US dollar in each currency, as decimal text. */
  readonly priceRate: Readonly<Partial<Record<Currency, string>>>;
  /** The age of the rates, their source, and whether they are simulated. */
  readonly rateOrigin: Pick<ServedRates, "asOf" | "source" | "simulated">;
  readonly unreadLetters: number;
  /** What all accounts are worth, in USDT; kept level with the balances while signed in. */
  readonly totalAsset: TotalAsset | undefined;
  /** Every pair's quotation: as served, then live while a screen shows markets. */
  readonly marketData: readonly Quotation[];
  /** Set when all users are signed out or the exchange is in maintenance; shown everywhere at once. */
  readonly systemOut: boolean;
  /** Paused parts of the product, each replaced by a maintenance page. */
  readonly modulesDown: readonly DownModule[];
  readonly socketUrls: { readonly spot: string; readonly futures: string };
  readonly fastTradeUrls: readonly string[];
  /** Every address of the product with its bases; empty when there is no other. */
  readonly domains: readonly Domain[];
  /** The base of the futures API: a subdomain of the exchange's domain, else the page's own origin. */
  readonly futuresBase: string;
  readonly publishedList: PublishedList | undefined;
  /** The inviter a partner domain carries into sign-up. */
  readonly inviteNumber: string | undefined;
  readonly signUpAccount: string;
  readonly topInfo: TopInfo;
  /** The leader's or merchant's profile as others see it (AUTH-13). */
  readonly anchorInfo: Readonly<Record<string, unknown>> | undefined;
  /** Shows the identity-verification popup (AUTH-13). */
  readonly identityPopup: boolean;
  /** The access token from a native shell; nothing in a browser. */
  readonly shellToken: string | undefined;
  /** Coins here are worth nothing and given out on request. */
  readonly hasTestFunds: boolean;
  readonly hasOutbox: boolean;
  /** Whether the session is valid is unknown, since the exchange cannot be reached. */
  readonly undecided: boolean;
  readonly applicationError: ApplicationError | undefined;
}

export type GlobalStore = StoreApi<GlobalState>;

function findLanguage(root: RootData): Language {
  const found = LOCAL_LANGUAGES.find((language) => language.lang === root.locale);
  return found ?? { name: "English", lang: "en_US", fiatCurrency: DEFAULT_CURRENCY };
}

function readCount(value: unknown): number {
  return typeof value === "number" && value > 0 ? value : 0;
}

export function createGlobalStore(root: RootData): GlobalStore {
  const { host, protocol } = new URL(root.origin);
  const socketUrl = `${protocol === "https:" ? "wss" : "ws"}://${host}${root.socketPath}`;
  return createStore<GlobalState>(() => ({
    theme: root.theme,
    terminalTheme: root.terminalTheme ?? undefined,
    systemDark: root.systemDark,
    updown: root.updown,
    language: findLanguage(root),
    availableLanguages: root.available,
    currency: root.currency,
    timezone: root.timezone,
    domain: host,
    protocol,
    shell: root.shell ?? undefined,
    globalConfig: root.globalConfig,
    priceRate: root.rates.rates,
    rateOrigin: root.rates,
    unreadLetters: readCount(root.topInfo.userInfo?.unreadLetters),
    totalAsset: root.totalAsset ?? undefined,
    marketData: root.quotations,
    systemOut: root.globalConfig.systemOut === "1",
    modulesDown: root.modulesDown,
    socketUrls: { spot: socketUrl, futures: socketUrl },
    fastTradeUrls: root.domains.length > 0 ? root.domains.map(({ api }) => api) : [root.apiBase],
    domains: root.domains,
    futuresBase: root.futuresBase,
    publishedList: root.published ?? undefined,
    inviteNumber: root.invite ?? undefined,
    signUpAccount: "",
    topInfo: root.topInfo,
    anchorInfo: root.topInfo.userInfo?.anchorInfo as GlobalState["anchorInfo"],
    identityPopup: root.topInfo.userInfo?.identityPopup === true,
    shellToken: undefined,
    hasTestFunds: root.hasTestFunds,
    hasOutbox: root.hasOutbox,
    undecided: false,
    applicationError: undefined,
  }));
}

/** SITE-11: the global application error, cleared with an optional redirect. */
export function raiseApplicationError(store: GlobalStore, error: ApplicationError): void {
  store.setState({ applicationError: error });
}

export function clearApplicationError(store: GlobalStore, redirect?: () => void): void {
  store.setState({ applicationError: undefined });
  redirect?.();
}

export const GlobalStoreContext = createContext<GlobalStore | undefined>(undefined);

export function useGlobalStore(): GlobalStore {
  const store = use(GlobalStoreContext);
  if (store === undefined) throw new Error("Global state is used outside the root");
  return store;
}

export function useGlobal<Value>(select: (state: GlobalState) => Value): Value {
  return useStore(useGlobalStore(), select);
}

// What the server fetches once for every page and hands to the browser: who is signed in, which languages may be
// chosen, what the footer lists, where the API is. Never fetched a second time by the browser.

import type { WalletType } from "@clockwork/kit/books";
import type { Currency, Locale, Theme, TimezoneValue } from "@clockwork/kit/constants";
import type { Quotation } from "@clockwork/trading/markets/contract";
import type { Domain } from "#live/domains.ts";
import type { Shell } from "#native/detect.ts";
import type { FooterColumn } from "./footer-list.ts";
import type { Updown } from "./preferences.ts";
import type { DownModule, PublishedList, ServedRates, SocialLink } from "./served.ts";

export interface ApiCall {
  readonly method: "GET" | "POST";
  /** Below the API base, such as `/v1/system/status`. */
  readonly path: string;
  readonly body?: unknown;
  /** The path is at the root and not below the base. */
  readonly isRoot?: true;
  /** The same for all users, signed in or not. */
  readonly shared?: true;
}

/** Calls the public API inside the process with the visitor's own session. Undefined when it failed. */
export type CallApi = (call: ApiCall) => Promise<unknown>;

export interface TopInfo {
  readonly id: string | null;
  readonly userInfo: Readonly<Record<string, unknown>> | null;
  readonly availableLanguage: readonly Locale[];
}

export interface TotalAsset {
  /** Exact decimal text. */
  readonly amount: string;
}

export interface RootData {
  readonly version: string;
  readonly origin: string;
  readonly locale: Locale;
  /** The language prefix of the address the visitor is in; null when it is bare. */
  readonly prefix: Locale | null;
  readonly available: readonly Locale[];
  readonly theme: Theme;
  /** What was chosen in a terminal, for terminals. */
  readonly terminalTheme: Theme | null;
  /** The system preference reported by the browser; a script corrects it before the first paint. */
  readonly systemDark: boolean;
  readonly updown: Updown;
  readonly currency: Currency;
  readonly timezone: TimezoneValue;
  readonly shell: Shell | null;
  readonly noticeSeen: boolean;
  readonly topInfo: TopInfo;
  readonly footer: readonly FooterColumn[];
  readonly social: readonly SocialLink[];
  readonly rates: ServedRates;
  /** Every pair's quotation; the stream continues from here. */
  readonly quotations: readonly Quotation[];
  /** The worth of all of the visitor's accounts, in USDT; null for a visitor or when unavailable. */
  readonly totalAsset: TotalAsset | null;
  readonly globalConfig: Readonly<Record<string, string>>;
  /** Parts of the product that rest. */
  readonly modulesDown: readonly DownModule[];
  /** The product's addresses, the page's own first; empty when there is no other. */
  readonly domains: readonly Domain[];
  readonly published: PublishedList | null;
  /** The invite number of the domain the visitor came by. */
  readonly invite: string | null;
  /** The operator of the site, for the footer; empty when unavailable. */
  readonly legalName: string;
  /** The bare path of the risk disclosure. */
  readonly riskPath: string;
  readonly hasTestFunds: boolean;
  readonly hasOutbox: boolean;
  readonly apiBase: string;
  readonly futuresBase: string;
  readonly socketPath: string;
}

/** The default path of the risk disclosure; the operator may choose another one. */
export const RISK_PATH = "/risk-disclosure";

export const API_BASE = "/api";
export const FUTURES_BASE = "/futuresapi";
export const SOCKET_PATH = "/ws";

export function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
}

/** The `data` of an envelope with a success code, of any shape; undefined for anything else. */
export function readData(body: unknown): unknown {
  const envelope = asRecord(body);
  return envelope !== undefined && (envelope.code === 0 || envelope.code === 200) ? envelope.data : undefined;
}

/** The same where the data is an object. */
export function readEnvelope(body: unknown): Readonly<Record<string, unknown>> | undefined {
  return asRecord(readData(body));
}

/** Of the wallet's accounts: it names the spot wallet and answers with the worth of all. */
export const TOTAL_ASSET_BODY: { walletTypeList: WalletType[] } = { walletTypeList: ["1"] };

const AMOUNT = /^\d{1,30}(?:\.\d{1,18})?$/;

export function readTotalAsset(data: unknown): TotalAsset | null {
  const amount = asRecord(data)?.allUsdt;
  return typeof amount === "string" && AMOUNT.test(amount) ? { amount } : null;
}

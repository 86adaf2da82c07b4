// Validates what the API serves to every page: exchange rates, switches, addresses, external links. Used for the
// server's first answer and for later socket messages. A broken part counts as not served.

import { CURRENCIES, type Currency } from "@clockwork/kit/constants";
import type { Quotation } from "@clockwork/trading/markets/contract";
import { type Domain, readDomains } from "#live/domains.ts";
import { asRecord, RISK_PATH } from "./root-data.ts";

export interface ServedRates {
  /** Price of one US dollar in each currency, as decimal text. */
  readonly rates: Readonly<Partial<Record<Currency, string>>>;
  readonly asOf: string;
  readonly source: string;
  /** True when they are invented for trying the product. */
  readonly simulated: boolean;
}

const RATE = /^\d{1,12}(?:\.\d{1,12})?$/;
/** Only the dollar's rate is fixed. */
export const NO_RATES: ServedRates = { rates: { USD: "1" }, asOf: "", source: "", simulated: false };

export function readRates(data: unknown): ServedRates | undefined {
  const record = asRecord(data);
  const given = asRecord(record?.rates);
  if (given === undefined) return undefined;
  const rates: Partial<Record<Currency, string>> = {};
  for (const currency of CURRENCIES) {
    const rate = given[currency];
    if (typeof rate === "string" && RATE.test(rate) && /[1-9]/.test(rate)) rates[currency] = rate;
  }
  return {
    rates: { ...rates, USD: "1" },
    asOf: readText(record?.asOf),
    source: readText(record?.source),
    simulated: record?.simulated === true,
  };
}

function readText(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 100) : "";
}

export function readSwitches(data: unknown): Readonly<Record<string, string>> {
  const switches = Object.entries(asRecord(data) ?? {}).filter((entry): entry is [string, string] => {
    return typeof entry[1] === "string";
  });
  return Object.fromEntries(switches);
}

/** A paused part of the product, with the content of its maintenance page. */
export interface DownModule {
  readonly module: string;
  readonly reason: string;
  /** ISO 8601; null when the end is open. */
  readonly endsAt: string | null;
}

const REASON_MAX = 500;

/** Only those that rest now: a page has no use for the others. */
export function readModulesDown(data: unknown): readonly DownModule[] {
  const modules = asRecord(data)?.modules;
  if (!Array.isArray(modules)) return [];
  return modules.flatMap((entry: unknown) => {
    const { module, isDown, reason, endsAt } = asRecord(entry) ?? {};
    if (typeof module !== "string" || isDown !== true) return [];
    const answer = typeof reason === "string" ? reason.slice(0, REASON_MAX) : "";
    return [{ module, reason: answer, endsAt: typeof endsAt === "string" ? endsAt : null }];
  });
}

export interface ServedAddresses {
  /** The page's own first; empty when there is no other. */
  readonly domains: readonly Domain[];
  readonly invite: string | null;
  /** The base of the futures API for this page; undefined for the page's own origin. */
  readonly futuresBase: string | undefined;
  readonly published: PublishedList | null;
}

/** A signed list of addresses elsewhere. */
export interface PublishedList {
  readonly url: string;
  readonly key: string;
}

export function readAddresses(data: unknown): ServedAddresses {
  const domains = readDomains(data);
  const [own] = domains;
  const { url, key } = asRecord(asRecord(data)?.published) ?? {};
  return {
    domains: domains.length > 1 ? domains : [],
    invite: own?.invite ?? null,
    futuresBase: own?.futuresApi,
    published: typeof url === "string" && typeof key === "string" ? { url, key } : null,
  };
}

export interface ServedCompany {
  readonly legalName: string;
  readonly riskPath: string;
  /** Test funds are available on request. */
  readonly hasTestFunds: boolean;
  /** Messages stay here, on a page of the installation. */
  readonly hasOutbox: boolean;
}

export function readCompany(data: unknown): ServedCompany {
  const { legalName, riskPath, hasTestFunds, hasOutbox } = asRecord(data) ?? {};
  const isPath = typeof riskPath === "string" && /^\/ri[a-z0-9-]{1,60}$/.test(riskPath);
  return {
    legalName: readText(legalName),
    riskPath: isPath ? riskPath : RISK_PATH,
    hasTestFunds: hasTestFunds === true,
    hasOutbox: hasOutbox === true,
  };
}

/** The valid entries; the objects are unchanged, so that a page which reads them too serialises them once. */
export function readQuotations(data: unknown): readonly Quotation[] {
  if (!Array.isArray(data)) return [];
  return data.filter((entry: unknown): entry is Quotation => {
    const { pairCode, last } = asRecord(entry) ?? {};
    return typeof pairCode === "string" && typeof last === "string";
  });
}

export interface SocialLink {
  readonly title: string;
  readonly url: string;
}

const SOCIAL_MAX = 16;

export function readSocial(links: unknown): readonly SocialLink[] {
  if (!Array.isArray(links)) return [];
  return links.slice(0, SOCIAL_MAX).flatMap((link: unknown) => {
    const { title, url } = asRecord(link) ?? {};
    return typeof title === "string" && typeof url === "string" && url.startsWith("https://") ? [{ title, url }] : [];
  });
}

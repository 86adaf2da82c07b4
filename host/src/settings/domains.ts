// Names of hosts in the settings: partners' names, names below the exchange's domain.

/** A host of a partner, with its invite code. */
export interface Partner {
  readonly host: string;
  readonly invite: string;
}

/** Cookies of a domain of one label would not reach any name below it. */
export function hasSubdomains(domain: string): boolean {
  return domain.includes(".");
}

/** The name below the exchange's domain for the futures API. */
export const FUTURES_SUBDOMAIN = "futuresapi";

/** `partner.example=AB12CD` as a partner; undefined for anything else. */
export function readPartner(text: string): Partner | undefined {
  const [, host, invite] = /^((?:[a-z0-9-]{1,63}\.)+[a-z]{2,63})=([A-Za-z0-9_-]{1,32})$/.exec(text) ?? [];
  return host === undefined || invite === undefined ? undefined : { host, invite };
}

// The host names this server answers to. A foreign page may point its own name at this machine (DNS rebinding); to a
// browser it is then of our origin. Names that are not configured are refused; addresses and loopback names are not: no
// name server decides where those lead.

import { isIP } from "node:net";
import { edgeRefusal } from "@clockwork/host/refusal";
import type { Config } from "@clockwork/host/settings/config";
import { FUTURES_SUBDOMAIN, readPartner } from "@clockwork/host/settings/domains";
import type { FastifyInstance } from "fastify";
import { sendRefusal } from "./mount.ts";

export type KnowsHost = (host: string | undefined) => boolean;

const HOST = /^(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9._-]{1,253}))(?::[0-9]{1,5})?$/;

/**
 * Below the exchange's domain: its pages, the futures API, and the names by which clients of the Binance dialect
 * distinguish kinds of markets.
 */
const SUBDOMAINS = ["www", FUTURES_SUBDOMAIN, "api", "fapi", "dapi"] as const;

/** A call without a name is no browser's. */
export function knowsHost(
  config: Pick<Config, "host" | "publicOrigin" | "fastOrigins" | "partnerDomains" | "domain">,
): KnowsHost {
  const origins = [config.publicOrigin, ...config.fastOrigins].flatMap((origin) => URL.parse(origin ?? "") ?? []);
  const names = new Set(["localhost", config.host.toLowerCase(), ...origins.map(({ hostname }) => hostname)]);
  if (config.domain !== "") {
    for (const name of ["", ...SUBDOMAINS.map((one) => `${one}.`)]) names.add(name + config.domain);
  }
  // A partner brings a domain with all that is below it, as the inviter of a hit domain is found.
  const partners = config.partnerDomains.flatMap((text) => readPartner(text)?.host ?? []);
  const isPartner = (name: string) => partners.some((host) => name === host || name.endsWith(`.${host}`));
  return (host) => {
    if (host === undefined) return true;
    const [, six, name] = HOST.exec(host.toLowerCase()) ?? [];
    if (six !== undefined) return isIP(six) === 6;
    const bare = name?.replace(/\.$/, "");
    return bare !== undefined && (names.has(bare) || isIP(bare) === 4 || isPartner(bare));
  };
}

/** A call to the futures API's own name is one below its base, written without it. */
export function futuresPath(path: string, host: string | undefined, domain: string): string {
  if (domain === "" || host?.toLowerCase().replace(/:\d+$/, "") !== `${FUTURES_SUBDOMAIN}.${domain}`) return path;
  return /^\/futuresapi(?:[/?]|$)/.test(path) ? path : `/futuresapi${path}`;
}

/** Supervisors use host names of their own and learn only that the process is alive; a token proves its holder. */
export function registerHosts(app: FastifyInstance, config: Config, knows: KnowsHost): void {
  const open = new Set(["/healthz", "/readyz", ...(config.metricsToken === "" ? [] : ["/metrics"])]);
  app.addHook("onRequest", (request, reply, done) => {
    if (!request.isInProcess && countHosts(request.raw.rawHeaders) > 1) {
      // What follows on it may be meant for another host as well.
      reply.header("connection", "close");
      sendRefusal(request, reply, edgeRefusal("MALFORMED_REQUEST"));
      return undefined;
    }
    if (request.isInProcess || knows(request.headers.host) || open.has(request.routeOptions.url ?? "")) return done();
    sendRefusal(request, reply, edgeRefusal("HOST_UNKNOWN"));
    return undefined;
  });
}

/** The library keeps the first of them; a proxy in front may have kept the last. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === "host") count += 1;
  }
  return count;
}

// Where the API and the sockets are: from the page's embedded configuration, else the one-process default.
// Pure apart from asking the picker; the only place that knows how a futures address follows from the spot one.
import type { Domain, DomainPicker } from "./domains.ts";
import type { BaseSource } from "./request.ts";

/** What the server embeds in the page; empty in development and in the one-process default. */
export interface BaseConfiguration {
  readonly api?: string;
  readonly futuresApi?: string;
  readonly socket?: string;
  readonly futuresSocket?: string;
}

const API_PATH = "/api";
const FUTURES_API_PATH = "/futuresapi";
const SOCKET_PATH = "/ws";
const FUTURES_SUBDOMAIN = "futuresapi";

/** The page's own domain. `origin` is where the page came from, such as https://www.clockwork.example. */
export function pageDomain(configuration: BaseConfiguration, origin: string): Domain {
  const api = configuration.api ?? API_PATH;
  const socket = configuration.socket ?? socketUrl(api, origin);
  const futuresApi = configuration.futuresApi ?? futuresUrl(api);
  return { api, futuresApi, socket, futuresSocket: configuration.futuresSocket ?? socket };
}

/** A configured spot base has its futures twin on the subdomain; a path has it beside it. */
function futuresUrl(api: string): string {
  if (!URL.canParse(api)) return FUTURES_API_PATH;
  const url = new URL(api);
  const labels = url.hostname.split(".");
  const parent = labels.length > 2 ? labels.slice(1).join(".") : url.hostname;
  return `${url.protocol}//${FUTURES_SUBDOMAIN}.${parent}${url.port === "" ? "" : `:${url.port}`}`;
}

/** Always absolute: older browsers open no socket from a path. */
function socketUrl(api: string, origin: string): string {
  const url = new URL(SOCKET_PATH, new URL(api, origin));
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}

/** The request client's bases follow the picker, and its failures move it. */
export function pickedBases(picker: DomainPicker): BaseSource {
  return {
    spot: () => picker.get().api,
    futures: () => picker.get().futuresApi,
    reportFailure: (base) => picker.reportFailure(base),
    reportSuccess: (base) => picker.reportSuccess(base),
  };
}

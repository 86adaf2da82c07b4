// Where the API and the sockets are, as the page was configured; in the one-process default all of it is at the page's
// own origin. Pure apart from reading the picker.
import type { Domain, DomainPicker } from "./domains.ts";
import type { BaseSource } from "./request.ts";

const API_PATH = "/api";
const FUTURES_API_PATH = "/futuresapi";
const SOCKET_PATH = "/ws";

/** The page's own domain. `origin` is where the page came from; the server gives the address of its futures API. */
export function pageDomain(origin: string, futuresApi: string = FUTURES_API_PATH): Domain {
  const socket = socketUrl(origin);
  return { api: API_PATH, futuresApi, socket, futuresSocket: socket };
}

/** Always absolute: older browsers open no socket from a path. */
function socketUrl(origin: string): string {
  const url = new URL(SOCKET_PATH, origin);
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

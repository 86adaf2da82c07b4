// Applies a gate's decisions: the redirects and refusals of a router. Used by the page server before it renders and by
// the browser before it navigates; the browser fetches it with the route table on the first navigation.
import { formatLocalePath, parseLocalePath } from "@clockwork/kit/locale";
import { data, type LoaderFunctionArgs, redirect } from "react-router";
import { decideGate } from "#boot/gate.ts";
import type { RootData } from "#boot/root-data.ts";
import { findPage } from "#boot/route-table.ts";
import type { DownModule } from "#boot/served.ts";
import { hasSession } from "#boot/session-cookie.ts";
import { loginPath, returnPathOf } from "./login-path.ts";

export type GateAddress = Pick<LoaderFunctionArgs, "url" | "pattern">;

function passGate({ url, pattern }: GateAddress): null {
  const { locale, rest } = parseLocalePath(url.pathname);
  const decision = decideGate(findPage(parseLocalePath(pattern).rest), { rest, search: url.search });
  if (decision.kind === "redirect") throw redirect(formatLocalePath(decision.to, locale));
  if (decision.kind === "reject") throw data(decision.message, { status: decision.status });
  return null;
}

/**
 * Pages for signed-in visitors redirect others to sign-in; sign-in itself redirects visitors who are signed in already.
 */
function passSession({ url, pattern }: GateAddress, signedIn: boolean, hasEnded = false): void {
  const page = findPage(parseLocalePath(pattern).rest);
  if (page?.signedIn === true && !signedIn)
    throw redirect(loginPath(url.pathname, url.pathname + url.search, hasEnded));
  if (page?.signedOut !== true || !signedIn) return;
  throw redirect(returnPathOf(url.searchParams) ?? formatLocalePath("/", parseLocalePath(url.pathname).locale));
}

/** Long enough to spare a paused part, short enough that its return is noticed. */
const RETRY_AFTER_S = 60;

/** A paused part answers for all its pages and all visitors. The page itself reads when it will be back. */
function passMaintenance({ pattern }: GateAddress, modulesDown: readonly DownModule[]): void {
  const page = findPage(parseLocalePath(pattern).rest);
  const down = modulesDown.find(({ module }) => module === page?.module);
  if (down === undefined) return;
  throw data(down.reason, { status: 503, headers: { "retry-after": String(RETRY_AFTER_S) } });
}

/** On the server: the session and the paused parts are definite, unless the session could not be read. */
export function passOnServer(
  address: GateAddress,
  { topInfo, modulesDown }: RootData,
  login: "none" | "good" | "over" | "undecided",
): null {
  passMaintenance(address, modulesDown);
  if (login === "undecided") passUndecided(address);
  else passSession(address, topInfo.id !== null, login === "over");
  return passGate(address);
}

/**
 * A login exists but cannot be identified: its account pages report this and retry, all others are shown as to a
 * visitor.
 */
function passUndecided({ pattern }: GateAddress): void {
  if (findPage(parseLocalePath(pattern).rest)?.signedIn !== true) return;
  throw data("The exchange cannot be reached right now.", { status: 503, headers: { "retry-after": "5" } });
}

/** A token whose session has died is found out by the server; here its presence is all there is to go by. */
export function passInBrowser(address: GateAddress, cookies: string): null {
  const page = findPage(parseLocalePath(address.pattern).rest);
  if (page?.signedOut !== true) passSession(address, hasSession(cookies));
  return passGate(address);
}

// Takes a gate's decisions: the redirects and refusals a router understands. Asked by the page server before it draws and
// by the browser before it navigates; the browser fetches it with the route table when it first does.
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

/** Pages for signed-in visitors send others to sign in; sign-in itself sends on whoever is signed in already. */
function passSession({ url, pattern }: GateAddress, signedIn: boolean, hasEnded = false): void {
  const page = findPage(parseLocalePath(pattern).rest);
  if (page?.signedIn === true && !signedIn)
    throw redirect(loginPath(url.pathname, url.pathname + url.search, hasEnded));
  if (page?.signedOut !== true || !signedIn) return;
  throw redirect(returnPathOf(url.searchParams) ?? formatLocalePath("/", parseLocalePath(url.pathname).locale));
}

/** Long enough that nobody hammers a part that rests, short enough that its return is noticed. */
const RETRY_AFTER_S = 60;

/** A part that rests answers for all its pages, whoever asks. The page itself reads when it will be back. */
function passMaintenance({ pattern }: GateAddress, modulesDown: readonly DownModule[]): void {
  const page = findPage(parseLocalePath(pattern).rest);
  const down = modulesDown.find(({ module }) => module === page?.module);
  if (down === undefined) return;
  throw data(down.reason, { status: 503, headers: { "retry-after": String(RETRY_AFTER_S) } });
}

/** On the server: who is signed in and what rests is known for certain, unless nobody could tell. */
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

/** Somebody is logged in and nobody can tell who: his own pages say so and come back, all others are shown as to anybody. */
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

// Lets a navigation through to its page or turns it away, and catches whatever fails below, inside the site frame.
import { formatLocalePath, parseLocalePath } from "@clockwork/kit/locale";
import { type ClientLoaderFunctionArgs, data, type LoaderFunctionArgs, Outlet, redirect } from "react-router";
import { ErrorPage } from "../frame/error-page.tsx";
import { decideGate } from "../frame/gate.ts";
import { loginPath, returnPathOf } from "../frame/login-path.ts";
import { pageContext } from "../frame/page-context.ts";
import { hasSession } from "../frame/session-cookie.ts";
import { findPage } from "../route-table.ts";

function passGate({ url, pattern }: Pick<LoaderFunctionArgs, "url" | "pattern">): null {
  const { locale, rest } = parseLocalePath(url.pathname);
  const decision = decideGate(findPage(parseLocalePath(pattern).rest), { rest, search: url.search });
  if (decision.kind === "redirect") throw redirect(formatLocalePath(decision.to, locale));
  if (decision.kind === "reject") throw data(decision.message, { status: decision.status });
  return null;
}

/** Pages for signed-in visitors send others to sign in; sign-in itself sends on whoever is signed in already. */
function passSession({ url, pattern }: Pick<LoaderFunctionArgs, "url" | "pattern">, signedIn: boolean): void {
  const page = findPage(parseLocalePath(pattern).rest);
  if (page?.signedIn === true && !signedIn) throw redirect(loginPath(url.pathname, url.pathname + url.search));
  if (page?.signedOut !== true || !signedIn) return;
  throw redirect(returnPathOf(url.searchParams) ?? formatLocalePath("/", parseLocalePath(url.pathname).locale));
}

export function loader({ url, pattern, context }: LoaderFunctionArgs): null {
  passSession({ url, pattern }, context.get(pageContext).root.topInfo.id !== null);
  return passGate({ url, pattern });
}

export async function clientLoader({ url, pattern }: ClientLoaderFunctionArgs): Promise<null> {
  // A token whose session has died is found out by the server; here its presence is all there is to go by.
  const page = findPage(parseLocalePath(pattern).rest);
  if (page?.signedOut !== true) passSession({ url, pattern }, hasSession(document.cookie));
  return passGate({ url, pattern });
}

export function shouldRevalidate(): boolean {
  return true;
}

export default function Gate() {
  return <Outlet />;
}

export function ErrorBoundary() {
  return <ErrorPage />;
}

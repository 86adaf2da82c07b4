// Lets a navigation through to its page or turns it away, and catches whatever fails below, inside the site frame.
import { formatLocalePath, parseLocalePath } from "@clockwork/kit/locale";
import { type ClientLoaderFunctionArgs, data, type LoaderFunctionArgs, Outlet, redirect } from "react-router";
import { ErrorPage } from "../frame/error-page.tsx";
import { decideGate } from "../frame/gate.ts";
import { findPage } from "../route-table.ts";

function passGate({ url, pattern }: Pick<LoaderFunctionArgs, "url" | "pattern">): null {
  const { locale, rest } = parseLocalePath(url.pathname);
  const decision = decideGate(findPage(parseLocalePath(pattern).rest), { rest, search: url.search });
  if (decision.kind === "redirect") throw redirect(formatLocalePath(decision.to, locale));
  if (decision.kind === "reject") throw data(decision.message, { status: decision.status });
  return null;
}

export function loader({ url, pattern }: LoaderFunctionArgs): null {
  return passGate({ url, pattern });
}

export async function clientLoader({ url, pattern }: ClientLoaderFunctionArgs): Promise<null> {
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

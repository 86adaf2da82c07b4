// Lets a navigation through to its page or turns it away, and catches whatever fails below, inside the site frame.
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, Outlet } from "react-router";
import { latePart } from "../frame/late-part.tsx";
import { pageContext } from "../frame/page-context.ts";

const ErrorPage = latePart(async () => (await import("../frame/error-page.tsx")).ErrorPage);

export async function loader({ url, pattern, context }: LoaderFunctionArgs): Promise<null> {
  const { passOnServer } = await import("../frame/gate-pass.ts");
  return passOnServer({ url, pattern }, context.get(pageContext).root.topInfo.id !== null);
}

export async function clientLoader({ url, pattern }: ClientLoaderFunctionArgs): Promise<null> {
  const { passInBrowser } = await import("../frame/gate-pass.ts");
  return passInBrowser({ url, pattern }, document.cookie);
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

// Lets a navigation through to its page or refuses it, and catches every failure below, inside the site frame.
import {
  type ClientLoaderFunctionArgs,
  type HeadersArgs,
  isRouteErrorResponse,
  type LoaderFunctionArgs,
  Outlet,
  useRouteError,
} from "react-router";
import { latePart } from "#boot/late-part.tsx";
import { pageContext } from "#boot/page-context.ts";
import { usePageFlags } from "#boot/page-flags.ts";
import { useGlobal } from "#boot/state.ts";

const ErrorPage = latePart(async () => (await import("#shell/error-page.tsx")).ErrorPage);
const MaintenancePage = latePart(async () => (await import("#shell/maintenance-page.tsx")).MaintenancePage);

export async function loader({ url, pattern, context }: LoaderFunctionArgs): Promise<null> {
  const { passOnServer } = await import("#session/gate-pass.ts");
  const { root, login } = context.get(pageContext);
  return passOnServer({ url, pattern }, root, login);
}

export async function clientLoader({ url, pattern }: ClientLoaderFunctionArgs): Promise<null> {
  const { passInBrowser } = await import("#session/gate-pass.ts");
  return passInBrowser({ url, pattern }, document.cookie);
}

export function shouldRevalidate(): boolean {
  return true;
}

/** The time to retry, for a paused page. */
export function headers({ errorHeaders }: HeadersArgs): Headers {
  return errorHeaders ?? new Headers();
}

function useIsDown(): boolean {
  const module = usePageFlags()?.module;
  return useGlobal((state) => state.modulesDown.some((down) => down.module === module));
}

/** A part that goes to rest takes its open pages along, and gives them back when it returns. */
export default function Gate() {
  return useIsDown() ? <MaintenancePage /> : <Outlet />;
}

export function ErrorBoundary() {
  const error = useRouteError();
  const module = usePageFlags()?.module;
  // The server may have a pause before this page has received it.
  const answer = module !== undefined && isRouteErrorResponse(error) && error.status === 503;
  const isDown = useIsDown();
  return isDown || answer ? <MaintenancePage /> : <ErrorPage />;
}

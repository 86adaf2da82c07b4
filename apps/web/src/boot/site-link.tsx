// Links keep the form the visitor is in (SITE-2): a bare path becomes prefixed where the address is prefixed.
import type { Locale } from "@clockwork/kit/constants";
import { formatLocalePath, parseLocalePath } from "@clockwork/kit/locale";
import { Link, type LinkProps, useLocation, useRouteLoaderData } from "react-router";
import { RISK_PATH, type RootData } from "./root-data.ts";

export function useLocalePrefix(): Locale | undefined {
  return parseLocalePath(useLocation().pathname).locale;
}

/** A bare path in the visitor's form. */
export function useSitePath(): (path: string) => string {
  const prefix = useLocalePrefix();
  const riskPath = useRouteLoaderData<RootData>("root")?.riskPath ?? RISK_PATH;
  return (path) => formatLocalePath(path === RISK_PATH ? riskPath : path, prefix);
}

export interface SiteLinkProps extends Omit<LinkProps, "to"> {
  /** A bare path of the route table, such as `/docs`. */
  readonly to: string;
}

export function SiteLink({ to, ...rest }: SiteLinkProps) {
  const sitePath = useSitePath();
  return <Link to={sitePath(to)} {...rest} />;
}

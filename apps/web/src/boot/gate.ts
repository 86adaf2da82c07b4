// What stands between an address and its page: the route's named middleware and its validate step (SITE-10).
// Pure decisions; the gate layout turns them into redirects and error pages, on the server and in the browser alike.
import type { MiddlewareName, PageRoute, ValidateName } from "./route-table.ts";

export type GateDecision =
  | { readonly kind: "allow" }
  | { readonly kind: "reject"; readonly status: number; readonly message: string }
  /** To a bare path; the caller keeps the visitor's form. */
  | { readonly kind: "redirect"; readonly to: string };

export interface GateRequest {
  /** The path without its language prefix. */
  readonly rest: string;
  readonly search: string;
}

const ALLOW: GateDecision = { kind: "allow" };

const PAIR_CODE = /^[A-Z0-9]{1,16}_[A-Z0-9]{1,16}$/;

const PATH_SHOWN_MAX = 120;

/** Long addresses are cut: the page names what was asked for, it does not hand back kilobytes of it. */
export function shortenPath(path: string): string {
  return path.length <= PATH_SHOWN_MAX ? path : `${path.slice(0, PATH_SHOWN_MAX)}…`;
}

function notFound(rest: string): GateDecision {
  return { kind: "reject", status: 404, message: `Page Not Found: ${shortenPath(rest)}` };
}

/** Futures addresses end in a contract code: lower case is corrected, anything that is no code is not a page. */
function runFutures({ rest, search }: GateRequest): GateDecision {
  const segments = rest.split("/").filter((segment) => segment !== "");
  const code = segments.length > 1 ? segments.at(-1) : undefined;
  if (code === undefined) return ALLOW;
  if (PAIR_CODE.test(code)) return ALLOW;
  const upper = code.toUpperCase();
  if (!PAIR_CODE.test(upper)) return notFound(rest);
  return { kind: "redirect", to: `/${[...segments.slice(0, -1), upper].join("/")}${search}` };
}

const middlewares: Readonly<Record<MiddlewareName, (request: GateRequest) => GateDecision>> = { futures: runFutures };

const validators: Readonly<Record<ValidateName, (request: GateRequest) => boolean>> = {
  pairCode: ({ rest }) => {
    const code = rest.split("/")[2];
    return code === undefined || code === "" || PAIR_CODE.test(code);
  },
};

export function decideGate(page: PageRoute | undefined, request: GateRequest): GateDecision {
  if (page === undefined) return ALLOW;
  if (page.middleware !== undefined) {
    const decision = middlewares[page.middleware](request);
    if (decision.kind !== "allow") return decision;
  }
  if (page.validate !== undefined && !validators[page.validate](request)) return notFound(request.rest);
  return ALLOW;
}

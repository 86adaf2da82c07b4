// The gate between an address and its page: the route's named middleware and its validate step (SITE-10). Pure
// decisions; the gate layout turns them into redirects and error pages, on the server and in the browser alike.
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

/** Long addresses are cut: the page names the requested path without returning kilobytes of it. */
export function shortenPath(path: string): string {
  return path.length <= PATH_SHOWN_MAX ? path : `${path.slice(0, PATH_SHOWN_MAX)}…`;
}

function notFound(rest: string): GateDecision {
  return { kind: "reject", status: 404, message: `Page Not Found: ${shortenPath(rest)}` };
}

/** Written in one word, the coin prices are in ends it. */
const JOINED = /^([A-Z0-9]{2,12}?)(USDT|USDC|USD|BTC|ETH)$/;

/** Normalises a code as users write it: `btc-usdt` and `BTCUSDT` are BTC_USDT. Nothing for an invalid one. */
function spellCode(code: string): string | undefined {
  const spelt = code.toUpperCase().replace(/[-:]/, "_").replace(JOINED, "$1_$2");
  return PAIR_CODE.test(spelt) ? spelt : undefined;
}

/** The one right address of a code: itself, a redirect to it, or no page. */
function correct(rest: string, search: string, before: readonly string[], code: string): GateDecision {
  const spelt = spellCode(code);
  if (spelt === undefined) return notFound(rest);
  return spelt === code ? ALLOW : { kind: "redirect", to: `/${[...before, spelt].join("/")}${search}` };
}

/** The part of the futures that shows figures instead of a terminal. */
const DATA = "data";

/** Futures addresses end in a contract code: what is spelt otherwise is corrected, what is no code is not a page. */
function runFutures({ rest, search }: GateRequest): GateDecision {
  const segments = rest.split("/").filter((segment) => segment !== "");
  const code = segments.length > (segments[1] === DATA ? 2 : 1) ? segments.at(-1) : undefined;
  return code === undefined ? ALLOW : correct(rest, search, segments.slice(0, -1), code);
}

const middlewares: Readonly<Record<MiddlewareName, (request: GateRequest) => GateDecision>> = { futures: runFutures };

const validators: Readonly<Record<ValidateName, (request: GateRequest) => GateDecision>> = {
  pairCode: ({ rest, search }) => {
    const [, product = "", code = "", ...more] = rest.split("/");
    if (code === "") return ALLOW;
    const decision = correct(rest, search, [product], code);
    // The page takes everything below its path; segments after the pair are ignored.
    const isLonger = more.some((segment) => segment !== "");
    return decision.kind === "allow" && isLonger ? { kind: "redirect", to: `/${product}/${code}${search}` } : decision;
  },
};

export function decideGate(page: PageRoute | undefined, request: GateRequest): GateDecision {
  if (page === undefined) return ALLOW;
  if (page.middleware !== undefined) {
    const decision = middlewares[page.middleware](request);
    if (decision.kind !== "allow") return decision;
  }
  return page.validate === undefined ? ALLOW : validators[page.validate](request);
}

// `GET {route}/_payload.json`: the data a route renders from, as plain JSON. It runs the same loaders as the document,
// by asking the router for its data answer and unpacking that; client navigation reads it through `load-payload.ts`.
import { isRouteErrorResponse, UNSAFE_decodeViaTurboStream, UNSAFE_SingleFetchRedirectSymbol } from "react-router";
import type { Payload } from "./payload.ts";
import { findPageById } from "./route-table.ts";

interface PayloadAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

type RouteResult = { readonly data: unknown } | { readonly error: unknown };

function answer(status: number, payload: Payload): PayloadAnswer {
  return { status, headers: [["content-type", "application/json; charset=utf-8"]], body: JSON.stringify(payload) };
}

function answerError(error: unknown): PayloadAnswer {
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const message = isRouteErrorResponse(error) ? String(error.data ?? error.statusText) : "Internal Server Error";
  return answer(status, { error: { status, message } });
}

function pickResult(routes: Readonly<Record<string, RouteResult>>): PayloadAnswer {
  let data: unknown = null;
  for (const [id, result] of Object.entries(routes)) {
    if ("error" in result) return answerError(result.error);
    if (findPageById(id) !== undefined) data = result.data ?? null;
  }
  return answer(200, { data });
}

export async function answerPayload(
  path: string,
  url: URL,
  ask: (target: URL) => Promise<Response>,
): Promise<PayloadAnswer> {
  const target = new URL(url);
  target.pathname = path === "/" ? "/_.data" : `${path}.data`;
  const response = await ask(target);
  if (response.body === null) return answer(500, { error: { status: 500, message: "Internal Server Error" } });
  const { value } = await UNSAFE_decodeViaTurboStream(
    response.body,
    globalThis as unknown as Window & typeof globalThis,
  );
  const routes = value as Readonly<Record<string | symbol, unknown>>;
  const redirect = routes[UNSAFE_SingleFetchRedirectSymbol] as { readonly redirect: string } | undefined;
  if (redirect !== undefined) return answer(200, { redirect: redirect.redirect });
  return pickResult(routes as Readonly<Record<string, RouteResult>>);
}

// The page server's whole surface: from a plain request to a status, headers and a body. The HTTP server mounts it and
// is independent of React; this file is independent of sockets. The contract is repeated in the server's
// pages-messages.ts.

import * as build from "virtual:react-router/server-build";
import { decideLocale, formatLocalePath } from "@clockwork/kit/locale";
import { RouterContextProvider } from "react-router";
import { createFormHandlers } from "#boot/form-handlers.ts";
import { loadLateParts } from "#boot/late-part.tsx";
import { pageContext } from "#boot/page-context.ts";
import { readPageFrame } from "#boot/page-frame.ts";
import { answerPayload } from "#boot/payload-answer.ts";
import { formatPayloadPath, parsePayloadPath } from "#boot/payload-path.ts";
import { type CallApi, readEnvelope } from "#boot/root-data.ts";
import { findPage } from "#boot/route-table.ts";
import { readCompany } from "#boot/served.ts";
import { formatRobots, formatSitemap } from "#boot/site-map.ts";
import { buildRootData, fetchStartData, preferredLocale } from "#boot/start-data.ts";
import { listWrittenPaths } from "#boot/written-paths.ts";
import { loadCatalogue } from "#words/text.ts";
import { type PagePipe, renderBare, takePipe } from "./entry.server.tsx";

/** What of a request can change an anonymous page. */
export interface PageQuestion {
  /** Path and query as sent. */
  readonly url: string;
  readonly origin: string;
  readonly cookie: string | undefined;
  readonly userAgent: string | undefined;
  readonly colorSchemeHint: string | undefined;
}

export interface PageRequest extends PageQuestion {
  readonly nonce: string;
  readonly version: string;
  readonly callApi: CallApi;
  readonly whole: boolean;
  /** Decides everything and draws nothing: the body is empty. */
  readonly isHead: boolean;
  readonly onError: (error: unknown) => void;
}

export interface PageAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | PagePipe;
  /** The login that came along is over: its cookies go with this answer, so that browser and server agree. */
  readonly endsSession?: boolean;
}

const handlerOf = createFormHandlers(build, import.meta.env.PROD ? "production" : "development");

function frameOf(question: PageQuestion) {
  const mark = question.url.indexOf("?");
  const query = new URLSearchParams(mark === -1 ? "" : question.url.slice(mark));
  return readPageFrame({ ...question, query });
}

function redirectTo(to: string): PageAnswer {
  const headers = [
    ["location", to],
    ["cache-control", "no-store"],
  ] as const;
  return { status: 302, headers, body: "" };
}

function answerText(type: string, body: string): PageAnswer {
  const headers = [
    ["content-type", `${type}; charset=utf-8`],
    ["cache-control", "public, max-age=3600"],
  ] as const;
  return { status: 200, headers, body };
}

/** The canonical address of a page requested in capitals or with a trailing slash; nothing for any other. */
function respell(rest: string): string | undefined {
  if (rest === "/" || findPage(rest) !== undefined) return undefined;
  const trimmed = rest.replace(/\/+$/, "");
  const [, first = "", ...others] = trimmed.split("/");
  const forms = [trimmed.toLowerCase(), `/${[first.toLowerCase(), ...others].join("/")}`];
  return forms.find((form) => form !== rest && findPage(form) !== undefined);
}

export async function answerPage(request: PageRequest): Promise<PageAnswer> {
  // Joined as text: a path of two slashes must remain a path and never become another host.
  const url = new URL(request.origin + request.url);
  if (url.pathname === "/robots.txt") return answerText("text/plain", formatRobots(request.origin));
  if (url.pathname === "/sitemap.xml") {
    const [more, web] = await Promise.all([
      listWrittenPaths(request.callApi),
      request.callApi({ method: "GET", path: "/v1/home/web-config", shared: true }),
    ]);
    const { riskPath } = readCompany(readEnvelope(web));
    return answerText("application/xml", formatSitemap(request.origin, more, riskPath));
  }
  const payloadOf = parsePayloadPath(url.pathname);
  const frame = frameOf(request);
  const start = await fetchStartData(request.callApi, frame, url.host);
  const decision = decideLocale({
    pathname: payloadOf ?? url.pathname,
    search: "",
    preference: preferredLocale(start.topInfo),
    stored: frame.preferences.language,
    available: start.available,
  });
  const endsSession = start.login === "over";
  if (decision.kind === "redirect") {
    const to = payloadOf === undefined ? decision.to : formatPayloadPath(decision.to);
    return { ...redirectTo(to + url.search), endsSession };
  }
  const spelt = payloadOf === undefined ? respell(decision.rest) : undefined;
  if (spelt !== undefined) {
    return { ...redirectTo(formatLocalePath(spelt, decision.prefix) + url.search), endsSession };
  }
  await loadLateParts();
  await loadCatalogue(decision.locale);
  const provider = new RouterContextProvider();
  provider.set(pageContext, {
    root: buildRootData({ ...request, frame, start, locale: decision.locale, prefix: decision.prefix }),
    callApi: request.callApi,
    login: start.login,
    preferences: frame.preferences,
    rest: decision.rest,
    nonce: request.nonce,
    whole: request.whole,
    onError: request.onError,
  });
  const ask = (target: URL, method = "GET") => handlerOf(target)(new Request(target, { method }), provider);
  if (payloadOf !== undefined)
    return { ...(await answerPayload(payloadOf, url, (target) => ask(target))), endsSession };
  const response = await ask(url, request.isHead ? "HEAD" : "GET");
  return {
    status: response.status,
    headers: [...response.headers],
    body: takePipe(response) ?? (await response.text()),
    endsSession,
  };
}

export const bare = renderBare;

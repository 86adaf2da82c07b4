// Breaks every loop of redirects a session can be caught in: pages that send a visitor round, by themselves or with the
// browser's help. Past a few rounds the session's cookies are emptied, and a visitor without a session is sent nowhere
// twice. Remembers no more than the last redirect, in a cookie of a few seconds.
import { createHash } from "node:crypto";
import { type CookiePlace, carriesSession } from "@clockwork/kit/session-cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import { emptySession } from "./session-cookies.ts";

/** What the cookie remembers. */
interface Hops {
  /** Redirects since a page was shown. */
  readonly chain: number;
  /** How often the last redirect was made, in either direction, one soon after the other. */
  readonly rounds: number;
  /** Digests of where it led from and to. */
  readonly from: string;
  readonly to: string;
}

const CHAIN_MAX = 6;
const ROUNDS_MAX = 4;
/** Redirects further apart than this do not belong together. */
const KEEP_SECONDS = 5;
const NONE: Hops = { chain: 0, rounds: 0, from: "", to: "" };

/** Called for every page before its headers are sent. */
export function guardRedirect(request: FastifyRequest, reply: FastifyReply, place: CookiePlace): void {
  const { cookie } = request.headers;
  if (!carriesSession(cookie)) return;
  const last = readHops(cookie);
  const location = reply.getHeader("location");
  const isRedirect = reply.statusCode >= 300 && reply.statusCode < 400 && typeof location === "string";
  if (!isRedirect) {
    if (last.chain > 0) writeHops(reply, { ...last, chain: 0 });
    return;
  }
  const hops = follow(last, digest(request.url), digest(location));
  const isLoop = hops.chain > CHAIN_MAX || hops.rounds > ROUNDS_MAX;
  if (isLoop) emptySession(request, reply, place);
  writeHops(reply, isLoop ? NONE : hops);
}

function follow(last: Hops, from: string, to: string): Hops {
  const isSame = (last.from === from && last.to === to) || (last.from === to && last.to === from);
  return { chain: last.chain + 1, rounds: isSame ? last.rounds + 1 : 1, from, to };
}

function digest(address: string): string {
  return createHash("sha256").update(address).digest("hex").slice(0, 8);
}

function writeHops(reply: FastifyReply, { chain, rounds, from, to }: Hops): void {
  const value = `${chain}.${rounds}.${from}.${to}`;
  reply.header("set-cookie", `cw_hops=${value}; Path=/; Max-Age=${KEEP_SECONDS}; HttpOnly; SameSite=Lax`);
}

function readHops(cookie: string | undefined): Hops {
  const found = /(?:^|;\s*)cw_hops=(\d{1,2})\.(\d{1,2})\.([0-9a-f]{0,8})\.([0-9a-f]{0,8})(?:;|$)/.exec(cookie ?? "");
  if (found === null) return NONE;
  const [, chain, rounds, from = "", to = ""] = found;
  return { chain: Number(chain), rounds: Number(rounds), from, to };
}

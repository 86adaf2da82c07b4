// Headers that keep a browser safe, the per-request CSP nonce, and the guard against calls from foreign sites.
// Never echoes a header of the request into a policy.
import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { edgeRefusal } from "@clockwork/host/refusal";
import type { Config } from "@clockwork/host/settings/config";
import { FUTURES_SUBDOMAIN } from "@clockwork/host/settings/domains";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { headerLines, PreparedResponse } from "./prepared-response.ts";
import { refusalBody } from "./refusal.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set on every inline script and style of the page this request renders. */
    readonly cspNonce: string;
  }
}

export const CSP_REPORT_PATH = "/csp-report";

/** Code and markup come out of text by the page's default policy alone; see the web package's `boot/trusted-types.ts`. */
const TRUSTED_TYPES = "require-trusted-types-for 'script'; trusted-types default";
const REPORTS = [`report-uri ${CSP_REPORT_PATH}`, "report-to csp"];

/** What an outside captcha loads is not ours to write: its pages report what they would refuse. */
const TRUSTED_TYPES_REPORTS = [`${TRUSTED_TYPES} captcha`, ...REPORTS].join("; ");

/**
 * The policy of a page. Styles in attributes remain allowed: server-rendered `style="…"` needs them, and they can
 * neither run code nor select other elements. Scripts run by nonce alone.
 */
export function pagePolicy(
  nonce: string,
  options: {
    development: boolean;
    secure: boolean;
    socketOrigin?: string;
    fastOrigins?: readonly string[];
    /** Other origins of the product that calls go to: its futures API, its published list of addresses. */
    callOrigins?: readonly string[];
    /** Hosts of an external captcha: what it draws and requests; its scripts come in through the page's own. */
    captchaOrigins?: readonly string[];
  },
): string {
  const captcha = options.captchaOrigins ?? [];
  const more = captcha.map((origin) => ` ${origin}`).join("");
  const fast = (options.fastOrigins ?? []).flatMap((origin) => [origin, origin.replace(/^http/, "ws")]);
  const connect = [
    "'self'",
    options.socketOrigin,
    ...fast,
    ...(options.callOrigins ?? []),
    ...captcha,
    options.development ? "ws:" : undefined,
  ];
  const style = options.development ? "'self' 'unsafe-inline'" : `'self' 'nonce-${nonce}'`;
  return [
    "default-src 'self'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    "script-src-attr 'none'",
    `style-src ${style}${more}`,
    "style-src-attr 'unsafe-inline'",
    `connect-src ${connect.filter((part) => part !== undefined).join(" ")}`,
    `img-src 'self' data: blob:${more}`,
    `font-src 'self'${more}`,
    "media-src 'self'",
    // The bundler's client waits for a restarted server in a worker it creates itself.
    `worker-src 'self'${options.development ? " blob:" : ""}`,
    "manifest-src 'self'",
    "frame-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(options.secure ? ["upgrade-insecure-requests"] : []),
    ...(options.development || captcha.length > 0 ? [] : [TRUSTED_TYPES]),
    ...REPORTS,
  ].join("; ");
}

const API_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Built files: scripts, styles, fonts. A page takes dozens of them, so they carry what protects a file and no more. */
const ASSET_PREFIX = "/assets/";
const ASSET_HEADERS: readonly (readonly [string, string])[] = [
  ["x-content-type-options", "nosniff"],
  ["cross-origin-resource-policy", "same-origin"],
  ["content-security-policy", "default-src 'self'; base-uri 'none'; frame-ancestors 'none'"],
];

const FIXED_HEADERS: readonly (readonly [string, string])[] = [
  ["x-content-type-options", "nosniff"],
  ["x-frame-options", "DENY"],
  ["referrer-policy", "strict-origin-when-cross-origin"],
  ["cross-origin-opener-policy", "same-origin"],
  ["cross-origin-resource-policy", "same-origin"],
  ["origin-agent-cluster", "?1"],
  ["x-dns-prefetch-control", "off"],
  ["x-permitted-cross-domain-policies", "none"],
  [
    "permissions-policy",
    "accelerometer=(), autoplay=(), camera=(self), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), " +
      "microphone=(), midi=(), payment=(), publickey-credentials-create=(self), publickey-credentials-get=(self), usb=()",
  ],
  ["reporting-endpoints", `csp="${CSP_REPORT_PATH}"`],
];

const HSTS = "max-age=63072000; includeSubDomains";

/** What every call of the API is answered with, as lines. */
const API_LINES = headerLines([
  ...FIXED_HEADERS,
  ["content-security-policy", API_POLICY],
  ["cache-control", "no-store"],
]);
const SECURE_API_LINES = API_LINES + headerLines([["strict-transport-security", HSTS]]);

/** The lines of an answer of the API, as text. */
export function apiLines(isSecure: boolean): string {
  return isSecure ? SECURE_API_LINES : API_LINES;
}

export function isApiPath(url: string): boolean {
  return /^\/(?:[sfd]?api|futuresapi)(?:[/?]|$)/.test(url);
}

/** An external host is in the policy only if its captcha is used. */
function captchaOriginsOf(config: Pick<Config, "geetestId" | "geetestScript" | "geetestApi">): readonly string[] {
  if (config.geetestId === "") return [];
  return [...new Set([config.geetestScript, config.geetestApi].map((url) => new URL(url).origin))];
}

function callOriginsOf(config: Pick<Config, "domain" | "domainListUrl">, isSecure: boolean): readonly string[] {
  const list = URL.parse(config.domainListUrl ?? "")?.origin;
  const futures = `${FUTURES_SUBDOMAIN}.${config.domain}`;
  return [
    ...(config.domain === "" ? [] : [isSecure ? `https://${futures}` : `http://${futures}:*`]),
    ...(list === undefined ? [] : [list]),
  ];
}

/** Written on the raw response, so that an answer that bypasses the framework's serializer carries them too. */
export function writeSecurityHeaders(
  request: { readonly url: string; readonly protocol: string; readonly cspNonce: string },
  response: ServerResponse,
  config: Pick<Config, "mode" | "publicOrigin" | "fastOrigins" | "domain" | "domainListUrl"> &
    Pick<Config, "geetestId" | "geetestScript" | "geetestApi">,
): void {
  const secure = request.protocol === "https" || config.publicOrigin?.startsWith("https:") === true;
  const isAsset = request.url.startsWith(ASSET_PREFIX);
  for (const [name, value] of isAsset ? ASSET_HEADERS : FIXED_HEADERS) response.setHeader(name, value);
  if (secure) response.setHeader("strict-transport-security", HSTS);
  if (isAsset) return;
  if (isApiPath(request.url)) {
    response.setHeader("content-security-policy", API_POLICY);
    response.setHeader("cache-control", "no-store");
    return;
  }
  const captchaOrigins = captchaOriginsOf(config);
  if (captchaOrigins.length > 0 && config.mode !== "development")
    response.setHeader("content-security-policy-report-only", TRUSTED_TYPES_REPORTS);
  const policy = pagePolicy(request.cspNonce, {
    development: config.mode === "development",
    secure,
    fastOrigins: config.fastOrigins,
    callOrigins: callOriginsOf(config, secure),
    captchaOrigins,
    ...(config.publicOrigin === undefined ? {} : { socketOrigin: config.publicOrigin.replace(/^http/, "ws") }),
  });
  response.setHeader("content-security-policy", policy);
}

export interface OriginRules {
  readonly publicOrigin: string | undefined;
  readonly allowedOrigins: readonly string[];
  /** Pages of this domain may call its futures API. */
  readonly domain: string;
}

function allowsOrigin({ allowedOrigins, domain, publicOrigin }: OriginRules, origin: string | undefined): boolean {
  if (origin === undefined) return false;
  if (allowedOrigins.includes(origin)) return true;
  const url = domain === "" ? null : URL.parse(origin);
  if (url === null || (url.hostname !== domain && url.hostname !== `www.${domain}`)) return false;
  return url.protocol === (publicOrigin?.startsWith("https:") === true ? "https:" : "http:");
}

/**
 * True when a browser reports that the call comes from our own pages (or a configured origin), or when the client is no
 * browser.
 */
export function isOwnOrigin(request: Pick<IncomingMessage, "headers">, rules: OriginRules): boolean {
  const { origin, host } = request.headers;
  const site = request.headers["sec-fetch-site"];
  if (allowsOrigin(rules, origin)) return true;
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  if (origin === undefined) return true;
  if (rules.publicOrigin !== undefined) return origin === rules.publicOrigin;
  const url = URL.parse(origin);
  return url !== null && url.host !== "" && url.host === host?.toLowerCase();
}

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);
const CORS_METHODS = "GET, POST, PUT, PATCH, DELETE";
const CORS_HEADERS =
  "accept, content-type, authorization, idempotency-key, language, x-language, x-authorization, selecttype, token, logintoken, deviceid, cwdeviceid, " +
  "systemversion, devicename, clienttag, system, appversion, accept-language, x-locale, thirdapptoken, thirdappid, x-request-id";

/** Registers the headers, the nonce, the foreign-site guard and the answers to configured foreign origins. */
export function registerSecurity(app: FastifyInstance, config: Config): void {
  const nonces = new WeakMap<FastifyRequest, string>();
  // Generated on first use: API calls need none.
  app.decorateRequest("cspNonce", {
    getter() {
      const known = nonces.get(this);
      if (known !== undefined) return known;
      const nonce = randomBytes(16).toString("base64url");
      nonces.set(this, nonce);
      return nonce;
    },
  });
  const isSecureSite = config.publicOrigin?.startsWith("https:") === true;
  const hasForeign = config.allowedOrigins.length > 0 || config.domain !== "";
  app.addHook("onRequest", (request, reply, done) => {
    const { raw } = reply;
    const { origin } = request.headers;
    // A route that answers in the envelope sets none of these; with foreign origins some of them differ.
    if (!hasForeign && request.routeOptions.config.isEnveloped === true && raw instanceof PreparedResponse) {
      const isSecure = isSecureSite || request.protocol === "https";
      raw.preparedLines = `${apiLines(isSecure)}x-request-id: ${request.id}\r\n`;
      const isSafe = request.method === "GET" || (origin === undefined && isOwnOrigin(request.raw, config));
      if (isSafe) return done();
    } else {
      raw.setHeader("x-request-id", request.id);
      writeSecurityHeaders(request, raw, config);
    }
    const allowed = allowsOrigin(config, origin);
    if (hasForeign) reply.raw.setHeader("vary", "Origin");
    if (allowed && origin !== undefined && isApiPath(request.url)) {
      reply.raw.setHeader("access-control-allow-origin", origin);
      reply.raw.setHeader("access-control-allow-credentials", "true");
      reply.raw.setHeader("access-control-expose-headers", "x-request-id, ratelimit, ratelimit-policy, retry-after");
      reply.raw.setHeader("cross-origin-resource-policy", "cross-origin");
      if (request.method === "OPTIONS" && request.headers["access-control-request-method"] !== undefined) {
        reply.raw.setHeader("access-control-allow-methods", CORS_METHODS);
        reply.raw.setHeader("access-control-allow-headers", CORS_HEADERS);
        reply.raw.setHeader("access-control-max-age", "600");
        reply.code(204).send();
        return undefined;
      }
    }
    if (!SAFE_METHODS.has(request.method) && request.url !== CSP_REPORT_PATH && !isOwnOrigin(request.raw, config)) {
      const refusal = edgeRefusal("CROSS_SITE_REFUSED");
      reply.code(refusal.status).send(refusalBody(refusal, request.id));
      return undefined;
    }
    return done();
  });
}

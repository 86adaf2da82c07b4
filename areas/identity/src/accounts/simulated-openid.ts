// A simulated OpenID provider for demo runs: every name typed into its form is an account. It implements the protocol
// of a real one (discovery, code with PKCE, signed identity token) within this process; only its form is served.
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { OpenidProvider } from "@clockwork/host/settings/openid-provider";
import type { FastifyInstance } from "fastify";

const ISSUER = "https://simulated-openid.invalid";
const FORM_PATH = "/dev/openid";
const RETURN_PATH = "/login-cw/social-verification";
const CODE_MS = 60_000;
const CODES_MAX = 1_000;
const NAME = /^[a-z0-9][a-z0-9._-]{0,31}$/;
const POLICY = "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const CARRIED = ["client_id", "redirect_uri", "state", "nonce", "code_challenge"] as const;

interface Granted {
  readonly name: string;
  readonly nonce: string;
  readonly challenge: string;
  readonly redirectUri: string;
  readonly endsMs: number;
}

/** A simulated provider whose form is on the site that is returned to. */
export interface NearProvider extends OpenidProvider {
  fetch(url: string, init: { readonly body?: unknown }): Promise<Response>;
  /** The address of the form for a request that is to return there. */
  formOf(search: string, returnUrl: string): string;
}

export class SimulatedOpenid implements NearProvider {
  readonly name = "simulated";
  readonly issuer = ISSUER;
  readonly clientId = "clockwork";
  readonly clientSecret = randomBytes(16).toString("hex");
  readonly #now: () => number;
  readonly #key = generateKeyPairSync("ec", { namedCurve: "P-256" });
  readonly #codes = new Map<string, Granted>();

  constructor(now: () => number) {
    this.#now = now;
  }

  formOf(search: string, returnUrl: string): string {
    return new URL(`${FORM_PATH}${search}`, returnUrl).href;
  }

  async fetch(url: string, { body }: { readonly body?: unknown }): Promise<Response> {
    const { pathname } = new URL(url);
    if (pathname === "/.well-known/openid-configuration") return Response.json(DISCOVERY);
    if (pathname === "/keys") return Response.json({ keys: [this.#key.publicKey.export({ format: "jwk" })] });
    if (pathname !== "/token") return new Response(null, { status: 404 });
    const token = this.#redeem(new URLSearchParams(String(body)));
    return token === undefined
      ? Response.json({ error: "invalid_grant" }, { status: 400 })
      : Response.json({ access_token: randomBytes(16).toString("hex"), token_type: "bearer", id_token: token });
  }

  mount(app: FastifyInstance): void {
    app.get(FORM_PATH, async (request, reply) => {
      const requested = this.#read(request.query, `${request.protocol}://${request.host}`);
      reply.header("cache-control", "no-store").header("content-security-policy", POLICY);
      reply.type("text/html; charset=utf-8");
      if (requested === undefined) return reply.code(400).send(page("<p>This request is incomplete.</p>"));
      return page(formOf(requested, requested.name !== undefined));
    });
    app.get(`${FORM_PATH}/enter`, async (request, reply) => {
      const requested = this.#read(request.query, `${request.protocol}://${request.host}`);
      if (requested === undefined) return reply.code(400).send();
      if (requested.name === undefined || !NAME.test(requested.name))
        return reply.code(303).redirect(`${FORM_PATH}?${new URLSearchParams({ ...requested.carried, name: "" })}`);
      const { redirect_uri = "", state = "" } = requested.carried;
      const back = new URL(redirect_uri);
      back.search = new URLSearchParams({ code: this.#grant(requested.name, requested.carried), state }).toString();
      return reply.code(303).redirect(back.href);
    });
  }

  /** Undefined where a part is missing or the redirect leads elsewhere than back to the site. */
  #read(query: unknown, origin: string): Requested | undefined {
    const given = query as Readonly<Record<string, unknown>>;
    const carried: Record<string, string> = {};
    for (const name of CARRIED) {
      const value = given[name];
      if (typeof value !== "string" || value === "" || value.length > 512) return undefined;
      carried[name] = value;
    }
    if (carried.client_id !== this.clientId || carried.redirect_uri !== `${origin}${RETURN_PATH}`) return undefined;
    return { carried, name: typeof given.name === "string" ? given.name.trim().toLowerCase() : undefined };
  }

  #grant(name: string, carried: Requested["carried"]): string {
    const code = randomBytes(16).toString("hex");
    const { nonce = "", code_challenge: challenge = "", redirect_uri: redirectUri = "" } = carried;
    const [oldest] = this.#codes.keys();
    if (this.#codes.size >= CODES_MAX && oldest !== undefined) this.#codes.delete(oldest);
    this.#codes.set(code, { name, nonce, challenge, redirectUri, endsMs: this.#now() + CODE_MS });
    return code;
  }

  /** A code counts once. */
  #redeem(body: URLSearchParams): string | undefined {
    const code = body.get("code") ?? "";
    const granted = this.#codes.get(code);
    this.#codes.delete(code);
    if (granted === undefined || granted.endsMs <= this.#now()) return undefined;
    const challenge = createHash("sha256")
      .update(body.get("code_verifier") ?? "")
      .digest("base64url");
    if (challenge !== granted.challenge || body.get("redirect_uri") !== granted.redirectUri) return undefined;
    const seconds = Math.floor(this.#now() / 1_000);
    const claims = {
      iss: ISSUER,
      aud: this.clientId,
      sub: granted.name,
      nonce: granted.nonce,
      email: `${granted.name}@simulated.example`,
      email_verified: true,
      iat: seconds,
      exp: seconds + CODE_MS / 1_000,
    };
    const text = [{ alg: "ES256" }, claims].map((part) => encode(JSON.stringify(part))).join(".");
    const signature = sign("sha256", Buffer.from(text), { key: this.#key.privateKey, dsaEncoding: "ieee-p1363" });
    return `${text}.${signature.toString("base64url")}`;
  }
}

interface Requested {
  readonly carried: Readonly<Record<string, string>>;
  readonly name: string | undefined;
}

const DISCOVERY = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: `${ISSUER}/token`,
  jwks_uri: `${ISSUER}/keys`,
  response_types_supported: ["code"],
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: ["ES256"],
};

const encode = (text: string): string => Buffer.from(text).toString("base64url");

const escapeText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

function formOf({ carried }: Requested, isRefused: boolean): string {
  const hidden = Object.entries(carried).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escapeText(value)}">`,
  );
  const error = isRefused ? "<p>Use 1 to 32 lower-case letters, digits, dots or dashes.</p>" : "";
  return (
    `<p>For trying the exchange without a real provider. Every name is an account; there is no password.</p>${error}` +
    `<form method="get" action="${FORM_PATH}/enter">${hidden.join("")}<label>Account name ` +
    '<input name="name" required maxlength="32" autocomplete="off" autofocus></label> <button>Continue</button></form>'
  );
}

const page = (body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Simulated sign-in provider</title>` +
  `<meta name="viewport" content="width=device-width"></head><body><main><h1>Simulated sign-in provider</h1>${body}` +
  "</main></body></html>";

// A served process and a plain caller for the benchmarks of accounts: its own data folder, every call from an address of
// its own choice, no captcha. Measures nothing itself.
import { Agent, request } from "node:http";
import { type Site, startSite } from "./served-site.ts";

export const PASSWORD = "correct-horse-1";

export function startAccountsSite(): Promise<Site> {
  return startSite("accounts", {
    CW_CAPTCHA: "off",
    CW_RATE_WEIGHT_PER_MINUTE: "0",
    // Callers name their own address: limits per address are not what is measured.
    CW_TRUSTED_PROXIES: "127.0.0.1",
  });
}

export interface Reply {
  readonly status: number;
  readonly tookMs: number;
  readonly body: { readonly code?: unknown; readonly data?: Readonly<Record<string, unknown>> };
  readonly cookies: readonly string[];
  readonly retryAfterSeconds: number;
}

export interface Call {
  readonly path: string;
  readonly body?: unknown;
  readonly address: string;
  readonly cookie?: string;
  readonly device?: string;
}

export class Caller {
  readonly #origin: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 4096 });

  constructor(origin: string) {
    this.#origin = origin;
  }

  call({ path, body, address, cookie, device }: Call): Promise<Reply> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    return new Promise((done, fail) => {
      const startedMs = performance.now();
      const sent = request(
        `${this.#origin}${path}`,
        {
          agent: this.#agent,
          method: text === undefined ? "GET" : "POST",
          headers: {
            "x-forwarded-for": address,
            ...(text === undefined
              ? {}
              : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
            ...(cookie === undefined ? {} : { cookie }),
            ...(device === undefined ? {} : { cwDeviceId: device }),
          },
        },
        (response) => {
          let output = "";
          response.setEncoding("utf8");
          response.on("data", (part) => {
            output += part;
          });
          response.on("end", () =>
            done({
              status: response.statusCode ?? 0,
              tookMs: performance.now() - startedMs,
              body: output.startsWith("{") ? JSON.parse(output) : {},
              cookies: response.headers["set-cookie"] ?? [],
              retryAfterSeconds: Number(response.headers["retry-after"] ?? "0"),
            }),
          );
        },
      );
      sent.once("error", fail);
      sent.end(text);
    });
  }

  /** Opens an account by mail; answers the cookies of its session. */
  async signUp(account: string, address: string, device: string): Promise<string> {
    await this.call({ path: "/api/v2/users/sign-up/code", body: { account }, address });
    const outbox = await fetch(`${this.#origin}/dev/outbox.json?to=${encodeURIComponent(account)}`);
    const [mail] = (await outbox.json()) as { readonly code: string }[];
    const body = { account, code: mail?.code ?? "", password: PASSWORD };
    const reply = await this.call({ path: "/api/v2/users/sign-up", body, address, device });
    if (reply.status !== 200) throw new Error(`sign-up answered ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.cookies.map((text) => text.replace(/;.*/s, "")).join("; ");
  }

  close(): void {
    this.#agent.destroy();
  }
}

export function addressOf(index: number): string {
  return `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
}

/** The value below which this share of the sorted numbers is. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

// The doctor's looks from outside: names, certificates, what the proxy passes on, and the running server behind it.
import { SOCKET_PATH } from "../socket/gate.ts";
import { type Check, type Finding, green, type Patient, reasonOf, red, yellow } from "./finding.ts";

const DAY_MS = 86_400_000;
const DAYS_YELLOW = 21;
const DAYS_RED = 3;
const HSTS_MIN = 86_400;
const SKEW_MS = 30_000;

/** Every name this exchange is to answer at. */
function namesOf({ config: { publicOrigin, fastOrigins, domain, partnerDomains } }: Patient): readonly string[] {
  const origins = [publicOrigin, ...fastOrigins].flatMap((origin) =>
    origin === undefined ? [] : [new URL(origin).hostname],
  );
  const below = domain.includes(".") ? ["futuresapi", "api", "fapi", "dapi"].map((name) => `${name}.${domain}`) : [];
  return [...new Set([...origins, ...below, ...partnerDomains.map((partner) => partner.split("=")[0] ?? "")])];
}

export const checkNames: Check = async (patient) => {
  const found = await Promise.all(
    namesOf(patient).map(async (name): Promise<Finding> => {
      try {
        return green("dns", `${name} is ${(await patient.outside.resolve(name)).join(", ")}`);
      } catch (error) {
        return red(
          "dns.missing",
          `${name} has no address (${reasonOf(error)})`,
          `add an A or CNAME record for ${name}`,
        );
      }
    }),
  );
  return found;
};

export const checkCertificates: Check = async (patient) => {
  const { publicOrigin } = patient.config;
  if (publicOrigin?.startsWith("https:") !== true) return [];
  const port = Number(new URL(publicOrigin).port || 443);
  return Promise.all(
    namesOf(patient).map(async (name): Promise<Finding> => {
      try {
        const { names, endsMs, fault } = await patient.outside.certificate(name, port);
        const days = Math.floor((endsMs - patient.outside.now()) / DAY_MS);
        const renew = "renew it: certbot renew, and reload the proxy";
        if (!names.some((one) => covers(one, name)))
          return red(
            "certificate.name",
            `the certificate at ${name} is for ${names.join(", ") || "no name"}`,
            `get one that names ${name}`,
          );
        if (days < DAYS_RED) return red("certificate.ends", `the certificate of ${name} ends in ${days} days`, renew);
        if (fault !== undefined)
          return red(
            "certificate.fault",
            `browsers refuse the certificate of ${name} (${fault})`,
            "use the whole chain of a public authority",
          );
        if (days < DAYS_YELLOW)
          return yellow("certificate.soon", `the certificate of ${name} ends in ${days} days`, renew);
        return green("certificate", `${name} for ${days} days`);
      } catch (error) {
        return red(
          "certificate.none",
          `no TLS at ${name}:${port} (${reasonOf(error)})`,
          "start the proxy: deploy/nginx/clockwork.conf",
        );
      }
    }),
  );
};

const covers = (pattern: string, name: string): boolean =>
  pattern === name || (pattern.startsWith("*.") && name.slice(name.indexOf(".")) === pattern.slice(1));

/** Whether the proxy passes on what the server needs, and keeps what nobody else may read. */
export const checkProxy: Check = async ({ config: { publicOrigin, metricsToken }, outside }) => {
  if (publicOrigin === undefined) return [];
  const found: Finding[] = [];
  const fetch = (path: string, options?: RequestInit) => outside.fetch(`${publicOrigin}${path}`, options);
  try {
    const health = await fetch("/healthz");
    await health.body?.cancel();
    if (health.status !== 200 || !health.headers.has("x-request-id"))
      return [
        red(
          "proxy.other",
          `${publicOrigin}/healthz is answered by another program (${health.status})`,
          "let the proxy pass every path to the server: deploy/nginx/clockwork.conf",
        ),
      ];
    const status = await fetch("/api/v1/system/status");
    await status.body?.cancel();
    if (status.status === 421)
      found.push(
        red(
          "proxy.host",
          "the proxy changes Host, so that the server refuses every page",
          "proxy_set_header Host $host",
        ),
      );
    const age = Number(/max-age=(\d+)/.exec(status.headers.get("strict-transport-security") ?? "")?.[1] ?? 0);
    if (publicOrigin.startsWith("https:") && age < HSTS_MIN)
      found.push(
        yellow(
          "proxy.hsts",
          "answers carry no Strict-Transport-Security",
          "let the proxy keep the server's headers; start the server with the https origin",
        ),
      );
    const skewMs = Date.parse(health.headers.get("date") ?? "") - outside.now();
    if (Math.abs(skewMs) > SKEW_MS)
      found.push(
        red(
          "clock.proxy",
          `the clocks of this machine and the proxy are ${Math.round(Math.abs(skewMs) / 1000)} s apart`,
          "timedatectl set-ntp true on both",
        ),
      );
    found.push(
      ...(await judgeMetrics(fetch, metricsToken)),
      ...(await judgeBody(fetch)),
      ...(await judgeSockets(outside, publicOrigin)),
    );
    if (publicOrigin.startsWith("https:")) found.push(...(await judgePlain(outside, publicOrigin)));
  } catch (error) {
    return [
      red(
        "proxy.down",
        `${publicOrigin} does not answer (${reasonOf(error)})`,
        "start the proxy and the server; open port 443",
      ),
    ];
  }
  return found.length > 0 ? found : [green("proxy", `${publicOrigin} reaches the server`)];
};

type Fetch = (path: string, options?: RequestInit) => Promise<Response>;

/** Without X-Forwarded-For every visitor is this machine, and this machine may read the metrics. */
async function judgeMetrics(fetch: Fetch, token: string): Promise<readonly Finding[]> {
  const reply = await fetch("/metrics");
  await reply.body?.cancel();
  if (reply.status !== 200) return [];
  const remedy = "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for, and CW_TRUSTED_PROXIES names the proxy";
  const more = token === "" ? "" : "; set CW_METRICS_TOKEN";
  return [
    red("proxy.address", "anybody can read /metrics: the proxy does not pass on visitors' addresses", remedy + more),
  ];
}

async function judgeBody(fetch: Fetch): Promise<readonly Finding[]> {
  const reply = await fetch("/api/v1/system/status", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ text: "x".repeat(60_000) }),
  });
  await reply.body?.cancel();
  return reply.status === 413 && !reply.headers.has("x-request-id")
    ? [
        red(
          "proxy.body",
          "the proxy refuses requests of 60 kB, which identity documents exceed",
          "client_max_body_size 16m",
        ),
      ]
    : [];
}

async function judgeSockets(outside: Patient["outside"], origin: string): Promise<readonly Finding[]> {
  return (await outside.opensSocket(`${origin.replace(/^http/, "ws")}${SOCKET_PATH}`))
    ? []
    : [
        red(
          "proxy.sockets",
          "WebSocket connections do not pass the proxy: prices stand still",
          "proxy_http_version 1.1, and Upgrade and Connection passed on",
        ),
      ];
}

async function judgePlain(outside: Patient["outside"], origin: string): Promise<readonly Finding[]> {
  const { hostname } = new URL(origin);
  try {
    const reply = await outside.fetch(`http://${hostname}/`);
    await reply.body?.cancel();
    const isRedirected =
      reply.status >= 300 && reply.status < 400 && reply.headers.get("location")?.startsWith("https:");
    return isRedirected
      ? []
      : [
          red(
            "proxy.plain",
            `http://${hostname} is served without TLS (${reply.status})`,
            "return 301 https://$host$request_uri on port 80",
          ),
        ];
  } catch {
    // Nothing listens there: visitors type the name without https and find nothing, which is no danger.
    return [yellow("proxy.port80", `nothing redirects http://${hostname} to https`, "listen on port 80 and redirect")];
  }
}

/** The server itself, on the machine it runs on. */
export const checkServer: Check = async ({ config: { host, port }, outside }) => {
  const address = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  try {
    const reply = await outside.fetch(`http://${address}:${port}/readyz`);
    const text = (await reply.text()).slice(0, 300);
    if (reply.status === 200) return [green("server", `ready at ${address}:${port}`)];
    return [red("server.unready", `the server is not ready: ${text}`, "the runbook says what each missing part needs")];
  } catch (error) {
    return [
      yellow(
        "server.down",
        `no server runs at ${address}:${port} (${reasonOf(error)})`,
        "systemctl start clockwork, or npm start",
      ),
    ];
  }
};

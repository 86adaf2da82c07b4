// What production refuses: settings that are valid and dangerous or absurd with real money. Pure; reads values only.
import type { Config, Problem } from "./config.ts";
import type { SimulatedKind } from "./market-settings.ts";

/** Names that no user can reach or answer from (RFC 2606, RFC 6762). Drills of production use `.test`, intranets `.internal`. */
const RESERVED_NAME = /(?:^|\.)(?:local|localhost|invalid|example|example\.(?:com|net|org))$/;
const NUMBERS = /^(?:[\d.]+|\[.*\])$/;
const COMMON_PASSWORDS = new Set(["postgres", "password", "clockwork", "admin", "secret", "changeme", "test", "root"]);
const PLACEHOLDER = /change[-_ ]?me|example|placeholder|password|your[-_]|xxxx|0123456789abcdef|abcdefgh/i;
const DISTINCT_MIN = 8;
const FOUNDERS_MIN = 2;
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\]|)$/;

type Find = (config: Config) => readonly (readonly [setting: string, message: string] | undefined)[];

const isReserved = (host: string): boolean => RESERVED_NAME.test(host) || NUMBERS.test(host) || !host.includes(".");
const hostOfMail = (address: string): string => (/@([^\s>@]+)>?\s*$/.exec(address)?.[1] ?? "").toLowerCase();

const findOrigins: Find = ({ publicOrigin, fastOrigins, allowedOrigins, trustedProxies, port }) => {
  const url = publicOrigin === undefined ? undefined : new URL(publicOrigin);
  const plain = [...new Set([...fastOrigins, ...allowedOrigins])].filter((origin) => origin.startsWith("http:"));
  return [
    url === undefined
      ? ["CW_PUBLIC_ORIGIN", "is not set: links in mails, cookies and HSTS need it. Set the https origin visitors see"]
      : undefined,
    url?.protocol === "http:"
      ? [
          "CW_PUBLIC_ORIGIN",
          "is plain http: passwords would cross the network in the clear. Put TLS in front and use https",
        ]
      : undefined,
    url !== undefined && isReserved(url.hostname)
      ? ["CW_PUBLIC_ORIGIN", `${url.hostname} is no name that visitors can reach. Use a registered domain`]
      : undefined,
    plain.length > 0
      ? [
          "CW_ALLOWED_ORIGINS",
          `${plain.join(", ")}: a page without TLS could call with a user's session. Use https origins only`,
        ]
      : undefined,
    trustedProxies.length === 0
      ? [
          "CW_TRUSTED_PROXIES",
          "is empty: behind the proxy with TLS every visitor would share its address and its limits. Name the proxy, such as 127.0.0.1",
        ]
      : undefined,
    trustedProxies.some((network) => /\/[0-7]$/.test(network))
      ? [
          "CW_TRUSTED_PROXIES",
          "trusts a large part of all addresses: any visitor could choose an address. Name the proxies alone",
        ]
      : undefined,
    port === 0 ? ["PORT", "0 takes another port at every start. Name one"] : undefined,
  ];
};

const findMessages: Find = ({ smtpUrl, mailFrom }) => [
  smtpUrl === undefined
    ? [
        "CW_SMTP_URL",
        "is not set: sign-in needs a mailed code, so that no user and no operator could sign in. Name the mail server",
      ]
    : undefined,
  isReserved(hostOfMail(mailFrom))
    ? ["CW_MAIL_FROM", `${mailFrom} is no address that mail servers accept. Name a sender at your domain`]
    : undefined,
];

const findOperators: Find = ({ operatorEmails }) => {
  const strange = operatorEmails.filter((address) => isReserved(hostOfMail(address)));
  return [
    strange.length > 0
      ? [
          "CW_OPERATOR_EMAIL",
          `${strange.join(", ")} can receive no code, so that the account could never sign in. Name real addresses`,
        ]
      : undefined,
    new Set(operatorEmails).size < FOUNDERS_MIN
      ? [
          "CW_OPERATOR_EMAIL",
          "names fewer than two administrators: every proposal needs a second one, and a role cannot be given by one alone. Name two people",
        ]
      : undefined,
  ];
};

const findSimulated: Find = ({ market, livenessUrl, ratesUrl, simulated }) => {
  const isNamed = (kind: SimulatedKind): boolean => simulated.includes(kind);
  return [
    market === "on" && !isNamed("market")
      ? ["CW_MARKET", "on runs simulated traders on every pair. Set off, or name market in CW_SIMULATED"]
      : undefined,
    livenessUrl === undefined && !isNamed("liveness")
      ? [
          "CW_LIVENESS_URL",
          "is not set: the liveness check would be simulated and examine no face. Name a provider, or liveness in CW_SIMULATED",
        ]
      : undefined,
    ratesUrl === undefined && !isNamed("rates")
      ? [
          "CW_RATES_URL",
          "is not set: exchange rates would come from a simulated table. Name a source, or rates in CW_SIMULATED",
        ]
      : undefined,
  ];
};

const findSecrets: Find = (config) => {
  const isWeak = (text: string): boolean => new Set(text).size < DISTINCT_MIN || PLACEHOLDER.test(text);
  const given: readonly (readonly [name: string, text: string])[] = [
    ["CW_SECRET_KEY", config.secretKey],
    ["CW_METRICS_TOKEN", config.metricsToken],
    ["CW_MARKET_PRICE_TOKEN", config.marketPriceToken],
    ["CW_CHAT_SECRET", config.chatSecret],
    ["CW_LIVENESS_KEY", config.livenessKey],
  ];
  const weak = given.filter(([, text]) => text !== "" && isWeak(text));
  const database = config.databaseUrl === undefined ? undefined : URL.parse(config.databaseUrl);
  const isCommon = database !== null && database !== undefined && COMMON_PASSWORDS.has(database.password.toLowerCase());
  return [
    ...weak.map(([name]) => [name, "is a placeholder or can be guessed. Make one: openssl rand -hex 32"] as const),
    isCommon
      ? ["DATABASE_URL", "has one of the passwords everybody tries. Give the database's user another"]
      : undefined,
  ];
};

/** Keys and users' data cross the network to these. */
const findPlainProviders: Find = (config) => {
  const providers: readonly (readonly [name: string, url: string | undefined])[] = [
    ["CW_SMS_URL", config.smsUrl],
    ["CW_PUSH_URL", config.pushUrl],
    ["CW_LIVENESS_URL", config.livenessUrl],
    ["CW_TRANSLATE_URL", config.translateUrl],
    ["CW_RATES_URL", config.ratesUrl],
    ["CW_CHAT_URL", config.chatUrl],
    ["CW_DOMAIN_LIST_URL", config.domainListUrl],
    ["CW_ARCHIVE_ENDPOINT", config.archive.startsWith("s3:") ? config.archiveEndpoint : undefined],
  ];
  return providers.map(([name, address]) => {
    const url = URL.parse(address ?? "");
    const isPlain = url?.protocol === "http:" && !LOOPBACK.test(url.hostname);
    return isPlain
      ? [name, `${url.host} is called without TLS: what is sent there could be read and changed. Use https`]
      : undefined;
  });
};

const findRest: Find = ({ weightPerMinute, socketOpensPerMinute, logLevel, marketSpeed, market }) => [
  weightPerMinute === 0
    ? [
        "CW_RATE_WEIGHT_PER_MINUTE",
        "0 turns the limit off: one caller could take the whole exchange. Set one, the default is 6000",
      ]
    : undefined,
  socketOpensPerMinute === 0
    ? [
        "CW_SOCKET_OPENS_PER_MINUTE",
        "0 turns the limit off: one address could open every socket. Set one, the default is 300",
      ]
    : undefined,
  logLevel === "silent" || logLevel === "error"
    ? ["CW_LOG_LEVEL", `${logLevel} leaves out the warnings that precede a failure. Use info or warn`]
    : undefined,
  market === "on" && marketSpeed !== 1
    ? ["CW_MARKET_SPEED", "simulated prices that move faster than time make charts nobody can compare. Use 1"]
    : undefined,
];

const FINDS = [findOrigins, findMessages, findOperators, findSimulated, findSecrets, findPlainProviders, findRest];

/** Facts that are still the sample's, or were never filled in. */
export function findSampleCompany(facts: Readonly<Record<string, string>>): readonly Problem[] {
  const setting = "CW_COMPANY";
  if (facts.isSample === "true")
    return [
      {
        setting,
        message:
          "the company is the sample of content/company.json. Write the company's facts into a file of that form and name it here",
      },
    ];
  const isSample = (text: string): boolean =>
    /\bsample\b/i.test(text) || /^0*$/.test(text) || (text.includes("@") && isReserved(hostOfMail(text)));
  const names = Object.keys(facts).filter((name) => name !== "isSample" && isSample(facts[name] ?? ""));
  return names.length === 0
    ? []
    : [{ setting, message: `${names.join(", ")} are still the sample's, or empty. Fill them in` }];
}

/** Everything at once, so that one start shows all that needs fixing; nothing outside production. */
export function findUnsafe(config: Config, facts: Readonly<Record<string, string>>): readonly Problem[] {
  if (config.mode !== "production") return [];
  const found = FINDS.flatMap((find) => find(config)).filter((problem) => problem !== undefined);
  return [...found.map(([setting, message]) => ({ setting, message })), ...findSampleCompany(facts)];
}

import { expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { findSampleCompany, findUnsafe } from "./production.ts";

const COMPANY = {
  isSample: "false",
  legalName: "Tick Limited",
  supportEmail: "help@tick.trade",
  registrationNumber: "123",
};

/** Settings that production takes. */
const SAFE: Readonly<Record<string, string>> = {
  CW_MODE: "production",
  CW_DATA: "/var/lib/clockwork",
  CW_PUBLIC_ORIGIN: "https://tick.trade",
  CW_TRUSTED_PROXIES: "127.0.0.1",
  CW_SMTP_URL: "smtps://tick:f83kPq0z@mail.tick.trade",
  CW_MAIL_FROM: "Tick <no-reply@tick.trade>",
  CW_OPERATOR_EMAIL: "anna@tick.trade,ben@tick.trade",
  CW_MARKET: "off",
  CW_LIVENESS_URL: "https://faces.tick.trade",
  CW_RATES_URL: "https://rates.tick.trade",
};

const judge = (more: Readonly<Record<string, string>>, company: Readonly<Record<string, string>> = COMPANY) => {
  const { config, problems } = readConfig({ ...SAFE, ...more });
  expect(problems).toEqual([]);
  return findUnsafe(config, company);
};

test("[OPS-7] complete settings are accepted, and the default run is judged by none of this", () => {
  expect(judge({})).toEqual([]);
  expect(findUnsafe(readConfig({}).config, {})).toEqual([]);
});

const UNSAFE: readonly (readonly [string, string])[] = [
  ["CW_PUBLIC_ORIGIN", ""],
  ["CW_PUBLIC_ORIGIN", "http://tick.trade"],
  ["CW_PUBLIC_ORIGIN", "https://localhost"],
  ["CW_PUBLIC_ORIGIN", "https://192.0.2.1"],
  ["CW_PUBLIC_ORIGIN", "https://exchange.example"],
  ["CW_ALLOWED_ORIGINS", "http://tick.trade"],
  ["CW_TRUSTED_PROXIES", ""],
  ["CW_TRUSTED_PROXIES", "0.0.0.0/0"],
  ["PORT", "0"],
  ["CW_SMTP_URL", ""],
  ["CW_MAIL_FROM", ""],
  ["CW_MAIL_FROM", "Tick <no-reply@tick.local>"],
  ["CW_OPERATOR_EMAIL", "anna@tick.trade"],
  ["CW_OPERATOR_EMAIL", "anna@tick.trade,Anna@tick.trade"],
  ["CW_OPERATOR_EMAIL", "anna@tick.trade,operator@clockwork.local"],
  ["CW_MARKET", "on"],
  ["CW_LIVENESS_URL", ""],
  ["CW_LIVENESS_URL", "http://faces.tick.trade"],
  ["CW_RATES_URL", ""],
  ["CW_SMS_URL", "http://sms.tick.trade"],
  ["CW_SECRET_KEY", "0".repeat(64)],
  ["CW_METRICS_TOKEN", "change-me-please"],
  ["DATABASE_URL", "postgres://clockwork:postgres@db/clockwork"],
  ["CW_RATE_WEIGHT_PER_MINUTE", "0"],
  ["CW_SOCKET_OPENS_PER_MINUTE", "0"],
  ["CW_LOG_LEVEL", "silent"],
];

test.each(UNSAFE)("[OPS-7] production refuses %s=%j in one line that names the remedy", (name, value) => {
  const found = judge({ [name]: value });
  expect(found.map(({ setting }) => setting)).toEqual([name]);
  expect(found[0]?.message).toMatch(/^[^\n]+\. [A-Z][^\n]+$|^[^\n]+ openssl rand -hex 32$/);
});

test("[OPS-7] what is simulated is accepted where it is named, and nothing else can be named", () => {
  const simulated = { CW_MARKET: "on", CW_LIVENESS_URL: "", CW_RATES_URL: "" };
  expect(judge(simulated).map(({ setting }) => setting)).toEqual(["CW_MARKET", "CW_LIVENESS_URL", "CW_RATES_URL"]);
  expect(judge({ ...simulated, CW_SIMULATED: "market,liveness,rates" })).toEqual([]);
  expect(readConfig({ CW_SIMULATED: "merchants" }).problems).toHaveLength(1);
});

test("[OPS-7] all faults are listed at once, and no secret is shown", () => {
  const all = judge({ ...Object.fromEntries(UNSAFE), DATABASE_URL: "postgres://u:password@db/x" }, {});
  const names = new Set(all.map(({ setting }) => setting));
  for (const [name] of UNSAFE) expect(names).toContain(name === "CW_LIVENESS_URL" ? "CW_LIVENESS_URL" : name);
  expect(JSON.stringify(all)).not.toMatch(/password@db|0000000/);
});

test("[OPS-7] the sample company is refused, and facts that are still the sample's are named", () => {
  expect(findSampleCompany(COMPANY)).toEqual([]);
  expect(findSampleCompany({ ...COMPANY, isSample: "true" })).toHaveLength(1);
  const [problem] = findSampleCompany({
    ...COMPANY,
    licenceNumber: "SAMPLE-0000",
    registrationNumber: "000000",
    supportEmail: "support@example.com",
  });
  expect(problem?.message).toMatch(
    /^registrationNumber, supportEmail, licenceNumber are|^supportEmail, registrationNumber, licenceNumber are/,
  );
});

// Valid stored texts, when a module is down, and the addresses for a visitor.

import { readPartner } from "@clockwork/host/settings/domains";
import { expect, test } from "vitest";
import {
  describeModules,
  isConfigEntry,
  isDowntime,
  isFooter,
  isLinkTarget,
  isSocialList,
  listDomains,
} from "./rules.ts";

const AT_MS = Date.UTC(2026, 2, 9);

test.each([
  ["none planned", undefined, false, null],
  ["begun with an open end", { starts_at_ms: AT_MS, ends_at_ms: null }, true, "2026-03-09T00:00:00.000Z"],
  ["coming", { starts_at_ms: AT_MS + 1, ends_at_ms: null }, false, "2026-03-09T00:00:00.001Z"],
  ["just over", { starts_at_ms: 0, ends_at_ms: AT_MS }, false, null],
  ["in its last moment", { starts_at_ms: 0, ends_at_ms: AT_MS + 1 }, true, "1970-01-01T00:00:00.000Z"],
])("[USR-8] a module with a downtime %s", (_what, planned, isDown, startsAt) => {
  const rows = planned === undefined ? [] : [{ module: "otc", reason: "Upgrade", ...planned }];
  const state = describeModules(rows, AT_MS).find(({ module }) => module === "otc");
  expect(state).toMatchObject({ isDown, startsAt, reason: startsAt === null ? "" : "Upgrade" });
});

test.each([
  ["without a reason", { reason: "", starts_at_ms: 0, ends_at_ms: null }],
  ["that ends as it begins", { reason: "x", starts_at_ms: 5, ends_at_ms: 5 }],
  ["before time", { reason: "x", starts_at_ms: -1, ends_at_ms: null }],
  ["with a control character", { reason: "a\u0000", starts_at_ms: 0, ends_at_ms: null }],
  ["told in a novel", { reason: "x".repeat(501), starts_at_ms: 0, ends_at_ms: null }],
])("[USR-8] a downtime %s is refused", (_what, planned) => {
  expect(isDowntime(planned)).toBe(false);
});

test.each([
  ["hbtSwitch", "", false],
  ["systemOut", "2", false],
  ["chatGroupRuRU", "https://chat.example/\n", false],
  ["chatGroupRuRU", `https://chat.example/${"v".repeat(500)}`, false],
  ["chatGroupRuRU", "javascript:alert(1)", false],
  ["chatGroupRuRU", "https://chat.example/x", true],
  ["chatGroupZhCN", "", true],
  ["hbtSwitch", "1", true],
] as const)("[USR-8] a switch %j = %j is kept: %s", (key, value, isKept) => {
  expect(isConfigEntry(key, value)).toBe(isKept);
});

test.each([
  ["/docs", true],
  ["/help/request?kind=1", true],
  ["https://status.example/a", true],
  ["//evil.example", false],
  ["javascript:alert(1)", false],
  ["http://plain.example", false],
  ["https://user:pass@x.example", false],
  ["/a\\b", false],
  ["docs", false],
  [`/${"a".repeat(300)}`, false],
])("[USR-7] a link to %j is kept: %s", (to, isKept) => {
  expect(isLinkTarget(to)).toBe(isKept);
});

test("[USR-7] a footer has bounded, named, different columns", () => {
  const column = (title: string, count = 1) => ({
    title,
    links: Array.from({ length: count }, (_, at) => ({ title: `l${at}`, to: "/docs" })),
  });
  expect(isFooter([column("A"), column("B", 16)])).toBe(true);
  expect(isFooter([])).toBe(true);
  expect(isFooter([column("A"), column("A")])).toBe(false);
  expect(isFooter([column("A", 17)])).toBe(false);
  expect(isFooter([column("A", 0)])).toBe(false);
  expect(isFooter(Array.from({ length: 9 }, (_, at) => column(`c${at}`)))).toBe(false);
});

test("[USR-7] social links are encrypted addresses elsewhere", () => {
  const link = { kind: "x", title: "X", url: "https://x.example/clockwork" };
  expect(isSocialList([link])).toBe(true);
  expect(isSocialList([{ ...link, url: "/docs" }])).toBe(false);
  expect(isSocialList([{ ...link, kind: "<b>" }])).toBe(false);
});

const SETTINGS = {
  fastOrigins: ["https://fast.example", "http://localhost:4000"],
  partners: [{ host: "partner.example", invite: "AB12" }],
};

test("[NET-7] the list gives the visitor's own address first and the others in full", () => {
  expect(listDomains(SETTINGS, "www.clockwork.example")).toEqual({
    invite: null,
    published: null,
    domains: [
      { api: "/api", futuresApi: "/futuresapi", socket: "/ws", futuresSocket: "/ws", carriesSession: true },
      {
        api: "https://fast.example/api",
        futuresApi: "https://fast.example/futuresapi",
        socket: "wss://fast.example/ws",
        futuresSocket: "wss://fast.example/ws",
      },
      {
        api: "http://localhost:4000/api",
        futuresApi: "http://localhost:4000/futuresapi",
        socket: "ws://localhost:4000/ws",
        futuresSocket: "ws://localhost:4000/ws",
      },
    ],
  });
  expect(listDomains(SETTINGS, "FAST.example").domains).toHaveLength(2);
});

test("[NET-7] the list marks the addresses at which a session of this one counts: by the same name or the cookies' domain", () => {
  const origins = ["https://b.clockwork.example", "https://a.clockwork.example:8443", "https://fast.example"];
  const carrying = (host: string, cookieDomain: string) =>
    listDomains({ fastOrigins: origins, partners: [], cookieDomain }, host)
      .domains.filter(({ carriesSession }) => carriesSession === true)
      .map(({ api }) => api);
  expect(carrying("a.clockwork.example", "")).toEqual(["/api", "https://a.clockwork.example:8443/api"]);
  expect(carrying("a.clockwork.example", "clockwork.example")).toEqual([
    "/api",
    "https://b.clockwork.example/api",
    "https://a.clockwork.example:8443/api",
  ]);
  // A page elsewhere has cookies of its own.
  expect(carrying("other.example", "clockwork.example")).toEqual(["/api"]);
});

test("[NET-3] below a name of one label no cookie is shared: pages call the futures API on their own host", () => {
  expect(listDomains({ ...SETTINGS, domain: "localhost" }, "localhost:3000").domains[0]?.futuresApi).toBe(
    "/futuresapi",
  );
});

test.each([
  ["clockwork.example", "https://futuresapi.clockwork.example"],
  ["www.clockwork.example:8443", "https://futuresapi.clockwork.example:8443"],
  ["127.0.0.1:3000", "/futuresapi"],
  ["evil-clockwork.example", "/futuresapi"],
  ["partner.example", "/futuresapi"],
])("[NET-3] with a domain configured a page at %j calls the futures API at %j", (host, base) => {
  const list = listDomains({ ...SETTINGS, domain: "clockwork.example", isSecure: true }, host);
  expect(list.domains[0]?.futuresApi).toBe(base);
});

test.each([
  ["partner.example", "AB12"],
  ["www.Partner.example:8443", "AB12"],
  ["partner.example.", "AB12"],
  ["notpartner.example", null],
  ["partner.example.evil.example", null],
  ["", null],
  ["[::1]:3000", null],
])("[NET-7] a visitor at %j is invited by %s", (host, invite) => {
  const list = listDomains(SETTINGS, host);
  expect(list.invite).toBe(invite);
  expect(list.domains[0]?.invite ?? null).toBe(invite);
});

test.each([
  "partner.example",
  "=AB",
  "partner.example=",
  "UPPER.example=A",
  "a.example=<b>",
  "a.example=A=B",
  "localhost=A",
])("[NET-7] %j is no partner", (text) => {
  expect(readPartner(text)).toBeUndefined();
});

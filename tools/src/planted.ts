// Owns the planted violations: one bad file per rule of the project, and valid counterparts that must not be reported.
// Never committed as real files: the test writes them into a temporary miniature of the layout.

interface Planted {
  readonly title: string;
  readonly path: string;
  readonly text: string;
  /** The Biome rule, or the name that one of our own puts in brackets. */
  readonly rule: string;
}

const lines = (count: number): string =>
  Array.from({ length: count }, (_, at) => `export const v${at} = ${at};\n`).join("");
const imported = (from: string): string => `import { x } from "${from}";\nexport const y = x;\n`;

const ARROWS: readonly Planted[] = [
  ["kit imports core", "kit/src/a.ts", "@clockwork/core/machine/machine"],
  ["core imports an area", "core/src/a.ts", "@clockwork/trading/spot/contract"],
  ["core reaches kit by a path", "core/src/b.ts", "../../kit/src/money.ts"],
  ["the book imports the ledger", "core/src/book/a.ts", "../ledger/hold.ts"],
  ["the ledger imports the book", "core/src/ledger/a.ts", "../book/level.ts"],
  ["an area imports the server", "areas/trading/src/spot/service.ts", "@clockwork/server/base/log"],
  ["an area imports another area", "areas/trading/src/spot/rules.ts", "@clockwork/fiat/otcads/contract"],
  ["an area reaches another by a path", "areas/trading/src/spot/store.ts", "../../../fiat/src/otcads/store.ts"],
  ["a contract imports core", "areas/trading/src/spot/contract.ts", "@clockwork/core/protocol/command"],
  ["a contract imports its own service", "areas/earning/src/earn/contract.ts", "./service.ts"],
  ["a contract imports kysely", "areas/fiat/src/otcads/contract.ts", "kysely"],
  ["ui imports an area", "ui/src/a.ts", "@clockwork/trading/spot/contract"],
  ["the server imports web", "apps/server/src/a.ts", "@clockwork/web/root"],
  ["the server imports ui", "apps/server/src/b.ts", "@clockwork/ui/button"],
  ["the engine imports an area", "apps/server/src/engine/a.ts", "@clockwork/trading/spot/contract"],
  ["the engine imports the gateway", "apps/server/src/engine/b.ts", "../http/app.ts"],
  [
    "the engine imports a product's projector",
    "apps/server/src/engine/projection/b.ts",
    "../../projectors/rows/rows.ts",
  ],
  ["a room of the engine imports the gateway", "apps/server/src/engine/journal/b.ts", "../../http/app.ts"],
  ["web imports a slice's service", "apps/web/src/routes/a.tsx", "@clockwork/trading/spot/service"],
  ["web imports core", "apps/web/src/routes/b.tsx", "@clockwork/core/protocol/command"],
  ["a feature imports another feature", "apps/web/src/features/spot/a.tsx", "../futures/form.tsx"],
  ["a room of a feature imports another feature", "apps/web/src/features/futures/form/a.tsx", "../../spot/form.tsx"],
  ["a feature imports a slice's service", "apps/web/src/features/spot/b.tsx", "@clockwork/trading/spot/service"],
  ["live imports ui", "apps/web/src/live/a.ts", "@clockwork/ui/button"],
  ["trade imports a feature", "apps/web/src/trade/a.ts", "../features/spot/form.tsx"],
  ["trade imports a product's contract", "apps/web/src/trade/order/b.ts", "@clockwork/trading/spot/contract"],
  ["a room imports trade", "apps/web/src/shell/a.ts", "#trade/product.ts"],
  ["live imports a feature", "apps/web/src/live/b.ts", "../features/spot/form.tsx"],
  ["the server imports sim beyond its market", "apps/server/src/c.ts", "@clockwork/sim/naive/book"],
  ["sim imports an area", "sim/src/a.ts", "@clockwork/trading/spot/contract"],
  ["bench imports an area", "bench/src/a.ts", "@clockwork/trading/spot/contract"],
  ["e2e imports core", "e2e/src/a.ts", "@clockwork/core/protocol/command"],
  ["tools import core", "tools/src/a.ts", "@clockwork/core/protocol/command"],
].map(([title, path, from]) => ({ title: `${title}`, path: `${path}`, text: imported(`${from}`), rule: "arrow" }));

const PURITY: readonly Planted[] = [
  {
    title: "Date.now() in core",
    path: "core/src/c.ts",
    text: "export const now = () => Date.now();\n",
    rule: "noRestrictedGlobals",
  },
  {
    title: "setTimeout in core",
    path: "core/src/d.ts",
    text: "setTimeout(() => undefined, 1);\n",
    rule: "noRestrictedGlobals",
  },
  {
    title: "fetch in core",
    path: "core/src/e.ts",
    text: 'export const get = () => fetch("/");\n',
    rule: "noRestrictedGlobals",
  },
  {
    title: "process in core",
    path: "core/src/f.ts",
    text: "export const pid = process.pid;\n",
    rule: "noRestrictedGlobals",
  },
  { title: "console in core", path: "core/src/g.ts", text: "console.log(1);\n", rule: "noRestrictedGlobals" },
  { title: "a Node module in core", path: "core/src/h.ts", text: imported("node:fs"), rule: "noNodejsModules" },
  { title: "a Node module in kit", path: "kit/src/h.ts", text: imported("node:fs"), rule: "noNodejsModules" },
  {
    title: "process in kit",
    path: "kit/src/f.ts",
    text: "export const pid = process.pid;\n",
    rule: "noRestrictedGlobals",
  },
  {
    title: "Date.now() in a slice",
    path: "areas/growth/src/vip/rules.ts",
    text: "export const now = () => Date.now();\n",
    rule: "one-clock",
  },
  {
    title: "performance.now() in the server",
    path: "apps/server/src/paced.ts",
    text: "export const now = () => performance.now();\n",
    rule: "one-clock",
  },
  {
    title: "the time of making a date in a slice",
    path: "areas/growth/src/vip/service.ts",
    text: "export const now = () => new Date();\n",
    rule: "one-clock",
  },
  {
    title: "a member of a command by its number",
    path: "core/src/account/house.ts",
    text: "export const asset = (core: { readWord(at: number): number }) => core.readWord(6);\n",
    rule: "record-place",
  },
  {
    title: "a member of an event by its number",
    path: "core/src/account/money.ts",
    text: "export const write = (core: { events: { i32: Int32Array } }) => {\n  core.events.i32[4] = 1;\n};\n",
    rule: "record-place",
  },
  { title: "Math.random in core", path: "core/src/i.ts", text: "export const r = Math.random();\n", rule: "pure-math" },
  { title: "Math.log in kit", path: "kit/src/i.ts", text: "export const r = Math.log(2);\n", rule: "pure-math" },
  {
    title: "Math.random in sim",
    path: "sim/src/i.ts",
    text: "export const r = Math.random();\n",
    rule: "seeded-chance",
  },
];

const truth = (text: string): string => `declare const holdUnits: number;\ndeclare function run(): void;\n${text}\n`;
const MONEY: readonly Planted[] = [
  { title: "if on money", path: "core/src/j.ts", text: truth("if (holdUnits) run();"), rule: "money-truth" },
  {
    title: "! on money",
    path: "areas/trading/src/spot/j-rules.ts",
    text: truth("export const z = !holdUnits;"),
    rule: "money-truth",
  },
  {
    title: "|| on money",
    path: "apps/server/src/j.ts",
    text: truth("export const z = holdUnits || 1;"),
    rule: "money-truth",
  },
  {
    title: "?: on money",
    path: "apps/web/src/routes/j.ts",
    text: truth("export const z = holdUnits ? 1 : 2;"),
    rule: "money-truth",
  },
  {
    title: "the end of a test on money",
    path: "sim/src/j.ts",
    text: truth("if (run && holdUnits) run();"),
    rule: "money-truth",
  },
  {
    title: "money times a float",
    path: "core/src/k.ts",
    text: truth("export const z = holdUnits * 0.001;"),
    rule: "money-float",
  },
  {
    title: "parseFloat on money",
    path: "areas/trading/src/spot/k-rules.ts",
    text: truth("export const z = Number.parseFloat(holdUnits);"),
    rule: "money-cast",
  },
  {
    title: "Number() on money",
    path: "apps/server/src/k.ts",
    text: truth("export const z = Number(holdUnits);"),
    rule: "money-cast",
  },
  {
    title: "toFixed on money",
    path: "apps/web/src/routes/k.ts",
    text: truth("export const z = holdUnits.toFixed(2);"),
    rule: "money-cast",
  },
  {
    title: "a float written into money",
    path: "sim/src/k.ts",
    text: "export const feeUnits = 0.5;\n",
    rule: "money-float",
  },
];

const SHAPE: readonly Planted[] = [
  { title: "any", path: "kit/src/l.ts", text: "export const f = (x: any) => x;\n", rule: "noExplicitAny" },
  {
    title: "a non-null !",
    path: "kit/src/m.ts",
    text: "export const f = (x?: { y: number }) => x!.y;\n",
    rule: "noNonNullAssertion",
  },
  { title: "a default export", path: "kit/src/n.ts", text: "export default 1;\n", rule: "noDefaultExport" },
  { title: "a barrel", path: "kit/src/o.ts", text: 'export { x } from "./x.ts";\n', rule: "noBarrelFile" },
  { title: "export *", path: "kit/src/p.ts", text: 'export * from "./x.ts";\n', rule: "noReExportAll" },
  {
    title: "a camelCase file",
    path: "kit/src/camelCase.ts",
    text: "export const x = 1;\n",
    rule: "useFilenamingConvention",
  },
  {
    title: "an import cycle (one end)",
    path: "kit/src/ring-a.ts",
    text: 'import { b } from "./ring-b.ts";\nexport const a = (): number => b();\n',
    rule: "noImportCycles",
  },
  {
    title: "an import cycle (other end)",
    path: "kit/src/ring-b.ts",
    text: 'import { a } from "./ring-a.ts";\nexport const b = (): number => a();\n',
    rule: "noImportCycles",
  },
  {
    title: "an unlisted dependency",
    path: "core/src/q.ts",
    text: imported("left-pad"),
    rule: "noUndeclaredDependencies",
  },
  {
    title: "a floating promise",
    path: "areas/trading/src/spot/q.ts",
    text: "const f = async (): Promise<void> => undefined;\nexport const g = (): void => {\n  f();\n};\n",
    rule: "noFloatingPromises",
  },
  {
    title: "a switch that forgets a case",
    path: "kit/src/r.ts",
    text: 'export const f = (x: "a" | "b"): number => {\n  switch (x) {\n    case "a":\n      return 1;\n  }\n  return 2;\n};\n',
    rule: "useExhaustiveSwitchCases",
  },
  {
    title: "process.env in the server",
    path: "apps/server/src/s.ts",
    text: "export const e = process.env.HOME;\n",
    rule: "noProcessEnv",
  },
  {
    title: "env imported from node:process",
    path: "apps/server/src/t.ts",
    text: 'import { env } from "node:process";\nexport const e = env.HOME;\n',
    rule: "noRestrictedImports",
  },
  {
    title: "process.env in a slice",
    path: "areas/trading/src/spot/s.ts",
    text: "export const e = process.env.HOME;\n",
    rule: "noProcessEnv",
  },
  { title: "an enum", path: "kit/src/u.ts", text: "export enum Side {\n  Buy = 1,\n}\n", rule: "noEnum" },
  {
    title: "an unused variable",
    path: "kit/src/v.ts",
    text: "export const f = (): number => {\n  const x = 1;\n  return 2;\n};\n",
    rule: "noUnusedVariables",
  },
  { title: "console in a slice", path: "areas/trading/src/spot/w.ts", text: "console.log(1);\n", rule: "noConsole" },
  {
    title: "a skipped test",
    path: "kit/src/x.test.ts",
    text: 'import { it } from "vitest";\nit.skip("x", () => undefined);\n',
    rule: "noSkippedTests",
  },
];

/** Path, text and rule of what never may be left lying about. */
const LEFTOVERS = (
  [
    ["an unused import", "kit/src/aa.ts", 'import { x } from "./x.ts";\nexport const y = 1;\n', "noUnusedImports"],
    [
      "an unused parameter",
      "kit/src/ab.ts",
      "export const f = (x: number): number => 1;\n",
      "noUnusedFunctionParameters",
    ],
    ["a debugger", "kit/src/ac.ts", "export const f = (): void => {\n  debugger;\n};\n", "noDebugger"],
    ["a muted type error", "kit/src/ad.ts", `// @ts-${"ignore"}\nexport const x: number = "";\n`, "noTsIgnore"],
    ["a namespace", "kit/src/ae.ts", "export namespace Side {\n  export const buy = 1;\n}\n", "noNamespace"],
    [
      "a parameter property",
      "kit/src/af.ts",
      "export class Side {\n  constructor(readonly name: string) {}\n}\n",
      "noParameterProperties",
    ],
    [
      "a type imported as a value",
      "kit/src/ag.ts",
      'import { Side } from "./x.ts";\nexport const f = (side: Side): Side => side;\n',
      "useImportType",
    ],
    ["a type exported as a value", "kit/src/ah.ts", "type Side = 1;\nexport { Side };\n", "useExportType"],
    [
      "a built-in module without its prefix",
      "areas/trading/src/spot/aj.ts",
      'import { join } from "path";\nexport const x = join("a");\n',
      "useNodejsImportProtocol",
    ],
    [
      "a focused test",
      "kit/src/ai.test.ts",
      'import { it } from "vitest";\nit.only("x", () => undefined);\n',
      "noFocusedTests",
    ],
  ] as const
).map(([title, path, text, rule]) => ({ title, path, text, rule }));

export const PLANTED: readonly Planted[] = [...ARROWS, ...PURITY, ...MONEY, ...SHAPE, ...LEFTOVERS];

/** Valid code: each of these must pass without a report. */
export const ALLOWED: readonly Pick<Planted, "path" | "text">[] = [
  ["core/src/good.ts", imported("@clockwork/kit/money")],
  ["core/src/book/good.ts", imported("../good.ts")],
  [
    "areas/growth/src/good/contract.ts",
    'import { x } from "@clockwork/kit/money";\nimport { Type } from "typebox";\nexport const y = [x, Type];\n',
  ],
  [
    "areas/growth/src/good/service.ts",
    'import type { Command } from "@clockwork/core/protocol/command";\nexport const y = (x: Command): Command => x;\n',
  ],
  ["areas/growth/src/good/store.ts", imported("./rules.ts")],
  ["ui/src/good.ts", imported("@clockwork/kit/format")],
  ["apps/server/src/good.ts", imported("@clockwork/trading/spot/service")],
  ["apps/server/src/engine/good.ts", imported("@clockwork/core/machine/machine")],
  ["host/src/settings/config.ts", "export const home = process.env.HOME;\n"],
  [
    "apps/web/src/features/good/form.tsx",
    'import { x } from "#live/request";\nimport { y } from "@clockwork/growth/good/contract";\nexport const z = [x, y];\n',
  ],
  ["apps/web/src/live/good.ts", imported("@clockwork/growth/good/contract")],
  ["apps/web/src/trade/good.ts", imported("@clockwork/trading/markets/contract")],
  ["apps/web/src/routes/good.tsx", "export default function Page(): null {\n  return null;\n}\n"],
  ["sim/src/good.ts", imported("@clockwork/core/machine/machine")],
  ["bench/src/good.ts", imported("@clockwork/core/machine/machine")],
  [
    "kit/src/good.test.ts",
    'import { readFileSync } from "node:fs";\nimport { it } from "vitest";\nit("x", () => void readFileSync("x"));\n',
  ],
  [
    "kit/src/good.ts",
    "export const f = (holdUnits: bigint, other: number): boolean => holdUnits > 0n && other * 0.5 > 1;\n",
  ],
  ["kit/src/full.ts", lines(2000)],
].map(([path, text]) => ({ path: `${path}`, text: `${text}` }));

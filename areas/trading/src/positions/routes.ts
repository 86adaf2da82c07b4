// REST of positions: schema → service → envelope, below /futuresapi for all products and under the seed's own names for
// inverse contracts.
import { defineRoute, type RouteSpec } from "@clockwork/host/route";
import { Type } from "typebox";
import type { CloseService } from "./close-service.ts";
import {
  AccountsQuery,
  AutoAppendBody,
  CloseAllBody,
  CloseAllResult,
  CloseBody,
  CloseResult,
  ContractSettings,
  FuturesAccount,
  FuturesPosition,
  LayoutBody,
  LeverageBody,
  MarginBody,
  MarginHistoryPage,
  MarginHistoryQuery,
  MarginModeBody,
  ModeBody,
  ModeResult,
  PositionHistoryPage,
  PositionHistoryQuery,
  PositionsQuery,
  ReverseBody,
  SettingsQuery,
  StopBody,
} from "./contract.ts";
import type { FuturesBiz } from "./needs.ts";
import type { PositionService } from "./service.ts";

const reads = { tag: "positions", scope: { key: "read" }, bases: ["futures"], method: "GET" } as const;
const trades = { tag: "positions", scope: { key: "futures" }, bases: ["futures"], method: "POST" } as const;

export interface PositionServices {
  readonly positions: PositionService;
  readonly closing: CloseService;
}

/** Where the same calls lie, and which product they are about when nothing is said. */
interface Place {
  readonly path: string;
  readonly biz: FuturesBiz;
  readonly title: string;
}

const LINEAR: Place = { path: "/v1/futuresc", biz: "futures", title: "" };
const INVERSE: Place = { path: "/v1/perpcm", biz: "delivery", title: " (coin-margined)" };
const DEMO: Place = { path: "/v1/futuresc/simulated", biz: "demo", title: " (demo)" };

export function positionRoutes(services: PositionServices): readonly RouteSpec[] {
  return [
    ...readRoutes(services, LINEAR),
    ...readRoutes(services, DEMO),
    ...settingRoutes(services, LINEAR),
    ...closeRoutes(services, LINEAR),
    ...inverseRoutes(services),
  ];
}

function readRoutes({ positions }: PositionServices, place: Place): readonly RouteSpec[] {
  const { path, biz, title } = place;
  return [
    defineRoute({
      ...reads,
      path: `${path}/accounts`,
      summary: `The caller's futures accounts with what they can bear${title}`,
      query: AccountsQuery,
      output: Type.Array(FuturesAccount),
      handle: ({ query }, { userId }) => positions.listAccounts(Number(userId), { biz, ...query }),
    }),
    defineRoute({
      ...reads,
      path: `${path}/positions`,
      summary: `Open positions at the marks of now${title}`,
      query: PositionsQuery,
      output: Type.Array(FuturesPosition),
      handle: ({ query }, { userId }) => positions.list(Number(userId), { biz, ...query }),
    }),
    defineRoute({
      ...reads,
      path: `${path}/positions/history`,
      summary: `Positions that are over, newest first${title}`,
      query: PositionHistoryQuery,
      output: PositionHistoryPage,
      handle: ({ query }, { userId }) => positions.listClosed(Number(userId), { biz, ...query }),
    }),
    defineRoute({
      ...reads,
      path: `${path}/positions/margin-history`,
      summary: `What was added to isolated positions' margins and taken out, newest first${title}`,
      query: MarginHistoryQuery,
      output: MarginHistoryPage,
      handle: ({ query }, { userId }) => positions.listMarginChanges(Number(userId), { biz, ...query }),
    }),
    defineRoute({
      ...reads,
      path: `${path}/positions/settings`,
      summary: `Leverage, margin mode and modes of a contract${title}`,
      query: SettingsQuery,
      output: ContractSettings,
      handle: ({ query }, { userId }) => positions.readSettings(Number(userId), { biz, ...query }),
    }),
  ];
}

function settingRoutes({ positions }: PositionServices, place: Place): readonly RouteSpec[] {
  const { path, biz, title } = place;
  return [
    defineRoute({
      ...trades,
      path: `${path}/positions/leverage`,
      summary: `Sets the leverage of a contract, of one side in hedge mode${title}`,
      body: LeverageBody,
      output: ContractSettings,
      handle: ({ body }, { userId }) => positions.setLeverage(Number(userId), { biz, ...body }),
    }),
    defineRoute({
      ...trades,
      path: `${path}/positions/margin-mode`,
      summary: `Cross or isolated margin; also with an open position while both states are healthy${title}`,
      body: MarginModeBody,
      output: ContractSettings,
      handle: ({ body }, { userId }) => positions.setMarginMode(Number(userId), { biz, ...body }),
    }),
    defineRoute({
      ...trades,
      path: `${path}/positions/mode`,
      summary: `One-way or hedge mode; only without positions and orders${title}`,
      body: ModeBody,
      output: ModeResult,
      handle: ({ body }, { userId }) => positions.setModes(Number(userId), { biz, ...body }),
    }),
    defineRoute({
      ...trades,
      path: `${path}/positions/layout`,
      summary: `Merged or split positions; only without positions and orders${title}`,
      body: LayoutBody,
      output: ModeResult,
      handle: ({ body }, { userId }) => positions.setModes(Number(userId), { biz, ...body }),
    }),
    defineRoute({
      ...trades,
      path: `${path}/positions/margin`,
      summary: `Adds margin to an isolated position; a negative amount takes out${title}`,
      body: MarginBody,
      output: FuturesPosition,
      handle: ({ body }, { userId }) => positions.changeMargin(Number(userId), { biz, ...body }),
    }),
    defineRoute({
      ...trades,
      path: `${path}/positions/auto-append`,
      summary: `Whether margin is added by itself before an isolated position is liquidated${title}`,
      body: AutoAppendBody,
      output: ContractSettings,
      handle: ({ body }, { userId }) => positions.setAutoAppend(Number(userId), { biz, ...body }),
    }),
  ];
}

function closeRoutes({ closing }: PositionServices, place: Place): readonly RouteSpec[] {
  const { path, biz, title } = place;
  return [
    defineRoute({
      ...trades,
      path: `${path}/positions/stop`,
      summary: `Take-profit, stop-loss or trailing stop of a position, whole or part${title}`,
      body: StopBody,
      output: FuturesPosition,
      handle: ({ body }, { userId }) => closing.setStops(Number(userId), { biz, ...body }),
    }),
    defineRoute({
      ...trades,
      path: `${path}/positions/close`,
      summary: `Closes a position or a part of it, at market or at a price${title}`,
      body: CloseBody,
      output: CloseResult,
      handle: ({ body }, { userId }) => closing.close(Number(userId), { biz, ...body }),
    }),
    defineRoute({
      ...trades,
      path: `${path}/positions/close-all`,
      summary: `Closes every position at market, of one contract when named${title}`,
      body: CloseAllBody,
      output: CloseAllResult,
      handle: ({ body }, { userId }) => closing.closeAll(Number(userId), { biz, ...body }),
    }),
    defineRoute({
      ...trades,
      path: `${path}/positions/reverse`,
      summary: `Closes a position and opens as much the other way, in one command${title}`,
      body: ReverseBody,
      output: CloseResult,
      handle: ({ body }, { userId }) => closing.reverse(Number(userId), { biz, ...body }),
    }),
  ];
}

/** The seed's names: `assets`, `positions/type` (margin mode) and `positions/config` (modes) stand beside the others. */
function inverseRoutes(services: PositionServices): readonly RouteSpec[] {
  const { path, biz, title } = INVERSE;
  const { positions } = services;
  return [
    ...readRoutes(services, INVERSE),
    ...settingRoutes(services, INVERSE),
    ...closeRoutes(services, INVERSE),
    defineRoute({
      ...reads,
      path: `${path}/assets`,
      summary: `The caller's accounts, one for each coin${title}`,
      query: AccountsQuery,
      output: Type.Array(FuturesAccount),
      handle: ({ query }, { userId }) => positions.listAccounts(Number(userId), { biz, ...query }),
    }),
    defineRoute({
      ...trades,
      path: `${path}/positions/type`,
      summary: `Cross or isolated margin of a contract${title}`,
      body: MarginModeBody,
      output: ContractSettings,
      handle: ({ body }, { userId }) => positions.setMarginMode(Number(userId), { biz, ...body }),
    }),
    defineRoute({
      ...reads,
      path: `${path}/positions/config`,
      summary: `Leverage, margin mode and modes of a contract${title}`,
      query: SettingsQuery,
      output: ContractSettings,
      handle: ({ query }, { userId }) => positions.readSettings(Number(userId), { biz, ...query }),
    }),
  ];
}

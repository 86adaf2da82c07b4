// REST of positions: schema → service → envelope, below /futuresapi for all products and under the seed's own names for
// inverse contracts.
import { type RouteSpec, serve } from "@clockwork/host/route";
import { type ContractPlace, DEMO, INVERSE, LINEAR } from "../markets/places.ts";
import type { CloseService } from "./close-service.ts";
import { POSITION_CALLS as CALLS, INVERSE_POSITION_CALLS } from "./contract.ts";
import type { PositionService } from "./service.ts";

const reads = { tag: "positions", scope: { key: "read" } } as const;
const trades = { tag: "positions", scope: { key: "futures" } } as const;

export interface PositionServices {
  readonly positions: PositionService;
  readonly closing: CloseService;
}

export function positionRoutes(services: PositionServices): readonly RouteSpec[] {
  return [
    ...readRoutes(services, LINEAR),
    ...readRoutes(services, DEMO),
    ...settingRoutes(services, LINEAR),
    ...closeRoutes(services, LINEAR),
    ...inverseRoutes(services),
  ];
}

function readRoutes({ positions }: PositionServices, place: ContractPlace): readonly RouteSpec[] {
  const { at, biz, title } = place;
  return [
    serve(at(CALLS.accounts), {
      ...reads,
      summary: `The caller's futures accounts with what they can bear${title}`,
      handle: ({ query }, { userId }) => positions.listAccounts(Number(userId), { biz, ...query }),
    }),
    serve(at(CALLS.list), {
      ...reads,
      summary: `Open positions at the marks of now${title}`,
      handle: ({ query }, { userId }) => positions.list(Number(userId), { biz, ...query }),
    }),
    serve(at(CALLS.history), {
      ...reads,
      summary: `Positions that are over, newest first${title}`,
      handle: ({ query }, { userId }) => positions.listClosed(Number(userId), { biz, ...query }),
    }),
    serve(at(CALLS.marginHistory), {
      ...reads,
      summary: `What was added to isolated positions' margins and taken out, newest first${title}`,
      handle: ({ query }, { userId }) => positions.listMarginChanges(Number(userId), { biz, ...query }),
    }),
    serve(at(CALLS.settings), {
      ...reads,
      summary: `Leverage, margin mode and modes of a contract${title}`,
      handle: ({ query }, { userId }) => positions.readSettings(Number(userId), { biz, ...query }),
    }),
  ];
}

function settingRoutes({ positions }: PositionServices, place: ContractPlace): readonly RouteSpec[] {
  const { at, biz, title } = place;
  return [
    serve(at(CALLS.setLeverage), {
      ...trades,
      summary: `Sets the leverage of a contract, of one side in hedge mode${title}`,
      handle: ({ body }, { userId }) => positions.setLeverage(Number(userId), { biz, ...body }),
    }),
    serve(at(CALLS.setMarginMode), {
      ...trades,
      summary: `Cross or isolated margin; also with an open position while both states are healthy${title}`,
      handle: ({ body }, { userId }) => positions.setMarginMode(Number(userId), { biz, ...body }),
    }),
    serve(at(CALLS.setMode), {
      ...trades,
      summary: `One-way or hedge mode; only without positions and orders${title}`,
      handle: ({ body }, { userId }) => positions.setModes(Number(userId), { biz, ...body }),
    }),
    serve(at(CALLS.setLayout), {
      ...trades,
      summary: `Merged or split positions; only without positions and orders${title}`,
      handle: ({ body }, { userId }) => positions.setModes(Number(userId), { biz, ...body }),
    }),
    serve(at(CALLS.changeMargin), {
      ...trades,
      summary: `Adds margin to an isolated position; a negative amount takes out${title}`,
      handle: ({ body }, { userId }) => positions.changeMargin(Number(userId), { biz, ...body }),
    }),
    serve(at(CALLS.setAutoAppend), {
      ...trades,
      summary: `Whether margin is added by itself before an isolated position is liquidated${title}`,
      handle: ({ body }, { userId }) => positions.setAutoAppend(Number(userId), { biz, ...body }),
    }),
  ];
}

function closeRoutes({ closing }: PositionServices, place: ContractPlace): readonly RouteSpec[] {
  const { at, biz, title } = place;
  return [
    serve(at(CALLS.setStops), {
      ...trades,
      summary: `Take-profit, stop-loss or trailing stop of a position, whole or part${title}`,
      handle: ({ body }, { userId }) => closing.setStops(Number(userId), { biz, ...body }),
    }),
    serve(at(CALLS.close), {
      ...trades,
      summary: `Closes a position or a part of it, at market or at a price${title}`,
      handle: ({ body }, { userId }) => closing.close(Number(userId), { biz, ...body }),
    }),
    serve(at(CALLS.closeAll), {
      ...trades,
      summary: `Closes every position at market, of one contract when named${title}`,
      handle: ({ body }, { userId }) => closing.closeAll(Number(userId), { biz, ...body }),
    }),
    serve(at(CALLS.reverse), {
      ...trades,
      summary: `Closes a position and opens as much the other way, in one command${title}`,
      handle: ({ body }, { userId }) => closing.reverse(Number(userId), { biz, ...body }),
    }),
  ];
}

/**
 * The seed's names: `assets`, `positions/type` (margin mode) and `positions/config` (modes) are listed with the others.
 */
function inverseRoutes(services: PositionServices): readonly RouteSpec[] {
  const { biz, title } = INVERSE;
  const { positions } = services;
  return [
    ...readRoutes(services, INVERSE),
    ...settingRoutes(services, INVERSE),
    ...closeRoutes(services, INVERSE),
    serve(INVERSE_POSITION_CALLS.assets, {
      ...reads,
      summary: `The caller's accounts, one for each coin${title}`,
      handle: ({ query }, { userId }) => positions.listAccounts(Number(userId), { biz, ...query }),
    }),
    serve(INVERSE_POSITION_CALLS.type, {
      ...trades,
      summary: `Cross or isolated margin of a contract${title}`,
      handle: ({ body }, { userId }) => positions.setMarginMode(Number(userId), { biz, ...body }),
    }),
    serve(INVERSE_POSITION_CALLS.config, {
      ...reads,
      summary: `Leverage, margin mode and modes of a contract${title}`,
      handle: ({ query }, { userId }) => positions.readSettings(Number(userId), { biz, ...query }),
    }),
  ];
}

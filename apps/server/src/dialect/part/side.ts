// Everything of one kind of contracts in the Binance dialect put together: its calls, streams, user streams and socket.
import { randomUUID } from "node:crypto";
import { readEvent } from "@clockwork/core/protocol/codec";
import { EVENT_BYTES, EVENTS } from "@clockwork/core/protocol/event";
import type { Door } from "@clockwork/host/channel";
import { measureMs } from "@clockwork/host/time/measure";
import type { ApiKeys } from "@clockwork/identity/apikeys/part";
import type { PartContext } from "@clockwork/trading/context";
import { buildOrder } from "@clockwork/trading/futures/order-rules";
import type { LiquidationList } from "@clockwork/trading/liquidations/contract";
import type { FuturesPosition } from "@clockwork/trading/positions/contract";
import { orderEventStore } from "@clockwork/trading/projectors/orders/order-events";
import { contractAccountEndpoints, listPositions, readSettings } from "../contract/account.ts";
import { algoEndpoints } from "../contract/algo.ts";
import { type ContractKind, type Contracts, contractsOf, NATIVE } from "../contract/contracts.ts";
import type { ContractDownloads } from "../contract/downloads.ts";
import { contractFigureEndpoints } from "../contract/figures.ts";
import { marginHistoryEndpoints } from "../contract/margin-history.ts";
import { contractMarketEndpoints } from "../contract/market.ts";
import { hedges, readAccounts } from "../contract/modes.ts";
import { contractReadEndpoints, listOpen } from "../contract/order-reads.ts";
import type { ContractOrder } from "../contract/order-request.ts";
import { contractOrderEndpoints } from "../contract/orders.ts";
import type { ReadTop } from "../contract/price-match.ts";
import { contractRefusal } from "../contract/refusals.ts";
import { contractSettingEndpoints } from "../contract/settings.ts";
import { contractMethods } from "../contract/ws-methods.ts";
import { type DialectCall, type Endpoint, internalCaller } from "../endpoint.ts";
import { badSymbol } from "../refusal.ts";
import type { ServeParts } from "../serve.ts";
import { streamBoard } from "../stream/board.ts";
import { contractSources } from "../stream/contract-sources.ts";
import { describeMarginCall, followContractUser } from "../stream/contract-user.ts";
import { pathsOf, streamDoor } from "../stream/door.ts";
import { describeLiquidation } from "../stream/liquidation-update.ts";
import type { StreamMarket } from "../stream/open-board.ts";
import { listenKeyEndpoints, type UserStreams, userStreams } from "../stream/user-streams.ts";
import { type WsApiParts, wsApiDoor } from "../stream/ws-api.ts";

/** Of identity, as for trading contracts anywhere. */
const LEVEL_NEEDED = 1;

export interface ContractSide {
  readonly contracts: Contracts;
  readonly endpoints: readonly Endpoint[];
  readonly doors: readonly Door[];
  readonly users: UserStreams;
  readonly streams: StreamMarket;
  /** Passes the core's margin warnings and liquidations on; the answer ends it. */
  warn(): () => void;
}

export function contractSide(
  context: PartContext,
  keys: ApiKeys,
  serving: ServeParts & Pick<WsApiParts, "connections">,
  kind: ContractKind,
  downloads: Pick<ContractDownloads, "endpoints">,
): ContractSide {
  const { market, live, clock, log } = context;
  const contracts = contractsOf(kind, () => market.contracts.listContracts(kind.biz));
  const users = userStreams({ reading: keys.reading, clock, log, follow: followUser(context, contracts) });
  const api = `${kind.base}/v1`;
  const readTop: ReadTop = ({ pairCode }, levels) => {
    const read = market.contracts.readDepth(kind.biz, pairCode, levels);
    if (!read.done) throw badSymbol();
    return read.value;
  };
  const isVerified = async (userId: number): Promise<boolean> =>
    (await context.accounts.kyc.levelOf(userId, clock.now())) >= LEVEL_NEEDED;
  const endpoints = [
    ...contractMarketEndpoints({ contracts, market }),
    ...contractOrderEndpoints({ contracts, test: orderTest(context), readTop }),
    ...contractReadEndpoints({ contracts, limits: serving.limits }),
    ...algoEndpoints(contracts, readTop),
    ...contractAccountEndpoints({ contracts, market, isVerified }),
    ...contractSettingEndpoints(contracts, isVerified),
    ...marginHistoryEndpoints(contracts),
    ...contractFigureEndpoints({ contracts, market, events: orderEventStore(context.database.kysely) }),
    ...downloads.endpoints(contracts),
    ...listenKeyEndpoints(users, `${api}/listenKey`, false),
  ];
  const board = streamBoard(contractSources({ contracts, market, live, clock }));
  const [name, path] = kind.biz === "futures" ? ["fstream", "/ws-fapi/v1"] : ["dstream", "/ws-dapi/v1"];
  const streams: StreamMarket = { board, joinUser: users.joinByListenKey };
  return {
    contracts,
    endpoints,
    users,
    streams,
    doors: [
      streamDoor({ ...streams, fits: pathsOf(name), connections: serving.connections, log, rate: measureMs, clock }),
      wsApiDoor({ ...serving, path, methods: contractMethods(kind, endpoints), users, rate: measureMs, timer: clock }),
    ],
    warn: () => warnUsers(context, contracts, users),
  };
}

/** What could not be placed at all is refused; nothing is placed. In a hedge or not is the account's to say. */
function orderTest({ market }: PartContext): (order: ContractOrder) => void {
  return ({ body, isClosing }) => {
    const pair = market.pairs.findListed(body.biz ?? "futures", body.pairCode);
    if (pair === undefined) throw badSymbol();
    if (isClosing) return;
    const isHedge = body.positionSide !== "both";
    const built = buildOrder({ pair, account: 0, isHedge, referenceTicks: 0 }, body);
    if (built.ok) return;
    const { code, message, field } = built.problem;
    throw contractRefusal({ code, status: 400, message, fields: { [`body.${field}`]: message } });
  };
}

/** A user's events, starting from what is open and held now. */
function followUser({ calls, live, clock, log }: PartContext, contracts: Contracts) {
  const askOf = (userId: number) => ({ ask: internalCaller(calls, userId, randomUUID()) });
  const read = async (userId: number) => {
    const call = askOf(userId);
    const [orders, positions, accounts, settings] = await Promise.all([
      listOpen(call, contracts, undefined),
      listPositions(call, contracts),
      readAccounts(call, contracts.kind.biz),
      Promise.all(contracts.list().map((one) => readSettings(call, contracts, one))),
    ]);
    return { orders, positions, accounts, settings };
  };
  const parts = {
    contracts,
    live,
    log,
    clock: clock.now,
    read,
  };
  return (userId: number, notify: (event: object) => void) => followContractUser(parts, userId, notify);
}

function warnUsers(context: PartContext, contracts: Contracts, users: UserStreams): () => void {
  const { engine, ledger, clock, log, calls, market } = context;
  const { marginWarning, liquidationEnded } = EVENTS;
  const book = contracts.kind.biz === "futures" ? "linear" : "inverse";
  /** The account's user, if subscribed, with internal calls in that user's name. */
  const findHearer = async (account: number) => {
    const owner = await ledger.accounts.ownerOf(account);
    if (owner === undefined || owner.book !== book || !users.hasListeners(owner.userId)) return undefined;
    return { owner, call: { ask: internalCaller(calls, owner.userId, randomUUID()) } };
  };
  const warn = async (account: number, position: number): Promise<void> => {
    const hearer = await findHearer(account);
    if (hearer === undefined) return;
    const { owner, call } = hearer;
    const [positions, accounts] = await Promise.all([
      listPositions(call, contracts),
      readAccounts(call, contracts.kind.biz),
    ]);
    const settleOf = ({ pairCode }: FuturesPosition): string => contracts.find(pairCode)?.settle ?? "";
    // Every coin of inverse contracts has its own account: the warned one is meant.
    const meant = positions.filter((one) =>
      position === 0
        ? one.mode === "cross" && (book === "linear" || market.pairs.findAsset(settleOf(one))?.asset === owner.sub)
        : one.positionId === String(position),
    );
    const [first] = meant;
    const carrying = accounts.find(({ asset }) => first !== undefined && asset === settleOf(first));
    users.publish(owner.userId, describeMarginCall(contracts, meant, carrying, clock.now()));
  };
  const describeEnd = async (account: number, sequence: number): Promise<void> => {
    const hearer = await findHearer(account);
    if (hearer === undefined) return;
    await ledger.settled(sequence);
    for (const event of await describeLiquidations(hearer.call, contracts, sequence, clock.now())) {
      users.publish(hearer.owner.userId, event);
    }
  };
  return engine.subscribe(({ bytes }) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at < bytes.length; at += EVENT_BYTES) {
      if (bytes[at] !== marginWarning.kind && bytes[at] !== liquidationEnded.kind) continue;
      const event = readEvent(view, at, clock.now());
      const notifying =
        event.kind === "marginWarning"
          ? warn(event.account, event.position)
          : event.kind === "liquidationEnded"
            ? describeEnd(event.account, event.sequence)
            : undefined;
      notifying?.catch((error: unknown) => log.warn("dialect.margin.failed", { error }));
    }
  });
}

/** What one command liquidated of the caller's. */
async function describeLiquidations(
  call: Pick<DialectCall, "ask">,
  contracts: Contracts,
  sequence: number,
  timeMs: number,
): Promise<readonly object[]> {
  const { biz } = contracts.kind;
  const isHedge = await hedges(call, biz);
  const { liquidations } = (await call.ask("GET", `${NATIVE}/my-liquidations`, { query: { biz } })) as LiquidationList;
  return liquidations.flatMap((report) => {
    const contract = contracts.find(report.pairCode);
    const isMeant = contract !== undefined && report.sequence === sequence;
    return isMeant ? [describeLiquidation(contracts, contract, report, isHedge(contract), timeMs)] : [];
  });
}

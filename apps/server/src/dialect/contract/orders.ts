// Orders of contracts in the Binance dialect: placed, tested, changed and ended, one or several. Every rule of trading is
// the exchange's own; here its calls are put together.
import type { FuturesOrder, FuturesPlaced } from "@clockwork/trading/futures/contract";
import type { ContractInfo } from "@clockwork/trading/markets/contract";
import type { DialectCall, Endpoint } from "../endpoint.ts";
import { DialectRefusal, missing, unknownOrder, unknownToCancel } from "../refusal.ts";
import { Parameters } from "../request.ts";
import { nameBySignature } from "../seen.ts";
import { readClientId } from "../spot/order-request.ts";
import { clientIdOf, unnamedId } from "../spot/order-view.ts";
import { closeOrders } from "./closing.ts";
import { type Contracts, NATIVE, readQuantity } from "./contracts.ts";
import { type ContractOrder, readContractOrder } from "./order-request.ts";
import { describeOrder, describePlaced } from "./order-view.ts";
import { matchPrice, type ReadTop } from "./price-match.ts";
import { contractRefusal } from "./refusals.ts";

export interface ContractOrderParts {
  readonly contracts: Contracts;
  /** Refuses what could not be placed at all; nothing is placed. */
  readonly test: (order: ContractOrder) => void;
  readonly readTop: ReadTop;
}

export const trades = { security: "signed", permission: "futures", translate: contractRefusal } as const;
const BATCH_MAX = 5;
const CANCEL_MAX = 10;
const DONE = { code: 200, msg: "The operation of cancel all open order is done." } as const;

export function contractOrderEndpoints(parts: ContractOrderParts): readonly Endpoint[] {
  return [...placing(parts), ...changing(parts), ...ending(parts)];
}

function placing({ contracts, test, readTop }: ContractOrderParts): readonly Endpoint[] {
  const api = `${contracts.kind.base}/v1`;
  const place = placer(contracts, readTop);
  return [
    {
      ...trades,
      method: "POST",
      path: `${api}/order`,
      weight: 0,
      orders: 1,
      closes: onlyCloses,
      handle: (call) => place(call, contracts.read(call.parameters), call.parameters, ""),
    },
    {
      ...trades,
      method: "POST",
      path: `${api}/order/test`,
      weight: 1,
      handle: ({ parameters: requested, signature, requestId }) => {
        const contract = contracts.read(requested);
        const parameters = matchPrice(requested, contract, readTop);
        test(readContractOrder(parameters, contracts, contract, () => nameBySignature(signature, requestId)));
        return {};
      },
    },
    {
      ...trades,
      method: "POST",
      path: `${api}/batchOrders`,
      weight: 5,
      orders: (parameters) => Math.min(BATCH_MAX, parameters.list("batchOrders")?.length ?? 1),
      handle: (call) =>
        eachOf(call, (one, index) => place(call, contracts.read(one), one, `batch${String(index)}`), BATCH_MAX),
    },
  ];
}

/** What can only make a position smaller. */
export function onlyCloses(parameters: Parameters): boolean {
  const reply = (name: string): string | undefined => parameters.text(name)?.toUpperCase();
  if (reply("reduceOnly") === "TRUE" || reply("closePosition") === "TRUE") return true;
  const [side, positionSide] = [reply("side"), reply("positionSide")];
  return (positionSide === "LONG" && side === "SELL") || (positionSide === "SHORT" && side === "BUY");
}

/** Places the order of the parameters; `part` distinguishes several of one signed call. */
export function placer(contracts: Contracts, readTop: ReadTop) {
  const close = closeOrders(contracts);
  return async (
    call: DialectCall,
    contract: ContractInfo,
    requested: Parameters,
    part: string,
  ): Promise<object & { readonly orderId: number }> => {
    const parameters = matchPrice(requested, contract, readTop);
    const { ask, signature, requestId, timeMs } = call;
    parameters.one(
      "newOrderRespType",
      ["ACK", "RESULT"],
      () => new DialectRefusal(-1130, "Data sent for parameter 'newOrderRespType' is not valid."),
    );
    const order = readContractOrder(parameters, contracts, contract, () => nameBySignature(signature, requestId, part));
    if (order.isClosing) return close(call, contract, order);
    const placed = (await ask("POST", `${NATIVE}/orders`, { body: order.body })) as FuturesPlaced;
    if (placed.isRepeat) throw new DialectRefusal(-4116, "ClientOrderId is duplicated.");
    return { ...describePlaced(contracts, contract, order, placed, timeMs), orderId: Number(placed.orderId) };
  };
}

/** Each order of a list separately: its result, or its refusal, in the order of the request. */
async function eachOf(
  { parameters }: DialectCall,
  work: (one: Parameters, index: number) => Promise<object>,
  max: number,
): Promise<readonly object[]> {
  const list = parameters.list("batchOrders");
  if (list === undefined) throw missing("batchOrders");
  if (list.length === 0 || list.length > max) {
    throw new DialectRefusal(-4082, "Invalid number of batch place orders.");
  }
  const one = async (item: unknown, index: number): Promise<object> => {
    try {
      return await work(readItem(item), index);
    } catch (error) {
      if (error instanceof DialectRefusal) return error.body;
      throw error;
    }
  };
  // Started in their order, none waits for another.
  return Promise.all(list.map(one));
}

function readItem(item: unknown): Parameters {
  if (typeof item !== "object" || item === null || Array.isArray(item)) throw missing("batchOrders");
  const values = Object.entries(item).filter(([, value]) => value !== null && typeof value !== "object");
  return new Parameters(new Map(values.map(([name, value]) => [name, String(value)])));
}

/** The order a call names by number or by its client's name. */
export async function findOrder(
  { ask }: Pick<DialectCall, "ask">,
  { kind }: Contracts,
  parameters: Parameters,
  contract: ContractInfo | undefined,
  names: { readonly id: string; readonly clientId: string } = { id: "orderId", clientId: "origClientOrderId" },
): Promise<FuturesOrder> {
  const id = parameters.integer(names.id, { min: 1 });
  const clientId = readClientId(parameters, names.clientId);
  if (id === undefined && clientId === undefined) {
    const message = `Param '${names.clientId}' or '${names.id}' must be sent, but both were empty/null!`;
    throw new DialectRefusal(-1102, message);
  }
  const number = id === undefined ? unnamedId(clientId ?? "") : String(id);
  const query = { biz: kind.biz };
  const found =
    number === undefined
      ? await ask("GET", `${NATIVE}/orders/by-client-id/:clientOrderId`, { params: { clientOrderId: clientId }, query })
      : await ask("GET", `${NATIVE}/orders/:id`, { params: { id: number }, query });
  const order = found as FuturesOrder;
  const isOther = contract !== undefined && order.pairCode !== contract.pairCode;
  if (isOther || (clientId !== undefined && clientIdOf(order) !== clientId)) throw unknownOrder();
  return order;
}

/** Every fault of an order to be cancelled has one code. */
export async function asCancel<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof DialectRefusal && error.code === -2013 ? unknownToCancel() : error;
  }
}

async function amend(contracts: Contracts, call: DialectCall, parameters: Parameters): Promise<object> {
  const contract = contracts.read(parameters);
  const [price, quantity] = [parameters.decimal("price"), parameters.decimal("quantity")];
  if (price === undefined) throw missing("price");
  if (quantity === undefined) throw missing("quantity");
  const order = await findOrder(call, contracts, parameters, contract);
  const side = parameters.text("side")?.toLowerCase();
  if (side !== undefined && side !== order.side) throw new DialectRefusal(-1117, "Invalid side.");
  const body = { price, quantity: readQuantity(contract, quantity) };
  const changed = await call.ask("PATCH", `${NATIVE}/orders/:id`, { params: { id: order.orderId }, body });
  return describeOrder(contracts, contract, changed as FuturesOrder);
}

function changing({ contracts }: ContractOrderParts): readonly Endpoint[] {
  const api = `${contracts.kind.base}/v1`;
  return [
    {
      ...trades,
      method: "PUT",
      path: `${api}/order`,
      weight: 0,
      orders: 1,
      handle: (call) => amend(contracts, call, call.parameters),
    },
    {
      ...trades,
      method: "PUT",
      path: `${api}/batchOrders`,
      weight: 5,
      orders: (parameters) => Math.min(BATCH_MAX, parameters.list("batchOrders")?.length ?? 1),
      handle: (call) => eachOf(call, (one) => amend(contracts, call, one), BATCH_MAX),
    },
  ];
}

export async function cancel(
  contracts: Contracts,
  call: DialectCall,
  contract: ContractInfo,
  order: FuturesOrder,
): Promise<object> {
  const ended = await asCancel(call.ask("DELETE", `${NATIVE}/orders/:id`, { params: { id: order.orderId } }));
  return { ...describeOrder(contracts, contract, ended as FuturesOrder), status: "CANCELED" };
}

function ending({ contracts }: ContractOrderParts): readonly Endpoint[] {
  const { base, biz } = contracts.kind;
  const api = `${base}/v1`;
  return [
    {
      ...trades,
      method: "DELETE",
      path: `${api}/order`,
      weight: 1,
      handle: async (call) => {
        const contract = contracts.read(call.parameters);
        return cancel(contracts, call, contract, await asCancel(findOrder(call, contracts, call.parameters, contract)));
      },
    },
    {
      ...trades,
      method: "DELETE",
      path: `${api}/batchOrders`,
      weight: 1,
      handle: (call) => cancelMany(contracts, call),
    },
    {
      ...trades,
      method: "DELETE",
      path: `${api}/allOpenOrders`,
      weight: 1,
      handle: async (call) => {
        const { pairCode } = contracts.read(call.parameters);
        await call.ask("POST", `${NATIVE}/orders/clear`, { body: { biz, pairCode } });
        return DONE;
      },
    },
    {
      ...trades,
      method: "POST",
      path: `${api}/countdownCancelAll`,
      weight: 10,
      handle: (call) => countDown(contracts, call),
    },
  ];
}

/** Whole seconds, never sooner than requested. */
async function countDown(contracts: Contracts, { parameters, ask }: DialectCall): Promise<object> {
  const contract = contracts.read(parameters);
  const countdownMs = parameters.integer("countdownTime");
  if (countdownMs === undefined) throw missing("countdownTime");
  const timeoutSeconds = Math.ceil(countdownMs / 1_000);
  const body = { biz: contracts.kind.biz, pairCode: contract.pairCode, timeoutSeconds };
  await ask("POST", `${NATIVE}/orders/cancel-after`, { body });
  return { symbol: contracts.kind.symbolOf(contract), countdownTime: String(countdownMs) };
}

async function cancelMany(contracts: Contracts, call: DialectCall): Promise<readonly object[]> {
  const { parameters } = call;
  const contract = contracts.read(parameters);
  // Some clients write these names in small letters.
  const ids = parameters.list("orderIdList") ?? parameters.list("orderidlist");
  const names = parameters.list("origClientOrderIdList") ?? parameters.list("origclientorderidlist");
  const list = ids ?? names;
  if (list === undefined) throw missing("orderIdList");
  if (list.length === 0 || list.length > CANCEL_MAX) {
    throw new DialectRefusal(-4082, "Invalid number of batch place orders.");
  }
  const member = ids === undefined ? "origClientOrderId" : "orderId";
  return Promise.all(
    list.map(async (item) => {
      try {
        const one = new Parameters(new Map([[member, String(item)]]));
        return await cancel(contracts, call, contract, await asCancel(findOrder(call, contracts, one, contract)));
      } catch (error) {
        if (error instanceof DialectRefusal) return error.body;
        throw error;
      }
    }),
  );
}

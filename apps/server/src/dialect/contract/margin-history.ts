// What was added to isolated positions' margins and taken out of them, in the Binance dialect's form.
import type { MarginChange, MarginHistoryPage } from "@clockwork/trading/positions/contract";
import type { DialectCall, Endpoint } from "../endpoint.ts";
import { fixed } from "../numbers.ts";
import { type Cursor, cut, type Page, readPages, readWanted } from "../paging.ts";
import { DialectRefusal } from "../refusal.ts";
import { type Contracts, NATIVE } from "./contracts.ts";
import { reads } from "./order-reads.ts";

const ROWS = { limitMax: 500, limitDefault: 100 } as const;

export function marginHistoryEndpoints(contracts: Contracts): readonly Endpoint[] {
  const path = `${contracts.kind.base}/v1/positionMargin/history`;
  return [{ ...reads, path, weight: 1, handle: (call) => readHistory(contracts, call) }];
}

const isAdded = ({ change }: MarginChange): boolean => !change.startsWith("-");

async function readHistory(contracts: Contracts, { parameters, ask }: DialectCall): Promise<readonly object[]> {
  const contract = contracts.read(parameters);
  const type = parameters.integer("type");
  if (type !== undefined && type !== 1 && type !== 2) {
    throw new DialectRefusal(-1130, "Data sent for parameter 'type' is not valid.");
  }
  const { span, isForward, limit } = readWanted(parameters, { idName: "", ...ROWS });
  const query = { biz: contracts.kind.biz, pairCode: contract.pairCode, ...span };
  const read = async (cursor: Cursor): Promise<Page<MarginChange>> => {
    const page = { query: { ...query, ...cursor } };
    const { changes, next } = (await ask("GET", `${NATIVE}/positions/margin-history`, page)) as MarginHistoryPage;
    return { rows: changes, next };
  };
  const fits = (one: MarginChange): boolean => type === undefined || isAdded(one) === (type === 1);
  const found = await readPages(read, isForward, limit, fits);
  return cut(found, isForward, limit).map((one) => ({
    symbol: contracts.kind.symbolOf(one),
    type: isAdded(one) ? 1 : 2,
    deltaType: one.isAutomatic ? "AUTO_ADD" : "USER_ADJUST",
    amount: fixed(one.change.replace("-", "")),
    asset: one.asset,
    time: one.timeMs,
    positionSide: one.positionSide.toUpperCase(),
    clientTranId: "",
  }));
}

// Owns how rows of orders become statements: values many orders share are written into the text, one text per shape.
// Must never write a value chosen by users into a text, nor keep more shapes than its bound.

import type { WriteSession } from "@clockwork/host/projector";
import { RowShape } from "@clockwork/host/row-shape";
import type { OrderRow } from "../rows/rows.ts";

type Column = string & keyof OrderRow;

const NUMBERS: readonly Column[] = [
  "order_id",
  "account",
  "market",
  "price_ticks",
  "quantity",
  "filled_lots",
  "filled_units",
  "created_sequence",
  "created_ms",
  "updated_sequence",
  "updated_ms",
];
/** Names from the core's closed lists; the last may be missing. */
const NAMES = ["kind", "side", "type", "time_in_force", "post_only", "self_trade", "state", "end_reason"] as const;
const SWITCHES = ["reduce_only", "iceberg", "in_quote"] as const;
/** Most orders have none of these. */
const RARE = [
  "client_order_id",
  "list_id",
  "list_leg",
  "trigger_ticks",
  "trigger_source",
  "trigger_direction",
  "callback_bps",
  "profit_ticks",
  "stop_ticks",
  "stop_limit_ticks",
  "peak_ticks",
  "slices_done",
  "slice_count",
  "slice_ms",
  "visible_lots",
  "expires_ms",
] as const;
/** Of slices alone, which are written whole: a mask with one more bit would make the key no safe integer. */
const PARENT = "parent_id";
/** Initial values of an order that never change. */
const KEPT = [
  "account",
  "market",
  "side",
  "type",
  "time_in_force",
  "post_only",
  "self_trade",
  ...SWITCHES,
  "created_sequence",
  "created_ms",
];
/** Each column name gets a number on first use; more than these cannot be distinguished in a key. */
const NAMES_MAX = 32;
/** Kinds and sides are few; a smaller range for them keeps a key a safe integer. */
const FEW_MAX = 4;
const SHAPES_MAX = 24;

/** Shapes by the common values of their texts; rows without one are bound whole. */
class OrderShapes {
  readonly #key: readonly string[];
  readonly #codes = NAMES.map(() => new Map<string | null, number>());
  readonly #shapes = new Map<number, RowShape>();
  readonly #whole: RowShape;

  constructor(key: readonly string[]) {
    this.#key = key;
    const columns = [...NUMBERS, ...NAMES, ...SWITCHES, ...RARE, PARENT];
    this.#whole = new RowShape({ table: "engine_orders", columns, key, kept: KEPT });
  }

  async write(rows: readonly OrderRow[], session: WriteSession): Promise<void> {
    const groups = new Map<RowShape, unknown[]>();
    for (const row of rows) {
      const rare = rareMask(row);
      const shape = this.#shapeOf(row, rare);
      let values = groups.get(shape);
      if (values === undefined) {
        values = [];
        groups.set(shape, values);
      }
      pushNumbers(row, values);
      if (shape === this.#whole) pushRest(row, values);
      else if (rare !== 0) pushRare(row, rare, values);
    }
    for (const [shape, values] of groups) await session.write(shape, values);
  }

  #shapeOf(row: OrderRow, rare: number): RowShape {
    if (row.parent_id !== null) return this.#whole;
    const codes = this.#codes;
    let key = (row.reduce_only ? 1 : 0) + (row.iceberg ? 2 : 0) + (row.in_quote ? 4 : 0);
    key = key * FEW_MAX + codeOf(codes[0], row.kind, FEW_MAX);
    key = key * FEW_MAX + codeOf(codes[1], row.side, FEW_MAX);
    key = key * NAMES_MAX + codeOf(codes[2], row.type);
    key = key * NAMES_MAX + codeOf(codes[3], row.time_in_force);
    key = key * NAMES_MAX + codeOf(codes[4], row.post_only);
    key = key * NAMES_MAX + codeOf(codes[5], row.self_trade);
    key = key * NAMES_MAX + codeOf(codes[6], row.state);
    key = key * NAMES_MAX + codeOf(codes[7], row.end_reason);
    key = key * 2 ** RARE.length + rare;
    // One name too many makes the key NaN.
    if (Number.isNaN(key)) return this.#whole;
    return this.#shapes.get(key) ?? this.#addShape(key, row, rare);
  }

  #addShape(key: number, row: OrderRow, rare: number): RowShape {
    if (this.#shapes.size >= SHAPES_MAX) return this.#whole;
    const fixed: Record<string, string | boolean> = {};
    for (const name of [...NAMES, ...SWITCHES]) {
      const value = row[name];
      if (value !== null) fixed[name] = value;
    }
    const columns = [...NUMBERS, ...RARE.filter((_, index) => ((rare >> index) & 1) === 1)];
    const emptied = [...NAMES, ...RARE].filter((name) => fixed[name] === undefined && !columns.includes(name));
    const shape = new RowShape({ table: "engine_orders", columns, fixed, key: this.#key, kept: KEPT, emptied });
    this.#shapes.set(key, shape);
    return shape;
  }
}

const CREATED = new OrderShapes([]);
const CHANGED = new OrderShapes(["order_id"]);

/** New orders, and orders whose rows exist. */
export async function writeOrders(
  created: readonly OrderRow[],
  changed: readonly OrderRow[],
  session: WriteSession,
): Promise<void> {
  await CREATED.write(created, session);
  await CHANGED.write(changed, session);
}

function codeOf(codes: Map<string | null, number> | undefined, name: string | null, most = NAMES_MAX): number {
  const known = codes?.get(name);
  if (known !== undefined) return known;
  const code = codes?.size ?? most;
  if (code >= most) return Number.NaN;
  codes?.set(name, code);
  return code;
}

function rareMask(row: OrderRow): number {
  let mask = 0;
  if (row.client_order_id !== null) mask |= 1;
  if (row.list_id !== null) mask |= 2;
  if (row.list_leg !== null) mask |= 4;
  if (row.trigger_ticks !== null) mask |= 8;
  if (row.trigger_source !== null) mask |= 16;
  if (row.trigger_direction !== null) mask |= 32;
  if (row.callback_bps !== null) mask |= 64;
  if (row.profit_ticks !== null) mask |= 128;
  if (row.stop_ticks !== null) mask |= 256;
  if (row.stop_limit_ticks !== null) mask |= 512;
  if (row.peak_ticks !== null) mask |= 1_024;
  if (row.slices_done !== null) mask |= 2_048;
  if (row.slice_count !== null) mask |= 4_096;
  if (row.slice_ms !== null) mask |= 8_192;
  if (row.visible_lots !== null) mask |= 16_384;
  if (row.expires_ms !== null) mask |= 32_768;
  return mask;
}

/** In the order of NUMBERS. */
function pushNumbers(row: OrderRow, values: unknown[]): void {
  values.push(
    row.order_id,
    row.account,
    row.market,
    row.price_ticks,
    row.quantity,
    row.filled_lots,
    row.filled_units,
    row.created_sequence,
    row.created_ms,
    row.updated_sequence,
    row.updated_ms,
  );
}

function pushRare(row: OrderRow, rare: number, values: unknown[]): void {
  for (let index = 0; index < RARE.length; index++) {
    const column = RARE[index];
    if (column !== undefined && ((rare >> index) & 1) === 1) values.push(row[column]);
  }
}

function pushRest(row: OrderRow, values: unknown[]): void {
  for (const column of NAMES) values.push(row[column]);
  // Both databases take 0 and 1 for a boolean.
  for (const column of SWITCHES) values.push(row[column] ? 1 : 0);
  for (const column of RARE) values.push(row[column]);
  values.push(row[PARENT]);
}

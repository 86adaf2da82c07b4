// How the panels of a trading terminal communicate without importing each other: what was picked, the market, the
// user's own orders and fills, and the chart's requests to the orders. Lives outside React; holds no connection.
//
// The route composes `<TerminalFrame form={<OrderForm />} orders={<OrdersPanel />} …>`: slots take no props, read the
// link by context and fill a slot that is a size container (`@container`), so they fold by their own width: the form
// from 304 px on a wide screen down to 216 next to the book of a phone. The form is created anew for each pair, the
// orders are not.
import { createContext, use, useSyncExternalStore } from "react";
import { createStore, type ReadableStore, type Store } from "#live/store.ts";
import type { TradeInstrument } from "./product.ts";
import type { TradeSide } from "./trade-order.ts";

/** The instrument on the screen and its best prices. Written by the terminal, at most once a frame; read by the form. */
export interface TerminalMarket<Instrument extends TradeInstrument = TradeInstrument> {
  readonly pair: Instrument;
  readonly last: string | null;
  /** What limit prices are bounded by: the core's average of five minutes. */
  readonly bandPrice: string | null;
  readonly bid: string | null;
  readonly ask: string | null;
  /** What is shown may be behind: the form should say so before it sends a market order. */
  readonly isStale: boolean;
}

/** A clicked level, trade or spot of the chart; the form takes over its values. */
export interface TerminalPick {
  readonly source: "book" | "trades" | "chart";
  readonly price: string;
  /** From the book: everything up to and including this level. */
  readonly quantity?: string;
  /** The side that would take the clicked level: clicking an ask means buying. */
  readonly side?: TradeSide;
  /** From the chart's menu: the order to start, on that side. */
  readonly kind?: "limit" | "stopMarket";
}

/** An own open order or plan, of any pair. Written by the orders, read by the book's marks and the chart's lines. */
export interface OwnOrder {
  readonly orderId: string;
  readonly pairCode: string;
  readonly side: TradeSide;
  /** As on the wire: limit, stopLimit, stopMarket, trailingStop, twap … */
  readonly type: string;
  /** Waits for its trigger: drawn at stopPrice and never marked in the book. */
  readonly isPlan: boolean;
  readonly price: string | null;
  readonly stopPrice: string | null;
  readonly quantity: string | null;
  readonly filledQuantity: string;
  /** False where the server would refuse a new price; the line then cannot be dragged. */
  readonly canAmend: boolean;
}

export interface OwnFill {
  readonly tradeId: number;
  readonly orderId: string;
  readonly pairCode: string;
  readonly side: TradeSide;
  readonly price: string;
  readonly quantity: string;
  readonly timeMs: number;
}

/** An own price that is no order: a position's entry, break-even or liquidation. Written by the product. */
export interface OwnLine {
  readonly id: string;
  readonly pairCode: string;
  readonly price: string;
  /** The price as written on the axis. */
  readonly shown: string;
  readonly label: string;
  /** Where the chart is narrow. */
  readonly shortLabel?: string;
  /** A figure after the label, in a colour of its own. */
  readonly aside?: string;
  readonly asideTone?: "up" | "down";
  readonly tone: "up" | "down" | "warn" | "muted";
  readonly isDashed: boolean;
  /** Too near to the line at this price it goes without a label. */
  readonly besidePrice?: string;
}

/**
 * A grid being drawn: its lines are shown over the chart and its edges can be dragged. Written by the product's bots.
 */
export interface DrawnGrid {
  readonly pairCode: string;
  /** Prices from the lowest. */
  readonly lines: readonly string[];
  /** Lines below it buy. */
  readonly price: number;
  readonly edges: readonly { readonly id: "lower" | "upper"; readonly price: string; readonly label: string }[];
  readonly onMove: (edge: "lower" | "upper", price: string) => void;
}

/** Requests of chart and book to the orders. */
export type OrderRequest =
  | { readonly kind: "amend"; readonly orderId: string; readonly price: string }
  | { readonly kind: "cancel"; readonly orderId: string };

/** Resolves to true when the order was changed; on false the line returns. The handler shows the reason. */
export type OrderRequestHandler = (request: OrderRequest) => Promise<boolean>;

/** What the buttons at a phone's bottom edge say below "Buy BTC" and "Sell BTC". Written by the form. */
export interface FormNotes {
  readonly buy: string;
  readonly sell: string;
  /** The side and price the form would send now, for a line on the chart; null while it is empty. */
  readonly draft: { readonly side: TradeSide; readonly price: string } | null;
}

export interface TerminalLink<Instrument extends TradeInstrument = TradeInstrument> {
  readonly market: Store<TerminalMarket<Instrument>>;
  readonly ownOrders: Store<readonly OwnOrder[]>;
  readonly ownFills: Store<readonly OwnFill[]>;
  readonly ownLines: Store<readonly OwnLine[]>;
  readonly drawnGrid: Store<DrawnGrid | null>;
  readonly formNotes: Store<FormNotes>;
  /** Milliseconds the last order took from click to its answer; written by the form, shown by the status bar. */
  readonly orderAckMs: Store<number | null>;
  pick(pick: TerminalPick): void;
  onPick(listener: (pick: TerminalPick) => void): () => void;
  /** A phone's buy or sell button: the form shows itself on that side, or sends what it holds. */
  pressSide(side: TradeSide): void;
  onPressSide(listener: (side: TradeSide) => void): () => void;
  /** False at once without a handler. */
  ask(request: OrderRequest): Promise<boolean>;
  handleRequests(handler: OrderRequestHandler): () => void;
}

function createSignal<Value>() {
  const listeners = new Set<(value: Value) => void>();
  return {
    publish: (value: Value) => {
      for (const listener of [...listeners]) listener(value);
    },
    listen: (listener: (value: Value) => void) => {
      const entry = (value: Value) => listener(value);
      listeners.add(entry);
      return () => {
        listeners.delete(entry);
      };
    },
  };
}

export function createTerminalLink(market: TerminalMarket): TerminalLink {
  const picks = createSignal<TerminalPick>();
  const presses = createSignal<TradeSide>();
  let handler: OrderRequestHandler | undefined;
  return {
    market: createStore(market),
    ownOrders: createStore<readonly OwnOrder[]>([]),
    ownFills: createStore<readonly OwnFill[]>([]),
    ownLines: createStore<readonly OwnLine[]>([]),
    drawnGrid: createStore<DrawnGrid | null>(null),
    formNotes: createStore<FormNotes>({ buy: "", sell: "", draft: null }),
    orderAckMs: createStore<number | null>(null),
    pick: picks.publish,
    onPick: picks.listen,
    pressSide: presses.publish,
    onPressSide: presses.listen,
    ask: async (request) => (handler === undefined ? false : handler(request)),
    handleRequests: (next) => {
      handler = next;
      return () => {
        if (handler === next) handler = undefined;
      };
    },
  };
}

export const TerminalLinkContext = createContext<TerminalLink | undefined>(undefined);

/** A product's own panels say which instruments its route gives to the terminal. */
export function useTerminalLink<Instrument extends TradeInstrument = TradeInstrument>(): TerminalLink<Instrument> {
  const link = use(TerminalLinkContext);
  if (link === undefined) throw new Error("SPOT-4: a panel outside the terminal frame");
  return link as unknown as TerminalLink<Instrument>;
}

/** One store of the link as React state; the server renders the store's initial value. */
export function useLinked<State>(store: ReadableStore<State>): State {
  return useSyncExternalStore(store.subscribe, store.get, store.get);
}

/** One plain value of a store: renders only when that value changes, however often the store does. */
export function useLinkedPart<State, Part extends string | number | boolean | null>(
  store: ReadableStore<State>,
  select: (state: State) => Part,
): Part {
  const read = () => select(store.get());
  return useSyncExternalStore(store.subscribe, read, read);
}

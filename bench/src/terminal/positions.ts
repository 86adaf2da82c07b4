// Positions and the account of a user whose fills never end, for measuring the futures terminal: figures consistent
// enough to be drawn, made from a mark. Not computed as the core would.

interface Kept {
  readonly positionId: string;
  readonly pairCode: string;
  readonly side: "long" | "short";
  /** The contract's price relative to the published mark. */
  readonly scale: number;
  readonly entry: number;
  quantity: number;
}

const LEVERAGE = 20;
const BALANCE = 250_000;

export class LoudPositions {
  sequence = 1;
  #turn = 0;
  readonly #kept: readonly Kept[];

  constructor(mark: number) {
    const rows = [
      ["BTC_USDT", "long", 1, 0.5],
      ["ETH_USDT", "short", 0.05, 10],
      ["SOL_USDT", "long", 0.0025, 200],
    ] as const;
    this.#kept = rows.map(([pairCode, side, scale, quantity], index) => ({
      positionId: String(index + 1),
      pairCode,
      side,
      scale,
      quantity,
      entry: mark * scale * 0.995,
    }));
  }

  /** One of them after another, each time with a fill more or less. */
  step(mark: number): object {
    const kept = this.#kept[this.#turn % this.#kept.length] as Kept;
    this.#turn += 1;
    this.sequence += 1;
    kept.quantity += this.#turn % 2 === 0 ? 0.01 : -0.01;
    return this.#describe(kept, mark);
  }

  all(mark: number): object[] {
    return this.#kept.map((kept) => this.#describe(kept, mark));
  }

  #profit({ side, scale, entry, quantity }: Kept, mark: number): number {
    return (mark * scale - entry) * quantity * (side === "long" ? 1 : -1);
  }

  #describe(kept: Kept, mark: number): object {
    const { positionId, pairCode, side, scale, entry, quantity } = kept;
    const [price, isLong] = [mark * scale, side === "long"];
    const profit = this.#profit(kept, mark);
    const margin = (entry * quantity) / LEVERAGE;
    const away = (part: number): string => (entry * (isLong ? 1 - part : 1 + part)).toFixed(4);
    const held = { positionId, pairCode, side, positionSide: "both", isSplit: false, quantity: quantity.toFixed(3) };
    const prices = {
      entryPrice: entry.toFixed(4),
      markPrice: price.toFixed(1),
      breakEvenPrice: away(-0.0012),
      liquidationPrice: away(0.045),
      bankruptcyPrice: away(0.049),
    };
    const figures = {
      cost: (entry * quantity).toFixed(4),
      value: (price * quantity).toFixed(4),
      margin: margin.toFixed(4),
      initialMargin: margin.toFixed(4),
      maintenanceMargin: (price * quantity * 0.004).toFixed(4),
      marginRatio: "0.1234",
      unrealizedPnl: profit.toFixed(4),
      realizedPnl: "12.5",
      fee: "-3.1",
      funding: "0",
      roe: (profit / margin).toFixed(4),
      leverage: LEVERAGE,
      mode: "isolated",
      isAutoAppend: false,
      tier: 1,
    };
    const answer = { adl: 2, stops: [], openedAtMs: 1_000 + Number(positionId), updatedAtMs: Date.now() };
    return { biz: "futures", walletType: "3", account: "main", ...held, ...prices, ...figures, ...answer };
  }

  account(mark: number): object {
    const profit = this.#kept.reduce((sum, kept) => sum + this.#profit(kept, mark), 0);
    const used = this.#kept.reduce((sum, { entry, quantity }) => sum + (entry * quantity) / LEVERAGE, 0);
    const free = (BALANCE - used).toFixed(4);
    return {
      biz: "futures",
      walletType: "3",
      account: "main",
      asset: "USDT",
      balance: String(BALANCE),
      bonus: "0",
      isolatedMargin: used.toFixed(4),
      unrealizedPnl: profit.toFixed(4),
      equity: (BALANCE + profit).toFixed(4),
      initialMargin: "0",
      maintenanceMargin: "0",
      marginRatio: "0",
      available: free,
      transferable: free,
      worthUsdt: null,
      isHedge: false,
      isSplit: false,
    };
  }
}

// The ports of halts: the listed markets, and the core that halts them.

export interface HaltMarket {
  readonly biz: "spot" | "futures" | "delivery";
  readonly pairCode: string;
  readonly market: number;
  readonly status: string;
}

export interface HaltNeeds {
  listMarkets(): readonly HaltMarket[];
  /** False while the core cannot answer or refuses. */
  setStatus(market: number, status: "TRADING" | "CANCEL_ONLY" | "HALT"): Promise<boolean>;
  nameOf(userId: number): Promise<string>;
}

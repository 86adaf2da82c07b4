// The instruments a new exchange opens with: assets, spot pairs and their rules. Data only; listing is elsewhere.
// Amounts are decimal text; listing converts them to the core's whole numbers.

export interface CatalogueAsset {
  readonly symbol: string;
  readonly name: string;
  /** Decimals of the smallest ledger unit. */
  readonly scale: number;
}

export interface CataloguePair {
  readonly base: string;
  readonly quote: string;
  readonly tick: string;
  readonly step: string;
  readonly maxQuantity: string;
  readonly maxMarketQuantity: string;
  readonly minNotional: string;
  /** Determines the price band until the first trade; the simulated market also starts here. */
  readonly firstPrice: string;
  readonly partitions: readonly string[];
}

export const CATALOGUE_ASSETS: readonly CatalogueAsset[] = [
  { symbol: "USDT", name: "Tether", scale: 6 },
  { symbol: "BTC", name: "Bitcoin", scale: 8 },
  { symbol: "ETH", name: "Ethereum", scale: 8 },
  { symbol: "SOL", name: "Solana", scale: 8 },
  { symbol: "BNB", name: "BNB", scale: 8 },
  { symbol: "XRP", name: "XRP", scale: 4 },
  { symbol: "DOGE", name: "Dogecoin", scale: 4 },
  { symbol: "ADA", name: "Cardano", scale: 4 },
  { symbol: "AVAX", name: "Avalanche", scale: 8 },
  { symbol: "LINK", name: "Chainlink", scale: 8 },
  { symbol: "DOT", name: "Polkadot", scale: 8 },
  { symbol: "LTC", name: "Litecoin", scale: 8 },
  { symbol: "TRX", name: "TRON", scale: 4 },
  { symbol: "UNI", name: "Uniswap", scale: 8 },
];

/** Keys and names of the groups pairs are shown in; a pair's quote is a group too. */
export const CATALOGUE_PARTITIONS: readonly { readonly key: string; readonly name: string }[] = [
  { key: "majors", name: "Majors" },
  { key: "layer1", name: "Layer 1" },
  { key: "payments", name: "Payments" },
  { key: "defi", name: "DeFi" },
  { key: "meme", name: "Meme" },
];

type Row = readonly [
  base: string,
  quote: string,
  tick: string,
  step: string,
  maxQuantity: string,
  maxMarketQuantity: string,
  firstPrice: string,
  partitions: string,
];

const IN_USDT: readonly Row[] = [
  ["BTC", "USDT", "0.1", "0.00001", "1000", "100", "96420", "majors layer1 payments"],
  ["ETH", "USDT", "0.01", "0.0001", "20000", "2000", "3318", "majors layer1"],
  ["SOL", "USDT", "0.01", "0.01", "400000", "40000", "143.6", "majors layer1"],
  ["XRP", "USDT", "0.0001", "0.1", "20000000", "2000000", "2.084", "majors payments"],
  ["BNB", "USDT", "0.01", "0.001", "60000", "6000", "904.5", "majors layer1"],
  ["DOGE", "USDT", "0.00001", "1", "300000000", "30000000", "0.13862", "meme payments"],
  ["ADA", "USDT", "0.0001", "0.1", "100000000", "10000000", "0.3954", "layer1"],
  ["AVAX", "USDT", "0.001", "0.01", "3000000", "300000", "13.942", "layer1"],
  ["LINK", "USDT", "0.001", "0.01", "3000000", "300000", "13.655", "defi"],
  ["DOT", "USDT", "0.0001", "0.01", "20000000", "2000000", "2.1574", "layer1"],
  ["LTC", "USDT", "0.01", "0.001", "600000", "60000", "77.48", "payments"],
  ["TRX", "USDT", "0.00001", "1", "150000000", "15000000", "0.29913", "layer1 payments"],
  ["UNI", "USDT", "0.001", "0.01", "8000000", "800000", "5.362", "defi"],
];

const IN_BTC: readonly Row[] = [
  ["ETH", "BTC", "0.00001", "0.001", "5000", "500", "0.03441", "majors"],
  ["SOL", "BTC", "0.0000001", "0.1", "100000", "10000", "0.0014893", "layer1"],
];

export const CATALOGUE_PAIRS: readonly CataloguePair[] = [
  ...IN_USDT.map((row) => toPair(row, "5")),
  ...IN_BTC.map((row) => toPair(row, "0.00005")),
];

function toPair(row: Row, minNotional: string): CataloguePair {
  const [base, quote, tick, step, maxQuantity, maxMarketQuantity, firstPrice, partitions] = row;
  return {
    base,
    quote,
    tick,
    step,
    maxQuantity,
    maxMarketQuantity,
    minNotional,
    firstPrice,
    partitions: partitions.split(" "),
  };
}

// Owns the records of valuations: the prices observed in each spot market and the value of each asset. Holds no rule.
import { type Double, getDouble, type Word } from "../../memory/record.ts";
import { Table } from "../../memory/table.ts";

/** Of a market: observations kept, place of the next one, when its index was set, then the observations in ticks. */
export const MARKET_VALUE_WORDS = 64;
export const MV_COUNT: Word<"marketValue"> = 0;
export const MV_NEXT: Word<"marketValue"> = 1;
export const MVF_INDEX_AT: Double<"marketValue"> = 1;
export const MV_OBSERVED: Word<"marketValue"> = 4;
export const OBSERVATIONS = 60;
/** Of an asset: what its value comes from, then value in USDT units = units × up ÷ down. */
export const ASSET_VALUE_WORDS = 8;
export const AV_SOURCE: Word<"assetValue"> = 0;
export const AVF_UP: Double<"assetValue"> = 1;
export const AVF_DOWN: Double<"assetValue"> = 2;

export class Values {
  /** Its one record: when the next observation is due. */
  readonly clock = new Table("value-clock", 2, 2);
  readonly markets = new Table<"marketValue">("market-values", MARKET_VALUE_WORDS, 8);
  readonly assets = new Table<"assetValue">("asset-values", ASSET_VALUE_WORDS, 8);

  get nextAt(): number {
    return this.clock.f64[1] as number;
  }

  setNextAt(time: number): void {
    if (this.clock.count === 1) this.clock.take();
    this.clock.f64[1] = time;
  }

  /** First word of a market's record, made when there is none. */
  marketAt(market: number): number {
    while (this.markets.count <= market) this.markets.take();
    return market * MARKET_VALUE_WORDS;
  }

  /** First word of an asset's record, made when there is none. */
  assetAt(asset: number): number {
    while (this.assets.count <= asset) this.assets.take();
    return asset * ASSET_VALUE_WORDS;
  }

  /** The value of an asset as it was published last; both 0 while there is none. */
  read(asset: number): { readonly valueUp: number; readonly valueDown: number } {
    if (asset >= this.assets.count) return { valueUp: 0, valueDown: 0 };
    const at = asset * ASSET_VALUE_WORDS;
    return { valueUp: getDouble(this.assets.f64, at, AVF_UP), valueDown: getDouble(this.assets.f64, at, AVF_DOWN) };
  }

  tables(): Table[] {
    return [this.clock, this.markets, this.assets];
  }
}

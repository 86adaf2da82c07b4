// A price of the wire for display: grouped, and with every decimal its market has. Pure.
import { formatDecimal } from "@clockwork/kit/format";

export function groupedPrice(price: string): string {
  return formatDecimal(price, { decimals: price.split(".")[1]?.length ?? 0, grouped: true });
}

// The amounts an order moves, for display.
import type { OtcOrder } from "@clockwork/fiat/otcorders/contract";
import { formatCoins, formatDecimal } from "@clockwork/kit/format";

export function coinsOf({ quantity, asset, amount, fiat, net }: OtcOrder) {
  const money = formatDecimal(amount, { grouped: true });
  return { quantity: formatCoins(quantity), asset, amount: money, fiat, net: formatCoins(net) };
}

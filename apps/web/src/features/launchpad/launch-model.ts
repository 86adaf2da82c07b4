// Amounts as launches show them: cut, with thousands apart.
import { type DecimalTextOptions, formatDecimal } from "@clockwork/kit/format";

export const formatAmount = (amount: string, options: DecimalTextOptions = {}): string =>
  formatDecimal(amount, { grouped: true, ...options });

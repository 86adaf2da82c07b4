// Everything below the wallet, in the order it starts: the books, statements and profit of them, the chains, converting.
import { convertPart } from "../convert/convert.ts";
import { custodyPart } from "../custody/custody.ts";
import type { Part, PartContext } from "../part.ts";
import { profitPart } from "../profit/profit.ts";
import { statementsPart } from "../statements/statements.ts";
import { walletPart } from "./wallet.ts";

export function walletParts(context: PartContext): readonly Part[] {
  const custody = custodyPart(context);
  return [
    walletPart(context, custody.networksOf),
    statementsPart(context),
    profitPart(context),
    custody,
    convertPart(context),
  ];
}

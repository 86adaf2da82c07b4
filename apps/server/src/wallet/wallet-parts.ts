// Everything below the wallet, in the order it starts: the books, statements and profit of them, the chains, converting.
import type { AccountingService } from "@clockwork/trading/accounting/service";
import { accountingNeeds } from "../accounting/accounting.ts";
import { convertPart } from "../convert/convert.ts";
import { custodyPart } from "../custody/custody.ts";
import type { Part, PartContext } from "../part.ts";
import { profitPart } from "../profit/profit.ts";
import { statementsPart } from "../statements/statements.ts";
import { walletPart } from "./wallet.ts";

export function walletParts(context: PartContext, accounting: AccountingService): readonly Part[] {
  const custody = custodyPart(context);
  const needs = accountingNeeds(context);
  return [
    walletPart(context, accounting, custody.networksOf),
    statementsPart(context, needs),
    profitPart(context, accounting, needs),
    custody,
    convertPart(context),
  ];
}

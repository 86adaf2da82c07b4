// Owns the table from a perpetual command's kind to its function. Never holds a rule of its own.

import { runMoney, runNamed } from "../account/references.ts";
import { COMMANDS } from "../protocol/command.ts";
import { REJECT } from "../protocol/rejection.ts";
import { isBotBook } from "../state/access.ts";
import type { Core } from "../state/core.ts";
import { closeAll, closePosition, reversePosition } from "./account/closing.ts";
import { changeMargin, setAutoAppend, setLeverage, setMarginMode, setPositionMode } from "./account/settings.ts";
import { setPositionStops } from "./account/stops.ts";
import { setIndexPrice } from "./clock.ts";
import { resetDemo } from "./demo/markets.ts";
import { setTiers } from "./listing.ts";
import { grantBonus } from "./margin/bonus.ts";
import { refreshClock } from "./margin/clock-state.ts";

const AT_REFERENCE = COMMANDS.changeMargin.layout.reference.at;

export function runPerp(core: Core, kind: number, account: number): number {
  switch (kind) {
    case COMMANDS.setTiers.kind:
      return setTiers(core);
    case COMMANDS.setIndexPrice.kind:
      return setIndexPrice(core);
    case COMMANDS.grantBonus.kind: {
      const code = runMoney(core, account, grantBonus);
      refreshClock(core);
      return code;
    }
    case COMMANDS.resetDemo.kind:
      return resetDemo(core, account);
    default:
      if (!core.ledger.isUserAccount(account)) return REJECT.UNKNOWN_ACCOUNT;
      return isBotBook(core, account) ? REJECT.BOT_BOOK_CLOSED : runHolder(core, kind, account);
  }
}

function runHolder(core: Core, kind: number, account: number): number {
  switch (kind) {
    case COMMANDS.setPositionMode.kind:
      return setPositionMode(core, account);
    case COMMANDS.setLeverage.kind:
      return setLeverage(core, account);
    case COMMANDS.setMarginMode.kind:
      return setMarginMode(core, account);
    case COMMANDS.changeMargin.kind:
      return runNamed(core, account, AT_REFERENCE, changeMargin);
    case COMMANDS.setAutoAppend.kind:
      return setAutoAppend(core, account);
    case COMMANDS.closePosition.kind:
      return runNamed(core, account, AT_REFERENCE, closePosition);
    case COMMANDS.closeAll.kind:
      return closeAll(core, account);
    case COMMANDS.reversePosition.kind:
      return reversePosition(core, account);
    case COMMANDS.setPositionStops.kind:
      return setPositionStops(core, account);
    default:
      return REJECT.UNKNOWN_COMMAND;
  }
}

// Owns the opening of house accounts: one for each purpose and sub. Moves no money; what they pay with must be brought in.
import { EVENTS } from "../protocol/event.ts";
import { HOUSE_PURPOSES } from "../protocol/names.ts";
import { REJECT } from "../protocol/rejection.ts";
import type { Core } from "../state/core.ts";

const SUB_MAX = 0xffffff;

/** Opens the account or, when it is there, says once more which it is. */
export function openHouseAccount(core: Core): number {
  const purpose = core.inputByte(24);
  const sub = core.inputWord(28);
  if (purpose >= HOUSE_PURPOSES.length || sub < 0 || sub > SUB_MAX) return REJECT.MALFORMED_COMMAND;
  const known = core.ledger.findHouse(purpose, sub);
  const account = known !== 0 ? known : core.ledger.openHouse(purpose, sub);
  const record = core.events.openClean(EVENTS.houseAccountOpened.kind, purpose, 0, account, core.sequence);
  core.events.i32[(record << 4) | 4] = sub;
  return 0;
}

// Owns the opening of house accounts: one for each purpose and sub. Moves no money; what they pay with must be brought in.

import { commandPlaces } from "../protocol/command.ts";
import { eventPlaces } from "../protocol/event.ts";
import { HOUSE_PURPOSES } from "../protocol/names.ts";
import { REJECT } from "../protocol/rejection.ts";
import type { Core } from "../state/core.ts";

const OPEN_HOUSE_ACCOUNT = commandPlaces("openHouseAccount");

const HOUSE_ACCOUNT_OPENED = eventPlaces("houseAccountOpened");

const SUB_MAX = 0xffffff;

/** Opens the account or, when it is there, says once more which it is. */
export function openHouseAccount(core: Core): number {
  const purpose = core.readByte(OPEN_HOUSE_ACCOUNT.purpose);
  const sub = core.readWord(OPEN_HOUSE_ACCOUNT.sub);
  if (purpose >= HOUSE_PURPOSES.length || sub < 0 || sub > SUB_MAX) return REJECT.MALFORMED_COMMAND;
  const known = core.ledger.findHouse(purpose, sub);
  const account = known !== 0 ? known : core.ledger.openHouse(purpose, sub);
  const record = core.events.openClean(HOUSE_ACCOUNT_OPENED.kind, purpose, 0, account, core.sequence);
  core.events.setWord(record, HOUSE_ACCOUNT_OPENED.sub, sub);
  return 0;
}

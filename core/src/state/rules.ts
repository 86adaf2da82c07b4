// Owns the rules in force: the command that sets them and their place in the state. A behaviour that has changed is read from
// `core.rules` where it is decided.

import { assert } from "@clockwork/kit/assert";
import { commandPlaces } from "../protocol/command.ts";
import { REJECT } from "../protocol/rejection.ts";
import { FIRST_RULES } from "../protocol/rules.ts";
import type { Core } from "./core.ts";

const SET_RULES = commandPlaces("setRules");
/** Words of the one record, which is missing until a command has set rules. */
export const RULES_STRIDE = 2;

/** Numbers only grow. One that is not known breaks the rule instead of being refused: a release that knows it would decide otherwise. */
export function setRules(core: Core): number {
  const number = core.readWord(SET_RULES.rules);
  if (number <= core.rulesSet) return REJECT.MALFORMED_COMMAND;
  bindRules(core, number);
  if (core.rulesSet === 0) core.rulesTable.take();
  core.rulesTable.i32[RULES_STRIDE] = number;
  return 0;
}

/** The rules of that number are read from here on. Fast paths stay bound: they decide alike under all known rules. Before its first command a core has any it knows. */
export function bindRules(core: Core, number = core.rulesSet || beginning(core)): void {
  const known = core.knownRules.find((rules) => rules.number === number);
  const numbers = core.knownRules.map((rules) => rules.number).join(", ");
  assert(known !== undefined, "RULES-1", `rules ${number} are not known to this release, which knows ${numbers}`);
  core.rules = known;
}

function beginning(core: Core): number {
  return core.sequence === 0 ? (core.knownRules[0]?.number ?? FIRST_RULES) : FIRST_RULES;
}

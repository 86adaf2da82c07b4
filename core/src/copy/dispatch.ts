// Owns the table from a copy command's kind to its function. Never holds a rule of its own.
import { COMMANDS } from "../protocol/command.ts";
import { REJECT } from "../protocol/rejection.ts";
import type { Core } from "../state/core.ts";
import { follow, setFollow, unfollow } from "./follow.ts";
import { setLeader } from "./leaders.ts";

export function runCopyCommand(core: Core, kind: number, account: number): number {
  switch (kind) {
    case COMMANDS.setLeader.kind:
      return setLeader(core, account);
    case COMMANDS.follow.kind:
      return follow(core, account);
    case COMMANDS.setFollow.kind:
      return setFollow(core, account);
    case COMMANDS.unfollow.kind:
      return unfollow(core, account);
    default:
      return REJECT.UNKNOWN_COMMAND;
  }
}

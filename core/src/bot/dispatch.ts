// Owns the table from a bot command's kind to its function. Never holds a rule of its own.
import { runMoney } from "../account/references.ts";
import { COMMANDS } from "../protocol/command.ts";
import { BOT_TO_WORD } from "../protocol/command-bot.ts";
import { REJECT } from "../protocol/rejection.ts";
import type { Core } from "../state/core.ts";
import { changeBot, stopBot, takeBotProfit } from "./change.ts";
import { createBot } from "./create.ts";
import { createRebalancer } from "./rebalance/create.ts";

export function runBotCommand(core: Core, kind: number, account: number): number {
  switch (kind) {
    case COMMANDS.createBot.kind:
      return runMoney(core, account, createBot, BOT_TO_WORD);
    case COMMANDS.changeBot.kind:
      return runMoney(core, account, changeBot, BOT_TO_WORD);
    case COMMANDS.stopBot.kind:
      return stopBot(core, account);
    case COMMANDS.takeBotProfit.kind:
      return runMoney(core, account, takeBotProfit, BOT_TO_WORD);
    case COMMANDS.createRebalancer.kind:
      return runMoney(core, account, createRebalancer, BOT_TO_WORD);
    default:
      return REJECT.UNKNOWN_COMMAND;
  }
}

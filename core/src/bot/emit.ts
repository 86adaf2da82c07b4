// Owns the writing of bots' events. Never decides what happened.
import { eventPlaces } from "../protocol/event.ts";
import { BOT_CHANGES } from "../protocol/names.ts";
import type { Core } from "../state/core.ts";
import {
  BO_ACCOUNT,
  BO_CELLS,
  BO_EXIT,
  BO_FIRST,
  BO_KEEPS,
  BO_KIND,
  BO_LATTICE_CELLS,
  BO_LATTICE_HIGH,
  BO_LATTICE_LOW,
  BO_LEVERAGE,
  BO_MARKET,
  BO_REASON,
  BO_SOURCE,
  BO_SPACING,
  BO_STATUS,
  BO_STOP_ABOVE,
  BO_STOP_BELOW,
  BO_TRAIL_DOWN,
  BO_TRAIL_UP,
  BO_TRIGGER,
  BOF_ENDS,
  BOF_FEES,
  BOF_INVESTED,
  BOF_LOTS,
  BOF_TAKEN,
  CE_LOW,
} from "./state/records.ts";

const BOT_CHANGED = eventPlaces("botChanged");
const BOT_TERMS = eventPlaces("botTerms");

export type BotChange = (typeof BOT_CHANGES)[number];

export function emitBot(core: Core, bot: number, change: BotChange, ticks: number): void {
  const { bots, cells } = core.bots;
  const account = bots.word(bot, BO_ACCOUNT);
  const flags = bots.word(bot, BO_STATUS) | (bots.word(bot, BO_REASON) << 8);
  const record = core.events.openClean(BOT_CHANGED.kind, BOT_CHANGES.indexOf(change), flags, account, core.sequence);
  const first = bots.word(bot, BO_FIRST);
  core.events.setWord(record, BOT_CHANGED.bot, bot);
  core.events.setWord(record, BOT_CHANGED.priceTicks, ticks);
  core.events.setWord(record, BOT_CHANGED.lowTicks, cells.word(first, CE_LOW));
  core.events.setWord(record, BOT_CHANGED.highTicks, cells.word(first + bots.word(bot, BO_CELLS), CE_LOW));
  core.events.setDouble(record, BOT_CHANGED.lots, bots.double(bot, BOF_LOTS));
  core.events.setDouble(record, BOT_CHANGED.investedUnits, bots.double(bot, BOF_INVESTED));
  core.events.setDouble(record, BOT_CHANGED.takenUnits, bots.double(bot, BOF_TAKEN));
  core.events.setDouble(record, BOT_CHANGED.feesUnits, bots.double(bot, BOF_FEES));
}

/** Every term, so that whoever keeps the events needs no command. */
export function emitTerms(core: Core, bot: number): void {
  const { bots } = core.bots;
  const flags = bots.word(bot, BO_SPACING) | (bots.word(bot, BO_KEEPS) << 8);
  const account = bots.word(bot, BO_ACCOUNT);
  const record = core.events.openClean(BOT_TERMS.kind, bots.word(bot, BO_KIND), flags, account, core.sequence);
  const words = [BO_MARKET, BO_CELLS, BO_SOURCE, BO_LEVERAGE, BO_TRIGGER, BO_STOP_ABOVE, BO_STOP_BELOW, BO_TRAIL_UP];
  core.events.setWord(record, BOT_TERMS.bot, bot);
  for (const [i, word] of [...words, BO_TRAIL_DOWN].entries())
    core.events.setWord(record, BOT_TERMS.market + i, bots.word(bot, word));
  core.events.setHalf(record, BOT_TERMS.leverage, bots.word(bot, BO_LEVERAGE));
  core.events.setHalf(record, BOT_TERMS.exitBps, bots.word(bot, BO_EXIT));
  if (bots.word(bot, BO_LATTICE_CELLS) !== 0) {
    core.events.setWord(record, BOT_TERMS.trailUpTicks, bots.word(bot, BO_LATTICE_HIGH));
    core.events.setWord(record, BOT_TERMS.trailDownTicks, bots.word(bot, BO_LATTICE_LOW));
  }
  core.events.setDouble(record, BOT_TERMS.endsAt, bots.double(bot, BOF_ENDS));
}

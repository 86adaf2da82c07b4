// Owns idempotency by client order id: for 24 hours of journal time, and as long as the order is open, the same id
// of the same account means the same order. Only accepted orders are remembered: a refusal changed nothing.

import { CLIENT_ORDER_ID_LENGTH_MAX } from "@clockwork/kit/order-bounds";
import { atOrder, FLAG_LIVE, O_ACCOUNT_MARKET, O_FLAGS, O_GENERATION } from "../../book/orders.ts";
import { AM_ACCOUNT } from "../../market/account-markets.ts";
import { getWord } from "../../memory/record.ts";
import { ENTRY_FINGERPRINT, ENTRY_SEQUENCE, ENTRY_VALUE, TEXT_WORDS } from "../../memory/text-index.ts";
import { COMMAND_HEADER_BYTES } from "../../protocol/command.ts";
import { eventPlaces } from "../../protocol/event.ts";
import { REJECT } from "../../protocol/rejection.ts";
import type { Core } from "../../state/core.ts";

const REPEATED = eventPlaces("repeated");
const CLIENT_ORDER_ID = eventPlaces("clientOrderId");

const RETENTION_MS = 86_400_000;
const SLOTS = 0x1000000;
/** From behind the header to the end of the longest order or money command. */
const CONTENT_FROM_WORD = COMMAND_HEADER_BYTES >> 2;
const CONTENT_TO_WORD = 32;

/** Whether the bytes at a word are a text of 1 to 36 characters of [A-Za-z0-9._:/-], zero behind it. */
export function isPlainText(words: Int32Array, at: number): boolean {
  const byte = (i: number): number => ((words[at + (i >> 2)] as number) >>> ((i & 3) * 8)) & 255;
  const length = byte(0);
  if (length < 1 || length > CLIENT_ORDER_ID_LENGTH_MAX) return false;
  for (let i = 1; i < TEXT_WORDS * 4; i++) {
    const code = byte(i);
    if (i > length) {
      if (code !== 0) return false;
    } else if (!isPlain(code)) return false;
  }
  return true;
}

function isPlain(code: number): boolean {
  // - . / 0-9 :   A-Z   a-z   _
  return (code >= 45 && code <= 58) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
}

/** 53 bits over what was asked: kind, account and every member of the padded command; stamps are left out. */
export function fingerprint(core: Core, account: number, toWord = CONTENT_TO_WORD): number {
  const words = core.inputWords;
  const to = core.inputAt + toWord;
  // Kind and account are mixed one after the other, so that neither can stand in for the other.
  let a = Math.imul(core.commandKind, 0x9e3779b1) ^ account;
  let b = 0x2545f491 ^ account;
  for (let i = core.inputAt + CONTENT_FROM_WORD; i < to; i++) {
    a = Math.imul(a ^ (words[i] as number), 0x85ebca6b);
    a ^= a >>> 13;
    b = Math.imul(b ^ (words[i] as number), 0xc2b2ae35);
    b ^= b >>> 16;
  }
  return (a >>> 0) * 0x200000 + (b >>> 11);
}

function isOpen(core: Core, orderId: number): boolean {
  const slot = orderId % SLOTS;
  const orders = core.books.orderWords;
  const live = (getWord(orders, atOrder(slot), O_FLAGS) & FLAG_LIVE) !== 0;
  return live && getWord(orders, atOrder(slot), O_GENERATION) === Math.floor(orderId / SLOTS);
}

/** The live entry of an id, or 0. Entries past their time count only while their order is open. */
export function findClientId(core: Core, account: number, textAt: number): number {
  const entry = core.clientIds.find(account, core.inputWords, textAt);
  if (entry === 0) return 0;
  const fresh = core.now - core.clientIds.time(entry) < RETENTION_MS;
  return fresh || isOpen(core, core.clientIds.double(entry, ENTRY_VALUE)) ? entry : 0;
}

/** The slot of the account's open order with this client id, or 0. */
export function findOpenByClientId(core: Core, account: number, textAt: number): number {
  const entry = findClientId(core, account, textAt);
  if (entry === 0) return 0;
  const orderId = core.clientIds.double(entry, ENTRY_VALUE);
  return isOpen(core, orderId) ? orderId % SLOTS : 0;
}

/**
 * Before any check: reads the text at byte `textByte` when the command has one. Returns −1 to go on, 0 when the
 * command was a repeat and has been answered, or a code.
 */
export function admitClientId(core: Core, account: number, textByte: number): number {
  const textAt = core.inputAt + (textByte >> 2);
  if (core.inputWords[textAt] === 0) return -1;
  if (!isPlainText(core.inputWords, textAt)) return REJECT.INVALID_CLIENT_ORDER_ID;
  collectOldest(core);
  const entry = findClientId(core, account, textAt);
  if (entry === 0) return -1;
  if (core.clientIds.double(entry, ENTRY_FINGERPRINT) !== fingerprint(core, account))
    return REJECT.DUPLICATE_CLIENT_ORDER_ID;
  const orderId = core.clientIds.double(entry, ENTRY_VALUE);
  const record = core.events.openClean(REPEATED.kind, core.commandKind, 0, account, core.sequence);
  core.events.setDouble(record, REPEATED.firstSequence, core.clientIds.double(entry, ENTRY_SEQUENCE));
  core.events.setId(record, REPEATED.orderId, orderId % SLOTS, Math.floor(orderId / SLOTS));
  return 0;
}

/** Remembers the accepted order under the client id that is read from a word, and reports the id. */
export function recordClientId(core: Core, slot: number, textAt: number): void {
  const account = core.accountMarkets.word(getWord(core.books.orderWords, atOrder(slot), O_ACCOUNT_MARKET), AM_ACCOUNT);
  const stale = core.clientIds.find(account, core.inputWords, textAt);
  const entry = stale !== 0 ? stale : core.clientIds.insert(account, core.inputWords, textAt, core.now);
  core.clientIds.setTime(entry, core.now);
  core.clientIds.setDouble(entry, ENTRY_FINGERPRINT, fingerprint(core, account));
  core.clientIds.setDouble(entry, ENTRY_SEQUENCE, core.sequence);
  core.clientIds.setDouble(entry, ENTRY_VALUE, core.books.orders.id(slot));
  const record = core.events.openClean(CLIENT_ORDER_ID.kind, 0, 0, account, core.sequence);
  core.events.setId(record, CLIENT_ORDER_ID.orderId, slot, getWord(core.books.orderWords, atOrder(slot), O_GENERATION));
  core.events.setWords(record, CLIENT_ORDER_ID.clientOrderId, core.inputWords, textAt, TEXT_WORDS);
}

/** Forgets up to two ids whose time is over, so that the index follows the flow of orders. */
function collectOldest(core: Core): void {
  for (let i = 0; i < 2; i++) {
    const oldest = core.clientIds.oldest();
    if (oldest === 0 || core.now - core.clientIds.time(oldest) < RETENTION_MS) return;
    // It stays as long as its order, but grows no younger: the id is free the moment that order ends.
    if (isOpen(core, core.clientIds.double(oldest, ENTRY_VALUE)))
      core.clientIds.renewOldest(core.clientIds.time(oldest));
    else core.clientIds.removeOldest();
  }
}

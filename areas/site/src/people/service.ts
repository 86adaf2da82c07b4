// Finds anything an operator may look for, and reads what the page of one person starts with. Personal data is masked;
// revealing it is a call of its own with a reason in the log.

import type { AccountRow } from "@clockwork/identity/users/rules";
import type { PeopleFilter, UserStore } from "@clockwork/identity/users/store";
import { formatUnits, units } from "@clockwork/kit/money";
import { cutPage } from "@clockwork/kit/pages/page";
import { done, type Result, refused } from "@clockwork/kit/result";
import { type Hit, type Notes, PERSON_SECTIONS, type People, type PersonHead, type Revealed } from "./contract.ts";
import type { PeopleNeeds } from "./needs.ts";
import type { PeopleRefusal } from "./refusals.ts";
import { type Meanings, maskContact, readQuery } from "./rules.ts";
import type { PeopleStore } from "./store.ts";

type UserReads = Pick<UserStore, "find" | "findByName" | "findInviter" | "listByPrefix" | "listNewest" | "findProfile">;

const USERS_FOUND_MAX = 8;
const PEOPLE_PAGE = 50;
const HITS_MAX = 20;
const USDT_SCALE = 6;
const WALLET_TYPES = ["1", "2", "3", "4", "5", "6", "7", "8", "9"] as const;

/** What an operator may find besides users, by what their role may open. */
export interface SearchRights {
  readonly withdrawals: boolean;
  readonly tickets: boolean;
  readonly reports: boolean;
  readonly otc: boolean;
}

interface About {
  readonly requestId: string;
  readonly address: string;
  readonly timeMs: number;
}

export class PeopleService {
  readonly #store: PeopleStore;
  readonly #users: UserReads;
  readonly #needs: PeopleNeeds;

  constructor(parts: {
    readonly store: PeopleStore;
    readonly users: UserReads;
    readonly needs: PeopleNeeds;
  }) {
    this.#store = parts.store;
    this.#users = parts.users;
    this.#needs = parts.needs;
  }

  async search(typed: string, rights: SearchRights): Promise<readonly Hit[]> {
    const meant = readQuery(typed);
    const found = await Promise.all([
      this.#findUsers(meant),
      this.#findOrders(meant),
      rights.withdrawals ? this.#findMoney(meant) : [],
      this.#findCases(meant, rights),
    ]);
    return found.flat().slice(0, HITS_MAX);
  }

  async #findUsers(meant: Meanings): Promise<readonly Hit[]> {
    const { userId, account, prefix, inviteCode } = meant;
    const inviter = inviteCode === undefined ? undefined : await this.#users.findInviter(inviteCode);
    const rows = await Promise.all([
      userId === undefined ? undefined : this.#users.find(userId),
      account === undefined ? undefined : this.#users.findByName(account),
      inviter === undefined ? undefined : this.#users.find(inviter),
      ...(prefix === undefined ? [] : [this.#users.listByPrefix(prefix.kind, prefix.value, USERS_FOUND_MAX)]),
    ]);
    const known = new Map<number, AccountRow>();
    for (const row of rows.flat()) if (row !== undefined) known.set(row.id, row);
    return [...known.values()].slice(0, USERS_FOUND_MAX).map((row) => ({
      kind: "user",
      id: String(row.id),
      detail: [row.nickname, maskContact("email", row.email) ?? maskContact("phone", row.phone)].join(" · "),
      user: String(row.id),
    }));
  }

  async #findOrders({ orderId }: Meanings): Promise<readonly Hit[]> {
    const order = orderId === undefined ? undefined : await this.#store.findOrder(orderId);
    if (order === undefined || order.user_id === 0) return [];
    const detail = `${order.side} ${order.type} · ${order.state}`.toLowerCase();
    return [{ kind: "order", id: String(order.order_id), detail, user: String(order.user_id) }];
  }

  async #findMoney({ hexId, chainAddress, txHash }: Meanings): Promise<readonly Hit[]> {
    const [one, sent, paid, deposits, owners] = await Promise.all([
      hexId === undefined ? undefined : this.#store.findWithdrawal(hexId),
      chainAddress === undefined ? [] : this.#store.listWithdrawals("address", chainAddress),
      txHash === undefined ? [] : this.#store.listWithdrawals("tx_hash", txHash),
      txHash === undefined ? [] : this.#store.listDeposits(txHash),
      chainAddress === undefined ? [] : this.#store.listAddresses(chainAddress),
    ]);
    const withdrawals = [...(one === undefined ? [] : [one]), ...sent, ...paid];
    return [
      ...owners.map(({ network, address, user_id }) => ({
        kind: "address" as const,
        id: address,
        detail: network,
        user: String(user_id),
      })),
      ...withdrawals.map(({ withdrawal_id, asset, network, state, user_id }) => ({
        kind: "withdrawal" as const,
        id: withdrawal_id,
        detail: `${asset} ${network} · ${state}`,
        user: String(user_id),
      })),
      ...deposits.map(({ deposit_id, asset, network, state, user_id }) => ({
        kind: "deposit" as const,
        id: deposit_id,
        detail: `${asset} ${network} · ${state}`,
        user: String(user_id),
      })),
    ];
  }

  async #findCases({ ticket, hexId, otcId }: Meanings, rights: SearchRights): Promise<readonly Hit[]> {
    const [one, proposal, otc] = await Promise.all([
      ticket === undefined || !rights.tickets ? undefined : this.#store.findTicket(ticket),
      hexId === undefined ? undefined : this.#store.findProposal(hexId),
      otcId === undefined || !rights.otc ? undefined : this.#store.findOtcOrder(otcId),
    ]);
    const hits: Hit[] = [];
    // Reports of whistleblowers do not exist for others.
    if (one !== undefined && (one.kind !== "whistleblower" || rights.reports)) {
      const user = one.user_id === null ? null : String(one.user_id);
      hits.push({ kind: "ticket", id: one.number, detail: `${one.kind} · ${one.state}`, user });
    }
    if (proposal !== undefined)
      hits.push({
        kind: "proposal",
        id: proposal.proposal_id,
        detail: `${proposal.kind} · ${proposal.state}`,
        user: null,
      });
    if (otc !== undefined) hits.push({ kind: "otc", id: otc.order_id, detail: otc.state, user: String(otc.buyer_id) });
    return hits;
  }

  /** The newest accounts first. */
  async list(filter: PeopleFilter): Promise<People> {
    const { shown, end } = cutPage(await this.#users.listNewest(filter, PEOPLE_PAGE + 1), PEOPLE_PAGE);
    return {
      people: shown.map((row) => ({
        user: String(row.id),
        nickname: row.nickname,
        contact: maskContact("email", row.email) ?? maskContact("phone", row.phone) ?? "",
        country: row.country,
        role: row.role,
        status: row.status,
        createdAtMs: row.created_at_ms,
      })),
      nextBefore: end?.created_at_ms ?? null,
    };
  }

  async exists(userId: number): Promise<boolean> {
    return (await this.#users.find(userId)) !== undefined;
  }

  async readHead(userId: number, about: About): Promise<Result<PersonHead, PeopleRefusal>> {
    const row = await this.#users.find(userId);
    if (row === undefined) return refused("USER_UNKNOWN");
    const [profile, identity, security, vipLevel, seenAtMs, deposited, withdrawn, wallet] = await Promise.all([
      this.#users.findProfile(userId),
      this.#needs.identityOf(userId, about.timeMs),
      this.#needs.securityOf(userId, about.timeMs),
      this.#needs.vipLevelOf(userId),
      this.#store.seenAt(userId),
      this.#store.sumDeposits(userId),
      this.#store.sumWithdrawals(userId),
      this.#needs.readAs(userId, PERSON_SECTIONS.balances, { body: { walletTypeList: WALLET_TYPES } }, about),
    ]);
    const equity = (wallet as { readonly allUsdt?: string } | undefined)?.allUsdt;
    if (equity === undefined) return refused("SECTION_UNAVAILABLE");
    const worths = deposited.map(({ asset, units: sum }) => this.#needs.worthUnits(asset, sum));
    const { details: _, ...shown } = identity;
    return done({
      user: String(userId),
      nickname: row.nickname,
      avatar: profile?.avatar ?? 0,
      email: maskContact("email", row.email),
      phone: maskContact("phone", row.phone),
      country: row.country,
      role: row.role,
      status: row.status,
      createdAtMs: row.created_at_ms,
      seenAtMs,
      invitedBy: row.invited_by === null ? null : String(row.invited_by),
      identity: shown,
      vipLevel,
      hasTotp: security.hasTotp,
      hasPasskeys: security.hasPasskeys,
      hasTradePassword: security.hasTradePassword,
      locks: security.withdrawalLocks.map(({ cause, endsAtMs }) => ({ cause, endsAtMs })),
      equityUsdt: equity,
      // A coin without a price would be left out of the sum.
      depositedUsdt: worths.includes(undefined)
        ? null
        : formatUsdt(worths.reduce<bigint>((sum, worth) => sum + (worth ?? 0n), 0n)),
      withdrawnUsdt: formatUsdt(withdrawn),
    });
  }

  async reveal(userId: number, timeMs: number): Promise<Revealed> {
    const [row, { details }] = await Promise.all([this.#users.find(userId), this.#needs.identityOf(userId, timeMs)]);
    const join = (...parts: readonly (string | undefined)[]): string => parts.filter(Boolean).join(" ");
    return {
      email: row?.email ?? null,
      phone: row?.phone ?? null,
      name: join(details.firstName, details.lastName),
      birthDate: details.birthDate ?? "",
      document: join(details.documentType, details.country, details.documentNumber),
      address: details.address ?? "",
    };
  }

  async listNotes(userId: number): Promise<Notes> {
    const rows = await this.#store.listNotes(userId);
    const names = new Map<number, string>();
    for (const { operator_id } of rows) {
      if (!names.has(operator_id)) names.set(operator_id, await this.#needs.nameOf(operator_id));
    }
    return {
      notes: rows.map(({ number, operator_id, text, at_ms }) => ({
        id: number,
        by: names.get(operator_id) ?? "",
        text,
        atMs: at_ms,
      })),
    };
  }

  async addNote(
    userId: number,
    operatorId: number,
    text: string,
    timeMs: number,
  ): Promise<Result<Notes, "NOTES_FULL">> {
    const row = { user_id: userId, operator_id: operatorId, text, at_ms: timeMs };
    // Two operators at once choose the same number; the second tries the next.
    for (let tries = 0; tries < 3; tries += 1) {
      if (await this.#store.addNote(row)) return done(await this.listNotes(userId));
    }
    return refused("NOTES_FULL");
  }

  readSection(
    userId: number,
    section: Parameters<PeopleNeeds["readAs"]>[1],
    input: { readonly query?: unknown; readonly body?: unknown },
    about: About,
  ): Promise<unknown> {
    return this.#needs.readAs(userId, section, input, about);
  }
}

function formatUsdt(value: bigint): string {
  return formatUnits(units(value), USDT_SCALE);
}

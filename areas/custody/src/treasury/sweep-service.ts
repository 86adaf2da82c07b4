// Sweeps users' deposit addresses into the hot wallet once deposits are final: for a token first gas from the hot
// wallet, then the sweep itself. Each sender's number is used for one move; a stuck one only gets a higher fee.
import { RESERVES_ACCOUNT } from "@clockwork/core/protocol/names";
import type { Chain, Receipt } from "@clockwork/kit/chains/chain";
import { coinAt, coinOf, confirmationsOf, type Network, toLedgerUnits } from "@clockwork/kit/chains/network";
import { transferOutcome } from "@clockwork/kit/chains/outcome";
import { toCoreUnits, units } from "@clockwork/kit/money";
import type { TreasuryNeeds } from "./needs.ts";
import { isGivenUp, leftToSweep, nativeMoved, type Sweepable, sweepMinUnits } from "./rules.ts";
import type { MoveRow, TreasuryStore } from "./store.ts";

const OPEN_MAX = 20;
const NATIVE_GAS = 21_000n;
const TOKEN_GAS = 120_000n;
/** Blocks a move may wait before its fee is raised. */
const STUCK_BLOCKS = 10;
const RESEND_MS = 4_000;

export class SweepService {
  readonly #store: TreasuryStore;
  readonly #needs: TreasuryNeeds;

  constructor({ store, needs }: { readonly store: TreasuryStore; readonly needs: TreasuryNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  /** One turn of a network, after its newest block; `isLooking` enables new sweeps. */
  async turn(network: Network, head: number, isLooking: boolean): Promise<void> {
    const chain = this.#needs.chains.chain(network.network);
    const open = await this.#store.listOpen(network.network);
    if (open.length > 0) await this.#watch(network, chain, open, head);
    await this.#countFees(network);
    if (isLooking) await this.#begin(network, chain, open, head);
  }

  /** How the chain's own coin at deposit addresses changed by sweeps up to a block. */
  async nativeMoved(network: Network, number: number): Promise<ReadonlyMap<string, bigint>> {
    const native = coinAt(network, null)?.asset ?? "";
    return nativeMoved(await this.#store.listMoves(network.network), native, number);
  }

  /** The fees of moves up to a block, the part in the ledger, and the part being sent to it: for reconciliation. */
  async fees(
    network: string,
    number: number,
  ): Promise<{ readonly paid: bigint; readonly postedUnits: bigint; readonly uncounted: bigint }> {
    const moves = await this.#store.listMoves(network);
    const mined = moves.filter(({ block_number }) => block_number !== null && block_number <= number);
    const sum = (rows: readonly MoveRow[]): bigint => rows.reduce((all, { fee_units }) => all + BigInt(fee_units), 0n);
    return {
      paid: sum(mined),
      postedUnits: (await this.#store.readGas(network)).posted_units,
      uncounted: sum(moves.filter(({ state, is_counted }) => state !== "OPEN" && !is_counted)),
    };
  }

  async #begin(network: Network, chain: Chain, open: readonly MoveRow[], head: number): Promise<void> {
    const deposits = await this.#needs.listDeposits(network.network, head - network.finalBlocks);
    const moves = await this.#store.listMoves(network.network);
    const left = leftToSweep(deposits, moves);
    const busy = new Set(open.map(({ sender }) => sender));
    const { baseFee, tip } = await chain.fees();
    const maxFee = baseFee * 2n + tip;
    let places = OPEN_MAX - open.length;
    for (const one of left) {
      const coin = coinOf(network, one.asset);
      if (places <= 0 || coin === undefined || busy.has(one.address) || one.units < sweepMinUnits(coin)) continue;
      if (isGivenUp(one, moves)) continue;
      busy.add(one.address);
      if (await this.#sweep(network, chain, one, maxFee, tip)) places -= 1;
    }
  }

  async #sweep(network: Network, chain: Chain, one: Sweepable, maxFee: bigint, tip: bigint): Promise<boolean> {
    const contract = coinOf(network, one.asset)?.contract ?? null;
    const gas = contract === null ? NATIVE_GAS : TOKEN_GAS;
    const cost = gas * maxFee;
    const [gasHeld = 0n, held = 0n] = await chain.balances(
      [
        { contract: null, address: one.address },
        { contract, address: one.address },
      ],
      await chain.head(),
    );
    if (contract !== null && gasHeld < cost) {
      // Twice: the fee may rise before the sweep is sent.
      return this.#needs.topUp(network, chain, one.userId, one.address, cost * 2n - gasHeld);
    }
    const most = contract === null ? held - cost : held;
    const amount = one.units < most ? one.units : most;
    if (amount <= 0n) return false;
    const row: MoveRow = {
      network: network.network,
      sender: one.address,
      nonce: await chain.countOf(one.address),
      kind: "sweep",
      user_id: one.userId,
      asset: one.asset,
      chain_units: amount.toString(),
      gas: gas.toString(),
      max_fee: maxFee.toString(),
      tip: tip.toString(),
      hashes: "",
      raw: "",
      state: "OPEN",
      block_number: null,
      fee_units: "0",
      is_success: false,
      is_counted: false,
      begun_ms: this.#needs.now(),
      sent_ms: 0,
    };
    if (!(await this.#store.begin(row))) return false;
    await this.#send(chain, row);
    return true;
  }

  async #send(chain: Chain, row: MoveRow): Promise<void> {
    const { network, asset, user_id: userId, nonce, gas, max_fee: maxFee, tip } = row;
    let signed: { readonly raw: string; readonly hash: string };
    try {
      const ask = { network, asset, userId, units: row.chain_units, nonce, gas, maxFee, tip };
      signed = await this.#needs.signSweep(ask);
    } catch (error) {
      const code = error instanceof Error ? error.message : "";
      // A signed transaction remains valid, and the node may have lost it.
      if (row.raw !== "") await this.#broadcast(chain, row.raw, row);
      if (!code.startsWith("POLICY_")) return;
      this.#needs.report("sweep.refused", { network, address: row.sender, code });
      await (row.hashes === "" ? this.#store.callOff(row) : this.#store.change(row, { sent_ms: this.#needs.now() }));
      return;
    }
    const hashes = row.hashes.split(" ").includes(signed.hash) ? row.hashes : `${row.hashes} ${signed.hash}`.trim();
    await this.#store.change(row, { hashes, raw: signed.raw, max_fee: maxFee, tip, sent_ms: this.#needs.now() });
    await this.#broadcast(chain, signed.raw, row);
  }

  async #broadcast(chain: Chain, raw: string, { network, sender, nonce }: MoveRow): Promise<void> {
    try {
      await chain.send(raw);
    } catch (error) {
      const message = error instanceof Error ? error.message : "";
      this.#needs.report("move.send.failed", { network, sender, nonce, message });
    }
  }

  async #watch(network: Network, chain: Chain, open: readonly MoveRow[], head: number): Promise<void> {
    const hashesOf = (row: MoveRow): readonly string[] => row.hashes.split(" ").filter((hash) => hash !== "");
    const hashes = open.flatMap(hashesOf);
    const receipts = hashes.length === 0 ? [] : await chain.receipts(hashes);
    const mined = new Map(hashes.map((hash, at) => [hash, receipts[at]]));
    for (const row of open) {
      const receipt = hashesOf(row)
        .map((hash) => mined.get(hash))
        .find((one) => one !== undefined);
      if (receipt === undefined) await this.#push(network, chain, row);
      else await this.#follow(network, row, receipt, head);
    }
  }

  /** Judged by the coin's announced transfers, like payments: a successful transaction alone moves nothing. */
  async #follow(network: Network, row: MoveRow, receipt: Receipt, head: number): Promise<void> {
    const outcome = transferOutcome(receipt, {
      contract: coinOf(network, row.asset)?.contract ?? null,
      from: row.sender,
      to: this.#needs.chains.house()?.hot ?? "",
      units: BigInt(row.chain_units),
    });
    const isFinal = confirmationsOf(receipt.blockNumber, head) >= network.finalBlocks;
    const isMoved = outcome === "moved";
    await this.#store.change(row, {
      block_number: receipt.blockNumber,
      fee_units: receipt.feeUnits.toString(),
      is_success: isMoved,
      // A deviating move remains open: it is not repeated until operators have reviewed it.
      state: !isFinal || outcome === "other" ? "OPEN" : isMoved ? "DONE" : "FAILED",
    });
    const { sender, nonce, asset, kind } = row;
    const facts = { network: row.network, sender, nonce, asset, kind };
    if (isFinal && outcome === "none") this.#needs.report("move.failed", facts);
    if (outcome !== "other" || this.#needs.isPaused(row.network)) return;
    this.#needs.report("move.transfer.wrong", facts);
    await this.#needs.pause(row.network, `${asset} moved something else than was signed in a ${kind} from ${sender}`);
  }

  /** Unmined: sent again, and a sweep with a higher fee after a long wait. */
  async #push(network: Network, chain: Chain, row: MoveRow): Promise<void> {
    if (row.block_number !== null) await this.#store.change(row, { block_number: null, fee_units: "0" });
    if (row.raw === "") {
      await this.#send(chain, row);
      return;
    }
    const waited = this.#needs.now() - row.sent_ms;
    const isNative = coinOf(network, row.asset)?.contract === null;
    // A refill is signed elsewhere; a sweep of the chain's own coin has left exactly its fee.
    const mayOffer = row.kind === "sweep" && !isNative;
    if (mayOffer && waited > network.blockSeconds * STUCK_BLOCKS * 1_000) {
      const { baseFee, tip } = await chain.fees();
      const dearer = (old: string, now: bigint): string => {
        const raised = (BigInt(old) * 5n) / 4n + 1n;
        return (raised > now ? raised : now).toString();
      };
      const fees = { max_fee: dearer(row.max_fee, baseFee * 2n + tip), tip: dearer(row.tip, tip) };
      await this.#send(chain, { ...row, ...fees });
    } else if (waited > RESEND_MS) await this.#broadcast(chain, row.raw, row);
  }

  /** The reserves pay for the exchange's moves; less than a unit of the ledger is carried over. */
  async #countFees(network: Network): Promise<void> {
    const native = coinAt(network, null);
    const listed = native === undefined ? undefined : this.#needs.coins.find(native.asset);
    if (native === undefined || listed === undefined) return;
    for (const row of await this.#store.listUncounted(network.network)) {
      const before = await this.#store.readGas(network.network);
      const sum = BigInt(before.chain_units) + BigInt(row.fee_units);
      const owed = toLedgerUnits(sum, native.decimals, listed.scale) - before.posted_units;
      const due = owed > 0n ? owed : 0n;
      if (due > 0n) {
        const burn = { kind: "burn", account: RESERVES_ACCOUNT, asset: listed.asset, business: "networkFee" } as const;
        const reference = `m:${network.network}:${row.sender.slice(2, 18)}:${row.nonce}`;
        const burnt = await this.#needs.submit({ ...burn, units: toCoreUnits(units(due)), reference });
        if (!burnt.done) return;
      }
      const total = { network: network.network, chain_units: sum.toString(), posted_units: before.posted_units + due };
      await this.#store.countFee(row, total);
    }
  }
}

// The level of the hot wallet, and refilling it from the cold one: a transaction is prepared here, signed on a machine
// without a network, and submitted as a file. It must be a plain transfer from the cold wallet to the hot one.
import type { Chain } from "@clockwork/kit/chains/chain";
import { coinAt, coinOf, type Network } from "@clockwork/kit/chains/network";
import { decimalText, trimZeros } from "@clockwork/kit/decimal";
import { done, type Result, refused } from "@clockwork/kit/result";
import type { Levels, RefillFile } from "./contract.ts";
import type { SignedTransfer, TreasuryNeeds } from "./needs.ts";
import type { TreasuryRefusal } from "./refusals.ts";
import { leftToSweep, levelOf, readChainUnits } from "./rules.ts";
import type { MoveRow, TreasuryStore } from "./store.ts";

const NATIVE_GAS = "21000";
const TOKEN_GAS = "120000";
/** Days may pass before it is signed and sent: enough for a base fee that has grown eightfold. */
const PATIENT_FEE = 8n;

type Outcome<Value> = Promise<Result<Value, TreasuryRefusal>>;

export class RefillService {
  readonly #store: TreasuryStore;
  readonly #needs: TreasuryNeeds;

  constructor({ store, needs }: { readonly store: TreasuryStore; readonly needs: TreasuryNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  async levels(): Outcome<Levels> {
    const levels = [];
    try {
      for (const network of this.#needs.chains.networks) levels.push(...(await this.#levelsOf(network)));
    } catch {
      return refused("CUSTODY_NOT_READY", "5");
    }
    const moves = (await this.#store.listNewest()).map((row) => ({
      network: row.network,
      kind: row.kind,
      sender: row.sender,
      asset: row.asset,
      state: row.state,
      chainUnits: row.chain_units,
      txHash: row.hashes.split(" ").at(-1) || null,
      begunAtMs: row.begun_ms,
    }));
    return done({ levels, moves });
  }

  async #levelsOf(network: Network): Promise<Levels["levels"]> {
    const house = this.#needs.chains.house();
    if (house === undefined) throw new Error("the house's addresses are not known yet");
    const chain = this.#needs.chains.chain(network.network);
    const head = await chain.head();
    const asks = network.coins.flatMap(({ contract }) => [
      { contract, address: house.hot },
      { contract, address: house.cold },
    ]);
    const balances = await chain.balances(asks, head);
    const deposits = await this.#needs.listDeposits(network.network, head);
    const left = leftToSweep(deposits, await this.#store.listMoves(network.network));
    return network.coins.map(({ asset, decimals }, index) => {
      const [hot = 0n, cold = 0n] = balances.slice(index * 2, index * 2 + 2);
      const unswept = left.filter((one) => one.asset === asset).reduce((sum, one) => sum + one.units, 0n);
      const { low, refill, isLow } = levelOf(hot, cold, unswept);
      this.#needs.showLevel(network.network, asset, isLow);
      const text = (value: bigint): string => trimZeros(decimalText(value, decimals));
      const amounts = {
        hot: text(hot),
        cold: text(cold),
        deposits: text(unswept),
        low: text(low),
        refill: text(refill),
      };
      return { network: network.network, asset, ...amounts, isLow };
    });
  }

  /** Everything the cold machine needs, without having to trust it: it checks the receiver itself. */
  async prepare(code: string, asset: string, amount: string): Outcome<RefillFile> {
    const network = this.#needs.chains.networks.find((one) => one.network === code);
    if (network === undefined) return refused("UNKNOWN_NETWORK");
    const coin = coinOf(network, asset);
    if (coin === undefined) return refused("COIN_NOT_ON_NETWORK");
    const wanted = readChainUnits(amount, coin.decimals);
    if (wanted === undefined || wanted === 0n) return refused("AMOUNT_INVALID");
    const house = this.#needs.chains.house();
    if (house === undefined) return refused("CUSTODY_NOT_READY", "5");
    const chain = this.#needs.chains.chain(code);
    try {
      const ask = [{ contract: coin.contract, address: house.cold }];
      const [held = 0n] = await chain.balances(ask, await chain.head());
      if (held < wanted) return refused("COLD_WALLET_SHORT");
      const { baseFee, tip } = await chain.fees();
      return done({
        kind: "clockwork-refill-1",
        network: code,
        chainId: network.chainId,
        from: house.cold,
        to: house.hot,
        contract: coin.contract,
        asset,
        units: wanted.toString(),
        nonce: await chain.countOf(house.cold),
        gas: coin.contract === null ? NATIVE_GAS : TOKEN_GAS,
        maxFee: (baseFee * PATIENT_FEE + tip).toString(),
        tip: tip.toString(),
      });
    } catch {
      return refused("CUSTODY_NOT_READY", "5");
    }
  }

  /** The same file submitted again is the same refill. */
  async submit(code: string, raw: string): Outcome<{ txHash: string; asset: string; amount: string }> {
    const network = this.#needs.chains.networks.find((one) => one.network === code);
    if (network === undefined) return refused("UNKNOWN_NETWORK");
    const house = this.#needs.chains.house();
    if (house === undefined) return refused("CUSTODY_NOT_READY", "5");
    const read = await this.#needs.readSigned(raw);
    if (read === undefined || read.chainId !== network.chainId) return refused("REFILL_NOT_READABLE");
    if (read.from !== house.cold) return refused("REFILL_NOT_COLD");
    const coin = coinAt(network, read.contract);
    if (coin === undefined || read.to !== house.hot || read.units <= 0n) return refused("REFILL_NOT_HOT");
    const chain = this.#needs.chains.chain(code);
    const answer = { txHash: read.hash, asset: coin.asset, amount: trimZeros(decimalText(read.units, coin.decimals)) };
    const known = (await this.#store.listMoves(code)).find(
      ({ sender, nonce }) => sender === read.from && nonce === read.nonce,
    );
    if (known !== undefined) return known.hashes === read.hash ? done(answer) : refused("REFILL_UNDER_WAY");
    return (await this.#send(chain, rowOf(code, coin.asset, read, raw, this.#needs.now()))) ?? done(answer);
  }

  /** Stored before it is sent: the fee is then certain. */
  async #send(chain: Chain, row: MoveRow): Promise<Extract<Awaited<Outcome<never>>, { done: false }> | undefined> {
    try {
      if ((await chain.countOf(row.sender)) !== row.nonce) return refused("REFILL_UNDER_WAY");
    } catch {
      return refused("CUSTODY_NOT_READY", "5");
    }
    if (!(await this.#store.begin(row))) return refused("REFILL_UNDER_WAY");
    await chain.send(row.raw).catch((error: unknown) => {
      this.#needs.report("refill.send.failed", { network: row.network, error });
    });
    return undefined;
  }
}

function rowOf(network: string, asset: string, read: SignedTransfer, raw: string, nowMs: number): MoveRow {
  return {
    network,
    sender: read.from,
    nonce: read.nonce,
    kind: "refill",
    user_id: 0,
    asset,
    chain_units: read.units.toString(),
    gas: read.gas.toString(),
    max_fee: read.maxFee.toString(),
    tip: read.tip.toString(),
    hashes: read.hash,
    raw,
    state: "OPEN",
    block_number: null,
    fee_units: "0",
    is_success: false,
    is_counted: false,
    begun_ms: nowMs,
    sent_ms: nowMs,
  };
}
